import type { APIRoute } from 'astro';
import { renderRevisions } from '../../../../render/revisions.ts';
import { site } from '../../../../site.ts';
import { articlePaths } from '../../../_site.ts';

export const getStaticPaths = articlePaths;
export const GET: APIRoute = ({ props }) => new Response(renderRevisions(props['article'], site));
