/**
 * The addresses by which the post that started this calls an article's forms, led to those that are
 * built. Pure, and shared by the server, the edge and the list that static hosts read.
 */
import { forms } from './render/forms.ts';

/** By what follows `/api/articles/<slug>`: the path of the form that is built. */
const ALSO: Readonly<Record<string, (slug: string) => string>> = {
  '': (slug) => forms(slug).json,
  '/bundle': (slug) => forms(slug).markdown,
  '/skill': (slug) => forms(slug).skill,
  '/topology': (slug) => forms(slug).topology,
  '/revisions': (slug) => forms(slug).revisions,
  '/ledger': (slug) => `/api/articles/${slug}/ledger.json`,
  '/invocations': (slug) => forms(slug).invocations,
  '/objections': (slug) => `/api/articles/${slug}/objections.json`,
};
const ASKED = /^\/api\/articles\/([a-z0-9]+(?:-[a-z0-9]+)*)(\/[a-z]+)?\/?$/;

/** The path that stands for one of those; null for every other. Both from the site's root. */
export function rewrite(path: string, query: URLSearchParams): string | null {
  const [, slug, form = ''] = ASKED.exec(path) ?? [];
  if (slug === undefined || !Object.hasOwn(ALSO, form)) return null;
  const format = query.get('format') ?? 'markdown';
  if (form !== '/bundle' || format === 'markdown') return ALSO[form]!(slug);
  return format === 'json' ? forms(slug).json : null;
}

/**
 * The same as Netlify's and Cloudflare's `_redirects` has it: a line for each address, since a pattern
 * would take the built files too. `base` as in SiteAddress.
 */
export const redirects = (slugs: readonly string[], base: string): string =>
  slugs
    .flatMap((slug) =>
      Object.entries(ALSO).map(
        ([form, to]) => `${base}/api/articles/${slug}${form} ${base}${to(slug)} 200\n`,
      ),
    )
    .join('');
