import type { APIRoute } from 'astro';
import { renderEvidenceMarkdown } from '../render/evidence.ts';
import { site } from '../site.ts';
import { readPublishedArticles } from './_site.ts';

export const GET: APIRoute = async () =>
  new Response(renderEvidenceMarkdown(await readPublishedArticles(), site));
