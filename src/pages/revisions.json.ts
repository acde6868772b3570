import type { APIRoute } from 'astro';
import { renderSiteRevisions } from '../render/revisions.ts';
import { site } from '../site.ts';
import { readPublishedArticles } from './_site.ts';

export const GET: APIRoute = async () =>
  new Response(renderSiteRevisions(await readPublishedArticles(), site));
