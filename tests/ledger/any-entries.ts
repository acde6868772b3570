/** Any sequence of drafts, sensible or not: what the ledger refuses of it, it must refuse by itself. */
import fc from 'fast-check';
import { type Batch, Refused } from '../../src/ledger/batch.ts';
import { captureKey, postKey } from '../../src/ledger/fold.ts';
import {
  ARTICLE,
  article,
  capture,
  claim,
  erase,
  failed,
  receive,
  resolve,
  slots,
  source,
  WORDS,
} from './drafts.ts';

/** `stale` names what stood first instead of what stands now. */
export interface Step {
  kind:
    | ('captured' | 'unchanged' | 'failed' | 'source' | 'claim' | 'retract' | 'article' | 'redact')
    | ('receive' | 'resolve' | 'erase');
  which: number;
  stale: boolean;
  text: string;
}
export const steps = fc.array(
  fc.record<Step>({
    kind: fc.constantFrom<Step['kind'][]>(
      ...(['captured', 'unchanged', 'failed', 'source'] as const),
      ...(['claim', 'retract', 'article', 'redact'] as const),
      ...(['receive', 'resolve', 'erase'] as const),
    ),
    which: fc.nat(2),
    stale: fc.boolean(),
    text: fc.string({ unit: 'grapheme', maxLength: 12 }).map((text) => text.normalize('NFC')),
  }),
  { minLength: 1, maxLength: 40 },
);

/** Adds what the step says to the batch; false where it was refused. */
export function take(batch: Batch, { kind, which, stale, text }: Step): boolean {
  const { fold } = batch;
  const first = batch.recorded[0]?.leaf ?? null;
  const server = `server-${which}`;
  const was = fold.captures.get(captureKey(server, '2.5.2'))?.captured ?? null;
  const now = (standing: { current: { leaf: string } } | undefined) =>
    stale ? first : (standing?.current.leaf ?? null);
  const current = fold.claims.get(postKey(ARTICLE, `c${which}`));
  const post = `${which}`.repeat(32);
  const objection = fold.objections.get(post);
  const taken = (was: { leaf: string } | undefined) =>
    (stale ? first : was?.leaf) ?? '0'.repeat(64);
  const blob = () => batch.blob(new TextEncoder().encode(`${JSON.stringify(text)}\n`));
  const drafts = {
    captured: () => capture({ server, blob: blob() }),
    unchanged: () =>
      capture({
        server,
        outcome: 'unchanged',
        blob: was?.entry.body.blob ?? blob(),
        unchanged_from: (stale ? first : was?.leaf) ?? '0'.repeat(64),
      }),
    failed: () => failed(server),
    source: () =>
      source({
        id: `s${which}`,
        summary: text,
        replaces: now(fold.sources.get(postKey(ARTICLE, `s${which}`))),
      }),
    claim: () =>
      claim({ id: `c${which}`, text, slots: was ? slots(was.leaf) : {}, replaces: now(current) }),
    retract: () => ({
      type: 'claim.retract' as const,
      article: ARTICLE,
      body: {
        id: `c${which}`,
        claim: now(current) ?? '0'.repeat(64),
        reason: 'wrong' as const,
        note: text,
      },
    }),
    article: () =>
      article({ summary: text, replaces: now(fold.articles.get(postKey(ARTICLE, ARTICLE))) }),
    receive: () => {
      batch.keep({ ...WORDS, id: post });
      return receive({
        id: post,
        claim: current ? { id: `c${which}`, leaf: now(current) ?? '0'.repeat(64) } : null,
      });
    },
    resolve: () =>
      resolve({
        id: post,
        receive: taken(objection?.received),
        answer: text,
        replaces: stale ? first : (objection?.resolved?.leaf ?? null),
      }),
    erase: () => erase({ id: post, receive: taken(objection?.received), reason: text }),
    redact: () => ({
      type: 'blob.redact' as const,
      article: null,
      body: { sha256: was?.entry.body.blob?.sha256 ?? '0'.repeat(64), reason: text },
    }),
  };
  try {
    batch.add(drafts[kind]());
    return true;
  } catch (error) {
    if (error instanceof Refused) return false;
    throw error;
  }
}
