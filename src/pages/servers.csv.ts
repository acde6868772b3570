import type { APIRoute } from 'astro';
import { renderServersCsv } from '../render/servers.ts';
import { readSite } from './_site.ts';

export const GET: APIRoute = async () =>
  new Response(renderServersCsv((await readSite()).catalogues));
