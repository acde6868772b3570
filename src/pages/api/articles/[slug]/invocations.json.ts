import type { APIRoute } from 'astro';
import { renderInvocations } from '../../../../render/invocations.ts';
import { site } from '../../../../site.ts';
import { articlePaths } from '../../../_site.ts';

export const getStaticPaths = articlePaths;
export const GET: APIRoute = ({ props }) => new Response(renderInvocations(props['article'], site));
