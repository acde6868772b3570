/**
 * From the ledger's entries to what happened to each article: what was put and withdrawn, and every
 * attempt to weigh what it shows. Pure; it gives out what stands there and sums nothing up.
 */
import { captureKey, type Recorded } from '../ledger/fold.ts';
import type { ArticleRecord, AttemptRecord } from './record.ts';
import { placeOf } from './series.ts';

/** Every attempt to weigh a server, oldest first. */
export function attemptsOf(entries: readonly Recorded[]): AttemptRecord[] {
  return entries.flatMap(({ seq, leaf, ts, entry }) => {
    if (entry.type !== 'capture.add' || entry.body.kind !== 'tools_list') return [];
    const { run, outcome, server, package: pkg, blob, failure } = entry.body;
    return {
      ...{ seq, leaf, ts, run, outcome, server, package: pkg.name, version: pkg.version },
      sha256: blob?.sha256 ?? null,
      failure: failure && { code: failure.code, message: failure.message },
    };
  });
}

/** The articles with their entries, attempts and places in series. */
export function chronicle(
  articles: readonly ArticleRecord[],
  entries: readonly Recorded[],
): ArticleRecord[] {
  const own = Map.groupBy(entries, ({ entry }) => entry.article);
  const attempts = attemptsOf(entries);
  const keyOf = ({ server, version }: { server: string; version: string }) =>
    captureKey(server, version);
  return articles.map((article) => {
    const shown = new Set([...article.captures, ...article.failures].map(keyOf));
    return {
      ...article,
      series: placeOf(article, articles),
      entries: own.get(article.slug) ?? [],
      attempts: attempts.filter((attempt) => shown.has(keyOf(attempt))),
    };
  });
}
