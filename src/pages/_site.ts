/**
 * What every route reads: the site as content/ and ledger/ give it. A published build refuses here
 * what is not recorded or does not verify, so that the rule holds however the build was started.
 */
import type { ArticleRecord } from '../articles/record.ts';
import { loadPublishable } from '../gate.ts';
import { loadSite, type Site } from '../load.ts';

let published: Promise<Site> | undefined;

/** In a build: loaded once, refused unless recorded. In dev: read anew, since content changes. */
export function readSite(): Promise<Site> {
  if (import.meta.env.DEV) return loadSite({ root: process.cwd() });
  published ??= loadPublishable(process.cwd());
  return published;
}

/** The articles that have a page: drafts only in dev. */
export async function readArticles(): Promise<ArticleRecord[]> {
  const { articles } = await readSite();
  return articles.filter(({ status }) => import.meta.env.DEV || status === 'published');
}

/** The articles that anybody can read: what the site's own counts are of, in dev too. */
export async function readPublishedArticles(): Promise<ArticleRecord[]> {
  return (await readArticles()).filter(({ status }) => status === 'published');
}

/** `getStaticPaths` of every route of an article. */
export async function articlePaths() {
  return (await readArticles()).map((article) => ({
    params: { slug: article.slug },
    props: { article },
  }));
}

/** `getStaticPaths` of every route of a figure of an article. */
export async function figurePaths() {
  return (await readArticles()).flatMap((article) =>
    article.figures.map((figure) => ({
      params: { slug: article.slug, id: figure.id },
      props: { article, figure },
    })),
  );
}
