import type { APIRoute } from 'astro';
import { renderToolMarkdown } from '../../../../render/server.ts';
import { site } from '../../../../site.ts';
import { toolPaths } from '../../../_servers.ts';

export const getStaticPaths = toolPaths;
export const GET: APIRoute = ({ props }) =>
  new Response(renderToolMarkdown(props['record'], props['tool'], site));
