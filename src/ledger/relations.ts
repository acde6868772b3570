/**
 * Which entries name which: what an entry replaces, retracts or rests on, and what later came of it.
 * Pure; it reads references and judges none, that is for the fold.
 */
import { type Entry, slotsOf } from './entry.ts';
import type { Recorded } from './fold.ts';

export type Relation =
  | 'replaces'
  | 'retracts'
  | 'redacts'
  | 'finds unchanged'
  | 'rests on'
  | 'objects to'
  | 'answers'
  | 'erases';
/** One entry naming another, by `seq`. */
export interface Naming {
  how: Relation;
  from: number;
  to: number;
}

export interface Relations {
  /** What an entry names, each once, in its own order. */
  namedBy(seq: number): readonly Naming[];
  /** What names it, in the ledger's order. */
  naming(seq: number): readonly Naming[];
}

/** Leaves that an entry names and, of a redaction, the blob. */
function named({ type, body }: Entry): [Relation, string][] {
  const replaces: [Relation, string][] =
    'replaces' in body && body.replaces !== null ? [['replaces', body.replaces]] : [];
  const on = (leaves: readonly string[]) =>
    leaves.map((leaf): [Relation, string] => ['rests on', leaf]);
  const inputs = (slots: Record<string, { inputs: readonly string[] }>) =>
    on(Object.values(slots).flatMap((slot) => slot.inputs));
  const refs = (list: readonly { leaf: string }[]) => on(list.map(({ leaf }) => leaf));
  switch (type) {
    case 'capture.add':
      return 'unchanged_from' in body && body.unchanged_from !== null
        ? [['finds unchanged', body.unchanged_from]]
        : [];
    case 'claim.put':
      return [...replaces, ...refs(body.sources), ...inputs(body.slots)];
    case 'article.put':
      return [...replaces, ...refs(body.claims), ...refs(body.sources), ...inputs(slotsOf(body))];
    case 'claim.retract':
      return [['retracts', body.claim]];
    case 'objection.receive':
      return body.claim === null ? [] : [['objects to', body.claim.leaf]];
    case 'objection.resolve':
      return [
        ...replaces,
        ['answers', body.receive],
        ...(body.claim === null ? [] : refs([body.claim])),
      ];
    case 'erase':
      return [['erases', body.receive]];
    case 'blob.redact':
      return [['redacts', body.sha256]];
    default:
      return replaces;
  }
}

/** Reads all entries once. */
export function relate(entries: readonly Recorded[]): Relations {
  const bySeq = new Map<number, Naming[]>();
  const toSeq = new Map<number, Naming[]>();
  /** Leaves, and payloads by the entry that brought them. */
  const places = new Map<string, number>();
  for (const { seq, leaf, entry } of entries) {
    const seen = new Set<string>();
    for (const [how, name] of named(entry)) {
      const to = places.get(name);
      if (to === undefined || seen.has(name)) continue;
      seen.add(name);
      const naming = { how, from: seq, to };
      bySeq.set(seq, [...(bySeq.get(seq) ?? []), naming]);
      toSeq.set(to, [...(toSeq.get(to) ?? []), naming]);
    }
    places.set(leaf, seq);
    if (entry.type === 'capture.add' && entry.body.blob && !places.has(entry.body.blob.sha256)) {
      places.set(entry.body.blob.sha256, seq);
    }
  }
  return {
    namedBy: (seq) => bySeq.get(seq) ?? [],
    naming: (seq) => toSeq.get(seq) ?? [],
  };
}
