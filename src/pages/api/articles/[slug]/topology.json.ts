import type { APIRoute } from 'astro';
import { renderTopology } from '../../../../render/topology.ts';
import { site } from '../../../../site.ts';
import { articlePaths } from '../../../_site.ts';

export const getStaticPaths = articlePaths;
export const GET: APIRoute = ({ props }) => new Response(renderTopology(props['article'], site));
