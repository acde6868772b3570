/** The paths of an article's forms, in one place so that each form can name the others. Pure. */

export interface Forms {
  page: string;
  markdown: string;
  json: string;
  skill: string;
  topology: string;
  revisions: string;
  invocations: string;
}

/** Paths without the base; give them to `site.path` or `site.url`. */
export function forms(slug: string): Forms {
  return {
    page: `/a/${slug}/`,
    markdown: `/a/${slug}.md`,
    json: `/api/articles/${slug}.json`,
    skill: `/api/articles/${slug}/skill/SKILL.md`,
    topology: `/api/articles/${slug}/topology.json`,
    revisions: `/api/articles/${slug}/revisions.json`,
    invocations: `/api/articles/${slug}/invocations.json`,
  };
}

/** `/a/x/` → `/a/x.md`; the home page's is `/index.md`. */
export const markdownPath = (page: string): string =>
  page === '/' ? '/index.md' : `${page.replace(/\/$/, '')}.md`;
