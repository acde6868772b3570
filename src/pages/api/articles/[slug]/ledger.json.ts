/** All that the ledger holds of one article, entry by entry, with the receipts and where the proofs are. */
import type { APIRoute } from 'astro';
import type { ArticleRecord } from '../../../../articles/record.ts';
import { renderArticleLedger } from '../../../../render/ledger.ts';
import { site } from '../../../../site.ts';
import { readLog } from '../../../_log.ts';
import { articlePaths } from '../../../_site.ts';

export const getStaticPaths = articlePaths;
export const GET: APIRoute<{ article: ArticleRecord }> = ({ props }) => {
  const { ledger, published } = readLog();
  return new Response(renderArticleLedger(props.article.slug, ledger, published.signed, site));
};
