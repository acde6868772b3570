/** The Atom feed of retracted and superseded claims. */
import type { APIRoute } from 'astro';
import { corrections, renderFeed } from '../render/corrections.ts';
import { site } from '../site.ts';
import { readLog } from './_log.ts';
import { readArticles } from './_site.ts';

export const GET: APIRoute = async () => {
  const { ledger, claimPages } = readLog();
  const shown = new Set((await readArticles()).map(({ slug }) => slug));
  const all = corrections(ledger.entries);
  const updated = all[0]?.ts ?? ledger.entries.at(-1)?.ts ?? '1970-01-01T00:00:00.000Z';
  const page = ({ article, id, seq }: (typeof all)[number]) =>
    (shown.has(article) && claimPages.get(`${article}/${id}`)) || `/ledger/${seq}/`;
  return new Response(renderFeed(all, { site, updated, page }));
};
