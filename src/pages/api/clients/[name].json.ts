import type { APIRoute } from 'astro';
import { renderClientJson } from '../../../render/clients-json.ts';
import { site } from '../../../site.ts';
import { clientPaths } from '../../_clients.ts';

export const getStaticPaths = clientPaths;
export const GET: APIRoute = ({ props }) => new Response(renderClientJson(props['client'], site));
