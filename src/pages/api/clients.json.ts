import type { APIRoute } from 'astro';
import { renderClientsJson } from '../../render/clients-json.ts';
import { site } from '../../site.ts';
import { readSite } from '../_site.ts';

export const GET: APIRoute = async () => {
  const { clients, settings, prices } = await readSite();
  return new Response(renderClientsJson(clients, settings, prices, site));
};
