/** What a browser needs to derive an article's figures again: leaves, and where their entries stand. */
import type { APIRoute } from 'astro';
import type { ArticleRecord } from '../../../../articles/record.ts';
import { renderRecipe } from '../../../../render/recipe.ts';
import { site } from '../../../../site.ts';
import { readLog } from '../../../_log.ts';
import { articlePaths, readSite } from '../../../_site.ts';

export const getStaticPaths = articlePaths;
export const GET: APIRoute<{ article: ArticleRecord }> = async ({ props }) =>
  new Response(
    renderRecipe(
      props.article,
      await readSite(),
      new Map(readLog().ledger.entries.map(({ leaf, seq }) => [leaf, seq])),
      site,
    ),
  );
