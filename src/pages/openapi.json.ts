import type { APIRoute } from 'astro';
import { renderOpenapi } from '../render/openapi.ts';
import { site } from '../site.ts';

export const GET: APIRoute = () => new Response(renderOpenapi(site));
