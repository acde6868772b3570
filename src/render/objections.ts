/**
 * Objections and updates as the ledger holds them, with what was answered. Pure. What is queued is no
 * part of it: that is the server's to tell, apart.
 */
import { z } from 'zod';
import type { Words } from '../ledger/commitment.ts';
import type { Fold, Objection } from '../ledger/fold.ts';
import { POSTS, SURFACES } from '../ledger/terms.ts';
import { hex } from '../ledger/tree.ts';
import type { SiteAddress } from '../site.ts';
import {
  Count,
  Hash,
  head,
  headShape,
  print,
  receipt,
  receiptOf,
  Text,
  Time,
  Url,
} from './published.ts';

const Place = z.strictObject({
  ...receipt,
  proof: Url.nullable().meta({ description: 'Null while the entry is not signed' }),
});
const ObjectionShape = z.strictObject({
  id: Text,
  kind: z.enum(POSTS),
  article: Text,
  claim: Text.nullable(),
  surface: z.enum(Object.keys(SURFACES) as (keyof typeof SURFACES)[]).nullable(),
  status: z.enum(['accepted', 'declined', 'resolved', 'erased']),
  in_log: z.literal(true),
  seq: Count.meta({ description: 'Of the entry that took it in' }),
  received_at: Time,
  commit: Hash,
  salt: Hash.nullable().meta({ description: 'Null once erased, as is post' }),
  post: z.record(Text, z.json()).nullable(),
  receipt: Place,
  answer: z.strictObject({ text: Text, claim: Text.nullable(), receipt: Place }).nullable(),
  erased: z.strictObject({ reason: Text, receipt: Place }).nullable(),
});
export type ObjectionRecord = z.infer<typeof ObjectionShape>;
export const ObjectionsJson = z.strictObject({
  ...headShape('objections'),
  article: Text,
  objections: z.array(ObjectionShape).meta({ description: 'Updates too, told by their kind' }),
  queued: z.array(z.json()).meta({ description: 'Not in the log; always empty in a static file' }),
  next: Count.nullable().meta({ description: 'Where more is queued: ?after= gives what follows' }),
});
export const ObjectionJson = ObjectionShape.extend(headShape('objection'));

/** Where an article's objections are. */
export const objectionsPath = (slug: string): string => `/api/articles/${slug}/objections.json`;

/** The posts of all articles that were taken in. `words` gives what is kept of one; `signed`, the entries under the newest checkpoint. */
export function objectionsOf(
  fold: Fold,
  words: (id: string) => Words | null,
  signed: number,
  site: SiteAddress,
): ObjectionRecord[] {
  const place = (at: Parameters<typeof receiptOf>[0]) => ({
    ...receiptOf(at),
    proof: at.seq < signed ? site.url(`/ledger/proof/${at.seq}.tlog-proof`) : null,
  });
  return [...fold.objections].map(([id, { received, resolved, erased }]: [string, Objection]) => {
    const { kind, claim, surface, commit, received_at } = received.entry.body;
    const kept = erased === null ? words(id) : null;
    const answer = resolved?.entry.body;
    return {
      ...{ id, kind, article: received.entry.article ?? '', claim: claim?.id ?? null, surface },
      status: erased
        ? ('erased' as const)
        : answer === undefined
          ? ('accepted' as const)
          : answer.outcome === 'declined'
            ? ('declined' as const)
            : ('resolved' as const),
      in_log: true as const,
      ...{ seq: received.seq, received_at, commit },
      salt: kept === null ? null : hex(kept.salt),
      post: kept === null ? null : (JSON.parse(kept.body) as Record<string, z.core.util.JSONType>),
      receipt: place(received),
      answer:
        resolved === null
          ? null
          : {
              text: resolved.entry.body.answer,
              claim: resolved.entry.body.claim?.id ?? null,
              receipt: place(resolved),
            },
      erased: erased && { reason: erased.entry.body.reason, receipt: place(erased) },
    };
  });
}

export function renderObjections(
  slug: string,
  all: readonly ObjectionRecord[],
  site: SiteAddress,
): string {
  const value: z.infer<typeof ObjectionsJson> = {
    ...head('objections', site),
    article: slug,
    objections: all.filter(({ article }) => article === slug),
    queued: [],
    next: null,
  };
  return print(value);
}

export const renderObjection = (one: ObjectionRecord, site: SiteAddress): string =>
  print({ ...head('objection', site), ...one } satisfies z.infer<typeof ObjectionJson>);
