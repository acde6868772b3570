import type { APIRoute } from 'astro';
import { renderApi } from '../../render/api.ts';
import { site } from '../../site.ts';
import { readSite } from '../_site.ts';

export const GET: APIRoute = async () => new Response(renderApi((await readSite()).ledger, site));
