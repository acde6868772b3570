import type { APIRoute } from 'astro';
import { renderServersJson } from '../../render/servers.ts';
import { site } from '../../site.ts';
import { readSite } from '../_site.ts';

export const GET: APIRoute = async () => {
  const { catalogues, failures } = await readSite();
  return new Response(renderServersJson(catalogues, failures, site));
};
