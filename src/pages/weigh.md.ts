import type { APIRoute } from 'astro';
import { renderWeighing } from '../render/weighing.ts';
import { site } from '../site.ts';
import { readSite } from './_site.ts';

export const GET: APIRoute = async () =>
  new Response(renderWeighing((await readSite()).catalogues, site));
