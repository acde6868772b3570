import type { APIRoute } from 'astro';
import { renderClientsMarkdown } from '../render/clients.ts';
import { site } from '../site.ts';
import { readSite } from './_site.ts';

export const GET: APIRoute = async () => {
  const { clients, settings } = await readSite();
  return new Response(renderClientsMarkdown(clients, settings, site));
};
