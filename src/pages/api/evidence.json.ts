import type { APIRoute } from 'astro';
import { renderEvidenceJson } from '../../render/evidence.ts';
import { site } from '../../site.ts';
import { readPublishedArticles } from '../_site.ts';

export const GET: APIRoute = async () =>
  new Response(renderEvidenceJson(await readPublishedArticles(), site));
