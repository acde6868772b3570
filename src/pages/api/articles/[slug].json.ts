import type { APIRoute } from 'astro';
import { renderArticleJson } from '../../../render/json.ts';
import { site } from '../../../site.ts';
import { articlePaths } from '../../_site.ts';

export const getStaticPaths = articlePaths;
export const GET: APIRoute = ({ props }) => new Response(renderArticleJson(props['article'], site));
