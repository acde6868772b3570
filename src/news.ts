/**
 * What a refresh brings, before it is recorded or after: each payload against the one before it, and
 * the claims that say something else because of it. It reads and resolves; it never records.
 */
import { reconcile } from './articles/reconcile.ts';
import { type Ledger, withBatch } from './disk/ledger.ts';
import { Batch } from './ledger/batch.ts';
import { captureKey, postKey } from './ledger/fold.ts';
import { load, NOBODY } from './load.ts';
import { type Difference, diffCatalogues } from './measure/diff.ts';
import { type Catalogue, measureCatalogue } from './measure/history.ts';
import { o200k } from './measure/o200k.ts';
import { parsePayload } from './measure/payload.ts';

/** A release of which a new payload came. */
export interface Arrival {
  /** `notion@2.5.2`. */
  release: string;
  /** What it is compared with: its own last payload, or that of the release before; null for the first. */
  before: { release: string; tools: number; tokens: number } | null;
  tools: number;
  tokens: number;
  /** Null without one before. */
  difference: Difference | null;
}

export interface News {
  /** When the refresh began; null when it brought nothing at all. */
  run: string | null;
  arrivals: Arrival[];
  /** Releases whose payload came again as it was. */
  unchanged: string[];
  failed: { release: string; code: string; message: string }[];
  /** Claims that no longer say what the ledger holds of them. */
  claims: { article: string; id: string; seq: number; was: string; now: string }[];
  /** Why content can't be recorded after it, in whole lines. */
  problems: string[];
}

/** News of the captures that `batch` adds to `ledger`. Throws Problem as `load` does. */
export async function news(root: string, ledger: Ledger, batch: Batch): Promise<News> {
  const after = withBatch(ledger, batch);
  const loaded = await load({ root, ledger: after });
  const { releases } = loaded;
  const measure = (server: string, sha256: string): Catalogue =>
    measureCatalogue(parsePayload(after.blob(sha256)), {
      shape: 'anthropic',
      server,
      tokenizer: o200k(),
    });
  const told: News = {
    run: null,
    arrivals: [],
    unchanged: [],
    failed: [],
    claims: [],
    problems: [],
  };
  for (const { entry } of batch.recorded) {
    if (entry.type !== 'capture.add' || entry.body.kind !== 'tools_list') continue;
    const { server, package: pkg, outcome, blob, failure, run } = entry.body;
    const release = captureKey(server, pkg.version);
    told.run ??= run;
    if (outcome === 'unchanged') told.unchanged.push(release);
    if (failure !== null) told.failed.push({ release, ...failure });
    if (outcome !== 'captured' || blob === null) continue;
    const own = releases.filter(({ name }) => name === server).map(({ version }) => version);
    const earlier = own.slice(0, Math.max(own.indexOf(pkg.version), 0)).reverse();
    const [was] = [pkg.version, ...earlier].flatMap((version) => {
      const key = captureKey(server, version);
      const fold = version === pkg.version ? ledger.fold : after.fold;
      const sha256 = fold.captures.get(key)?.captured?.entry.body.blob?.sha256;
      return sha256 === undefined || fold.redacted.has(sha256) ? [] : { key, sha256 };
    });
    const { marks, tools, tokens } = measure(server, blob.sha256);
    const old = was && measure(server, was.sha256);
    told.arrivals.push({
      ...{ release, tools, tokens },
      before: old ? { release: was.key, tools: old.tools, tokens: old.tokens } : null,
      difference: old ? diffCatalogues(old.marks, marks) : null,
    });
  }

  const content = new Batch(after.fold, NOBODY);
  const problems = [...loaded.problems, ...reconcile(content, loaded)];
  told.problems = problems.map(String);
  for (const { entry } of content.recorded) {
    if (entry.type !== 'claim.put') continue;
    const was = after.fold.claims.get(postKey(entry.article, entry.body.id))?.current;
    if (was === undefined || was.entry.body.text === entry.body.text) continue;
    const { id, text } = entry.body;
    const article = entry.article ?? '';
    told.claims.push({ article, id, seq: was.seq, was: was.entry.body.text, now: text });
  }
  return told;
}
