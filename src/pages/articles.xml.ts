/** The Atom feed of articles, by the times at which they were recorded. */
import type { APIRoute } from 'astro';
import { articleNews, renderFeed } from '../render/feed.ts';
import { site } from '../site.ts';
import { lastTime } from './_log.ts';
import { readPublishedArticles } from './_site.ts';

export const GET: APIRoute = async () => {
  const entries = articleNews(await readPublishedArticles());
  const feed = {
    title: 'articles',
    path: '/articles.xml',
    page: '/',
    entries,
    updated: lastTime(),
  };
  return new Response(renderFeed(feed, site));
};
