import type { APIRoute } from 'astro';
import { renderFigureCsv } from '../../../../../render/figure.ts';
import { site } from '../../../../../site.ts';
import { figurePaths } from '../../../../_site.ts';

export const getStaticPaths = figurePaths;
export const GET: APIRoute = ({ props }) =>
  new Response(renderFigureCsv(props['article'], props['figure'], site));
