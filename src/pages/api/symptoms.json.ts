import type { APIRoute } from 'astro';
import { renderSymptomsJson, rowsOf } from '../../render/symptoms.ts';
import { site } from '../../site.ts';
import { readPublishedArticles } from '../_site.ts';

export const GET: APIRoute = async () =>
  new Response(renderSymptomsJson(rowsOf(await readPublishedArticles()), site));
