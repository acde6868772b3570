import type { APIRoute } from 'astro';
import { renderArticleMarkdown } from '../../render/markdown.ts';
import { site } from '../../site.ts';
import { articlePaths } from '../_site.ts';

export const getStaticPaths = articlePaths;
export const GET: APIRoute = ({ props }) =>
  new Response(renderArticleMarkdown(props['article'], site));
