import type { APIRoute } from 'astro';
import { renderSiteInvocations } from '../render/invocations.ts';
import { site } from '../site.ts';
import { readSite } from './_site.ts';

export const GET: APIRoute = async () =>
  new Response(renderSiteInvocations((await readSite()).attempts, site));
