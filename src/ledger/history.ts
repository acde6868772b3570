/**
 * The life of each claim: all that was ever put or withdrawn under its id, oldest first. Pure. The
 * fold keeps only what stands, so that its memory does not grow with entries; this reads them all.
 */
import { postKey, type Recorded } from './fold.ts';

export type ClaimEvent = Recorded<'claim.put'> | Recorded<'claim.retract'>;

/** What happened to each claim that was ever put, by postKey. `entries` in the order of the ledger. */
export function histories(entries: readonly Recorded[]): Map<string, ClaimEvent[]> {
  const events = entries.flatMap(({ entry, ...receipt }) =>
    entry.type === 'claim.put' || entry.type === 'claim.retract'
      ? [{ ...receipt, entry } as ClaimEvent]
      : [],
  );
  return Map.groupBy(events, ({ entry }) => postKey(entry.article, entry.body.id));
}
