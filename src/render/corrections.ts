/** Claims that were withdrawn or said anew, newest first, and what feeds say of them. Pure. */
import type { Recorded } from '../ledger/fold.ts';
import type { FeedEntry } from './feed.ts';

export interface Correction extends Pick<Recorded, 'seq' | 'leaf' | 'ts'> {
  article: string;
  id: string;
  kind: 'retracted' | 'superseded';
  /** What the claim said. */
  before: string;
  /** What it says since; null when it was retracted. */
  after: string | null;
  /** Why: a retraction's reason and note, or what the author said of the change; null where nobody did. */
  why: string | null;
}

/** Every retraction, and every claim put again with other words. */
export function corrections(entries: readonly Recorded[]): Correction[] {
  const texts = new Map<string, string>();
  const found: Correction[] = [];
  for (const { seq, leaf, ts, entry } of entries) {
    if (entry.type !== 'claim.put' && entry.type !== 'claim.retract') continue;
    const { article } = entry;
    if (article === null) continue;
    const { id } = entry.body;
    const before = texts.get(`${article}/${id}`);
    const about = { seq, leaf, ts, article, id };
    if (entry.type === 'claim.retract') {
      const { reason, note } = entry.body;
      found.push({
        ...about,
        kind: 'retracted',
        before: before ?? '',
        after: null,
        why: `${reason}: ${note}`,
      });
      continue;
    }
    const { text: after } = entry.body;
    if (before !== undefined && before !== after) {
      const why = entry.body.change ?? null;
      found.push({ ...about, kind: 'superseded', before, after, why });
    }
    texts.set(`${article}/${id}`, after);
  }
  return found.reverse();
}

/** The same for feeds; `page`: where a claim has its page. */
export const correctionNews = (
  all: readonly Correction[],
  page: (one: Correction) => string,
): FeedEntry[] =>
  all.map((one) => ({
    at: one,
    title: `Claim ${one.id} of ${one.article} ${one.kind}`,
    path: page(one),
    text: [
      `Before: ${one.before}`,
      ...(one.after === null ? [] : [`Now: ${one.after}`]),
      ...(one.why === null ? [] : [`Why: ${one.why}`]),
    ].join('\n'),
  }));
