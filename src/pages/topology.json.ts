import type { APIRoute } from 'astro';
import { renderSiteTopology } from '../render/topology.ts';
import { site } from '../site.ts';
import { readPublishedArticles } from './_site.ts';

export const GET: APIRoute = async () =>
  new Response(renderSiteTopology(await readPublishedArticles(), site));
