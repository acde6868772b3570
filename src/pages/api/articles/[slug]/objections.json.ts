import type { APIRoute } from 'astro';
import type { ArticleRecord } from '../../../../articles/record.ts';
import { renderObjections } from '../../../../render/objections.ts';
import { site } from '../../../../site.ts';
import { readLog } from '../../../_log.ts';
import { articlePaths } from '../../../_site.ts';

export const getStaticPaths = articlePaths;
export const GET: APIRoute<{ article: ArticleRecord }> = ({ props }) =>
  new Response(renderObjections(props.article.slug, readLog().objections, site));
