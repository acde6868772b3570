/**
 * From the ledger's entries to what happened to each article: what was put and withdrawn, and every
 * attempt to weigh what it shows. Pure; it gives out what stands there and sums nothing up.
 */
import type { CaptureBody } from '../ledger/entry.ts';
import { captureKey, logKey, type Recorded } from '../ledger/fold.ts';
import type { ArticleRecord, AttemptRecord } from './record.ts';
import { placeOf } from './series.ts';

/** Every attempt to capture anything, oldest first. */
export function attemptsOf(entries: readonly Recorded[]): AttemptRecord[] {
  return entries.flatMap(({ seq, leaf, ts, entry }) => {
    if (entry.type !== 'capture.add') return [];
    const { body } = entry;
    const { kind, run, outcome, blob } = body;
    const failure = 'failure' in body ? body.failure : null;
    return {
      ...{ seq, leaf, ts, kind, run, outcome, subject: subjectOf(body) },
      ...{ ...releaseOf(body), sha256: blob?.sha256 ?? null },
      failure: failure && { code: failure.code, message: failure.message },
    };
  });
}

/** What was asked, or for a log, which belongs to no release, the method and its version. */
function releaseOf(body: CaptureBody): { package: string; version: string } {
  if (body.kind === 'gateway_log') {
    const [method = '', version = ''] = body.method.split('@');
    return { package: method, version };
  }
  return { package: body.package.name, version: body.package.version };
}

function subjectOf(body: CaptureBody): string {
  switch (body.kind) {
    case 'tools_list':
    case 'discover':
      return body.server;
    case 'count':
      return body.tokenizer;
    case 'client_request':
      return `${body.client}/${body.variant}`;
    case 'gateway_log':
      return logKey(body.source, body.name);
  }
}

/** The articles with their entries, attempts and places in series. */
export function chronicle(
  articles: readonly ArticleRecord[],
  entries: readonly Recorded[],
): ArticleRecord[] {
  const own = Map.groupBy(entries, ({ entry }) => entry.article);
  const attempts = attemptsOf(entries);
  const key = (kind: AttemptRecord['kind'], subject: string, version: string) =>
    `${kind} ${captureKey(subject, version)}`;
  return articles.map((article) => {
    const shown = new Set([
      ...article.captures.map(({ kind, server, version }) => key(kind, server, version)),
      ...article.failures.map(({ server, version }) => key('tools_list', server, version)),
    ]);
    return {
      ...article,
      series: placeOf(article, articles),
      entries: own.get(article.slug) ?? [],
      attempts: attempts.filter(({ kind, subject, version }) =>
        shown.has(key(kind, subject, version)),
      ),
    };
  });
}
