import type { APIRoute } from 'astro';
import { renderServerMarkdown } from '../../render/server.ts';
import { site } from '../../site.ts';
import { serverPaths } from '../_servers.ts';

export const getStaticPaths = serverPaths;
export const GET: APIRoute = ({ props }) =>
  new Response(renderServerMarkdown(props['record'], site));
