import type { APIRoute } from 'astro';
import { renderDirectory } from '../../render/directory.ts';
import { site } from '../../site.ts';

export const GET: APIRoute = () => new Response(renderDirectory(site));
