/**
 * From the fold to recorded counts: the latest of each tokenizer that tokenizers.yaml names. Pure but
 * for the given blob reader.
 */
import type { Fold } from '../ledger/fold.ts';
import { parseTally, type RecordedCount } from '../measure/counts.ts';
import type { CaptureRecord } from './record.ts';

/** What the ledger holds of each that is wanted, in the same order. `blob` as for weighCaptures. */
export function heldCounts(
  fold: Fold,
  blob: (sha256: string) => Uint8Array,
  wanted: readonly string[],
): { counts: RecordedCount[]; captures: ReadonlyMap<string, CaptureRecord> } {
  const held = wanted.flatMap((tokenizer) => {
    const { seq, leaf, ts, entry } = fold.counts.get(tokenizer)?.captured ?? {};
    if (seq === undefined || leaf === undefined || ts === undefined || entry === undefined)
      return [];
    const { package: pkg, method, rendered, blob: ref } = entry.body;
    const capture: CaptureRecord = {
      kind: 'count',
      ...{ seq, leaf, ts, server: tokenizer, tools: null, protocol: null },
      rerun: `npm run refresh -- --dry-run --only count:${tokenizer}`,
      ...{ package: pkg.name, version: pkg.version, integrity: pkg.integrity },
      ...ref,
    };
    const count = { tokenizer, leaf, method, rendered, tally: parseTally(blob(ref.sha256)) };
    return { capture, count };
  });
  return {
    counts: held.map(({ count }) => count),
    captures: new Map(held.map(({ capture }) => [capture.leaf, capture])),
  };
}
