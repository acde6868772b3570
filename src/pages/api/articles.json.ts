import type { APIRoute } from 'astro';
import { renderArticlesIndex } from '../../render/json.ts';
import { site } from '../../site.ts';
import { readArticles } from '../_site.ts';

export const GET: APIRoute = async () =>
  new Response(renderArticlesIndex(await readArticles(), site));
