import type { APIRoute } from 'astro';
import { renderClientCsv } from '../../render/clients.ts';
import { clientPaths } from '../_clients.ts';

export const getStaticPaths = clientPaths;
export const GET: APIRoute = ({ props }) => new Response(renderClientCsv(props['client']));
