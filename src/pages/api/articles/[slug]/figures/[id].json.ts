import type { APIRoute } from 'astro';
import { renderFigureJson } from '../../../../../render/figure.ts';
import { site } from '../../../../../site.ts';
import { figurePaths } from '../../../../_site.ts';

export const getStaticPaths = figurePaths;
export const GET: APIRoute = ({ props }) =>
  new Response(renderFigureJson(props['article'], props['figure'], site));
