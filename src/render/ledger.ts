/** An article's entries -> JSON for programs. Pure; the entries stand in it as they stand in the ledger. */
import { canonical } from '../ledger/canonical.ts';
import type { Checkpoint } from '../ledger/checkpoint.ts';
import type { Recorded } from '../ledger/fold.ts';
import { hex } from '../ledger/tree.ts';
import type { SiteAddress } from '../site.ts';

/** Raised when a key changes its meaning or goes; a new key alone does not raise it. */
const VERSION = 1;

/** `signed`: the newest checkpoint; null while nothing is signed, and then no entry has a proof. */
export function renderArticleLedger(
  slug: string,
  log: { origin: string; entries: readonly Recorded[] },
  signed: Checkpoint | null,
  site: SiteAddress,
): string {
  const own = log.entries.filter(({ entry }) => entry.article === slug);
  return `${JSON.stringify(
    {
      shape: 'weighbridge.article.ledger',
      version: VERSION,
      slug,
      origin: log.origin,
      checkpoint: signed && {
        url: site.url('/ledger/checkpoint'),
        size: signed.size,
        root: hex(signed.root),
      },
      entries: own.map(({ seq, leaf, entry }) => ({
        seq,
        leaf,
        url: site.url(`/ledger/${seq}/`),
        proof: signed && seq < signed.size ? site.url(`/ledger/proof/${seq}.tlog-proof`) : null,
        // In the ledger's own order of keys, not the schema's.
        entry: JSON.parse(canonical(entry)),
      })),
    },
    null,
    2,
  )}\n`;
}
