import type { APIRoute } from 'astro';
import { renderServersMarkdown } from '../render/servers.ts';
import { site } from '../site.ts';
import { readSite } from './_site.ts';

export const GET: APIRoute = async () => {
  const { catalogues, failures } = await readSite();
  return new Response(renderServersMarkdown(catalogues, failures, site));
};
