import type { APIRoute } from 'astro';
import { renderSymptomsMarkdown, rowsOf } from '../render/symptoms.ts';
import { site } from '../site.ts';
import { readPublishedArticles } from './_site.ts';

export const GET: APIRoute = async () =>
  new Response(renderSymptomsMarkdown(rowsOf(await readPublishedArticles()), site));
