/** An article's entries -> JSON for programs. Pure; the entries stand in it as they stand in the ledger. */
import { z } from 'zod';
import { canonical } from '../ledger/canonical.ts';
import type { Checkpoint } from '../ledger/checkpoint.ts';
import { Entry } from '../ledger/entry.ts';
import type { Recorded } from '../ledger/fold.ts';
import { hex } from '../ledger/tree.ts';
import type { SiteAddress } from '../site.ts';

import { Count, Hash, head, headShape, print, Text, Url } from './published.ts';

export const ArticleLedgerJson = z.strictObject({
  ...headShape('article-ledger'),
  slug: Text,
  origin: Text,
  checkpoint: z
    .strictObject({ url: Url, size: Count, root: Hash })
    .nullable()
    .meta({ description: 'The newest; null while nothing is signed' }),
  entries: z.array(
    z.strictObject({ seq: Count, leaf: Hash, url: Url, proof: Url.nullable(), entry: Entry }),
  ),
});

/** `signed`: the newest checkpoint; null while nothing is signed, and then no entry has a proof. */
export function renderArticleLedger(
  slug: string,
  log: { origin: string; entries: readonly Recorded[] },
  signed: Checkpoint | null,
  site: SiteAddress,
): string {
  const own = log.entries.filter(({ entry }) => entry.article === slug);
  const value: z.infer<typeof ArticleLedgerJson> = {
    ...head('article-ledger', site),
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
  };
  return print(value);
}
