/**
 * The life of one claim: all that was ever put or withdrawn under its id, oldest first. Pure. The
 * fold keeps only what stands, so that its memory does not grow with entries; this reads them all.
 */
import type { Recorded } from './fold.ts';

export type ClaimEvent = Recorded<'claim.put'> | Recorded<'claim.retract'>;

/** What happened to a claim; empty for one that was never put. `entries` in the order of the ledger. */
export const history = (
  entries: readonly Recorded[],
  article: string | null,
  id: string,
): ClaimEvent[] =>
  entries.flatMap(({ entry, ...receipt }) =>
    (entry.type === 'claim.put' || entry.type === 'claim.retract') &&
    entry.article === article &&
    entry.body.id === id
      ? [{ ...receipt, entry } as ClaimEvent]
      : [],
  );
