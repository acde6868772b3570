/**
 * Writes the search index of the built site beside it, with Pagefind. The same pages give the same
 * bytes. What is searched is text: titles, claims, symptoms, names, never markup.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ArticleRecord } from './articles/record.ts';
import { type EndpointId, endpointOf } from './endpoints.ts';
import { Problem } from './problem.ts';
import { symptomAnchor } from './render/anchor.ts';
import type { BuiltPage } from './render/llms.ts';
import { wordsOf } from './render/page.ts';
import { rowsOf, SYMPTOMS, spansOf } from './render/symptoms.ts';

/** Below the site's root. */
const FOLDER = 'pagefind';
/** What a result is called, by the endpoint of its page; a page of none is not searched. */
const KINDS: Partial<Record<EndpointId | (string & {}), string>> = {
  'article-page': 'article',
  'claim-page': 'claim',
  'server-page': 'server',
  'tool-page': 'tool',
  'client-page': 'client',
  'evidence-page': 'page',
  'corrections-page': 'page',
  'weigh-page': 'page',
  'deploy-page': 'page',
  'directory-entry-page': 'directory',
};
/** Records handed over before an answer is waited for; they are taken in the order in which they come. */
const AT_ONCE = 100;
/** Interfaces that Pagefind brings along: ours is src/browser/search.ts. */
const UNUSED = /^pagefind-(?:ui|modular|component|highlight|playground)/;

interface Found {
  url: string;
  title: string;
  kind: string;
  content: string;
}

/** A line of a symptom without the marks of its code. */
const wordsIn = (line: string): string =>
  spansOf(line)
    .map(({ text }) => text)
    .join('');

/** All that can be found, in the order in which it is indexed. */
export function searched(
  pages: readonly (BuiltPage & { html: string })[],
  articles: readonly ArticleRecord[],
): Found[] {
  const found = pages.flatMap(({ path, title, description, html }): Found[] => {
    const id = endpointOf(path);
    const kind = id && KINDS[id];
    if (!kind) return [];
    const words = wordsOf(html);
    const content = words.includes(description) ? words : `${description}\n${words}`;
    return [{ url: path, title, kind, content }];
  });
  const symptoms = rowsOf(articles).map(({ symptom: { id, symptom, cause, fix, client } }) => ({
    url: `${SYMPTOMS.page}#${symptomAnchor(id)}`,
    title: wordsIn(symptom),
    kind: 'symptom',
    content: [...[symptom, cause, fix].map(wordsIn), client].join('\n'),
  }));
  return [...found, ...symptoms];
}

/** Throws Problem `search.index` where Pagefind can't be had on this machine, or refuses. */
export async function writeSearch(dist: string, found: readonly Found[]): Promise<void> {
  const pagefind = await import('pagefind');
  try {
    const { index, errors } = await pagefind.createIndex({ forceLanguage: 'en' });
    if (index === undefined) throw new Error(errors.join('; '));
    for (let at = 0; at < found.length; at += AT_ONCE) {
      const added = await Promise.all(
        found.slice(at, at + AT_ONCE).map(({ url, title, kind, content }) =>
          index.addCustomRecord({
            ...{ url, content, language: 'en', filters: { kind: [kind] } },
            meta: { title, kind },
          }),
        ),
      );
      const errors = added.flatMap((one) => one.errors);
      if (errors.length > 0) throw new Error(errors.join('; '));
    }
    const { files, errors: failed } = await index.getFiles();
    if (failed.length > 0) throw new Error(failed.join('; '));
    for (const { path, content } of files) {
      if (UNUSED.test(path)) continue;
      const to = join(dist, FOLDER, path);
      mkdirSync(dirname(to), { recursive: true });
      writeFileSync(to, content);
    }
  } catch (cause) {
    throw new Problem(
      'search.index',
      `the search index was not made: ${(cause as Error).message}`,
      {
        mend: 'Run `npm ci` again on this machine: Pagefind has a package for each platform.',
        cause,
      },
    );
  } finally {
    await pagefind.close();
  }
}

/** The pages of `dist` with their bytes. */
export const withHtml = (dist: string, pages: readonly BuiltPage[]) =>
  pages.map((page) => ({
    ...page,
    html: KINDS[endpointOf(page.path) ?? '']
      ? readFileSync(join(dist, page.path, 'index.html'), 'utf8')
      : '',
  }));
