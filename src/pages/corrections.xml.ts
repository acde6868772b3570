/** The Atom feed of retracted and superseded claims. */
import type { APIRoute } from 'astro';
import { correctionNews, corrections } from '../render/corrections.ts';
import { renderFeed } from '../render/feed.ts';
import { site } from '../site.ts';
import { claimPageOf, lastTime, readLog } from './_log.ts';
import { readArticles } from './_site.ts';

export const GET: APIRoute = async () => {
  const page = claimPageOf(await readArticles());
  const feed = {
    title: 'corrections',
    path: '/corrections.xml',
    page: '/corrections/',
    entries: correctionNews(corrections(readLog().ledger.entries), page),
    updated: lastTime(),
  };
  return new Response(renderFeed(feed, site));
};
