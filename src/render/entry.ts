/** An entry in a few words, and the lists that the ledger is looked through by. Pure. */
import GithubSlugger from 'github-slugger';
import type { Entry } from '../ledger/entry.ts';
import { captureName, type Recorded } from '../ledger/fold.ts';

/** What an entry is about: `notion@2.5.2, captured`, `claim total`. */
export function subject({ body, type }: Entry): string {
  if (type === 'capture.add') return `${captureName(body)}, ${body.outcome}`;
  if (type === 'objection.receive') return `${body.kind} ${body.id.slice(0, 8)}…`;
  if (type === 'objection.resolve') return `${body.outcome} ${body.id.slice(0, 8)}…`;
  if (type === 'erase') return `words of ${body.id.slice(0, 8)}…`;
  if ('id' in body) return `${type.split('.')[0]} ${body.id}`;
  return 'sha256' in body ? `payload ${body.sha256.slice(0, 8)}…` : type;
}

/** Entries on a page of a list. */
export const LIST_PAGE = 200;

/** One way to look through the ledger: all of it, one type, one article, one actor. */
export interface List {
  by: 'all' | 'type' | 'article' | 'actor';
  /** What they have in common; empty for all. */
  value: string;
  /** Below `/ledger/by/`: `type/claim.put`. */
  path: string;
  /** The newest first. */
  entries: Recorded[];
}

/** Every list, none empty: all entries first, then by kind and by name. */
export function lists(entries: readonly Recorded[]): List[] {
  const newest = [...entries].reverse();
  const made: List[] = [{ by: 'all', value: '', path: 'all', entries: newest }];
  for (const by of ['type', 'article', 'actor'] as const) {
    const slugger = new GithubSlugger();
    const groups = Map.groupBy(newest, ({ entry }) => entry[by]);
    for (const [value, of] of [...groups].sort(([a], [b]) => ((a ?? '') < (b ?? '') ? -1 : 1))) {
      if (value === null) continue;
      // Types and articles are plain names already; an actor may be called anything.
      const name = by === 'actor' ? slugger.slug(value) || slugger.slug('actor') : value;
      made.push({ by, value, path: `${by}/${name}`, entries: of });
    }
  }
  return made;
}
