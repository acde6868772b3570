/** The Atom feed of what was captured, and of what failed to be. */
import type { APIRoute } from 'astro';
import { captureNews, renderFeed } from '../render/feed.ts';
import { site } from '../site.ts';
import { lastTime, readLog } from './_log.ts';

export const GET: APIRoute = () => {
  const feed = {
    title: 'captures',
    path: '/captures.xml',
    page: '/ledger/by/type/capture.add/',
    entries: captureNews(readLog().ledger.entries),
    updated: lastTime(),
  };
  return new Response(renderFeed(feed, site));
};
