import type { APIRoute } from 'astro';
import { renderServerCsv } from '../../render/server.ts';

import { serverPaths } from '../_servers.ts';

export const getStaticPaths = serverPaths;
export const GET: APIRoute = ({ props }) => new Response(renderServerCsv(props['record']));
