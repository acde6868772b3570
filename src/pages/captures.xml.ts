/** The Atom feed of what was captured, and of what failed to be. */
import type { APIRoute } from 'astro';
import { captureNews, renderFeed } from '../render/feed.ts';
import { site } from '../site.ts';
import { lastTime, readLog } from './_log.ts';

export const GET: APIRoute = () => {
  const entries = captureNews(readLog().ledger.entries);
  const feed = {
    title: 'captures',
    path: '/captures.xml',
    // A log without a capture has no page for that type.
    page: entries.length === 0 ? '/ledger/' : '/ledger/by/type/capture.add/',
    entries,
    updated: lastTime(),
  };
  return new Response(renderFeed(feed, site));
};
