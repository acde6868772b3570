/**
 * From the fold to release histories: every captured release that servers.yaml names, compared with
 * the one before it, and what failed. Pure but for the given blob reader; a payload is measured once,
 * however often asked.
 */
import type { Fold } from '../ledger/fold.ts';
import {
  type Catalogue,
  compareReleases,
  type History,
  measureCatalogue,
} from '../measure/history.ts';
import { o200k } from '../measure/o200k.ts';
import { parsePayload } from '../measure/payload.ts';
import { heldReleases } from './captures.ts';
import type { ArticleRecord, CaptureRecord } from './record.ts';
import type { ServerContent } from './servers.ts';

/** One server's history, with the releases that could not be weighed. */
export interface ReleaseHistory extends History {
  failures: ArticleRecord['failures'];
}
export interface Histories {
  /** In the order of servers.yaml; a server none of whose releases was tried is left out. */
  histories: ReleaseHistory[];
  /** By leaf. */
  captures: ReadonlyMap<string, CaptureRecord>;
}

const measured = new Map<string, Catalogue>();

/** Compares what the ledger holds of `releases`: server by server, the oldest first. `blob` as for weighCaptures. */
export function compareCaptures(
  fold: Fold,
  blob: (sha256: string) => Uint8Array,
  releases: readonly ServerContent[],
): Histories {
  const held = heldReleases(fold, releases);
  const measure = (server: string, sha256: string): Catalogue => {
    const key = `${server} ${sha256}`;
    const known = measured.get(key);
    if (known !== undefined) return known;
    const as = { shape: 'anthropic', server, tokenizer: o200k() } as const;
    const catalogue = measureCatalogue(parsePayload(blob(sha256)), as);
    measured.set(key, catalogue);
    return catalogue;
  };
  const histories = [...Map.groupBy(held, ({ wanted }) => wanted.name)].map(([name, own]) => ({
    name,
    package: own[0]!.wanted.package,
    releases: compareReleases(
      own.flatMap(({ capture }) => {
        if (capture === null) return [];
        const { version, leaf, sha256 } = capture;
        return { version, leaf, sha256, catalogue: measure(name, sha256) };
      }),
    ),
    failures: own.flatMap(({ failure }) => failure ?? []),
  }));
  const captures = held.flatMap(({ capture }) => capture ?? []);
  return { histories, captures: new Map(captures.map((capture) => [capture.leaf, capture])) };
}
