/** What came into the ledger lately, append by append, in words. Pure; it judges nothing. */
import type { Recorded } from '../ledger/fold.ts';
import { counted } from './counted.ts';

export interface Append {
  /** When it was made; all its entries share that. */
  ts: string;
  /** Its first entry and its last. */
  first: number;
  last: number;
  /** One phrase a kind of entry, those of an article together. */
  what: string[];
}

/** The newest `most` appends, the newest first. */
export function lately(entries: readonly Recorded[], most: number): Append[] {
  const appends: Recorded[][] = [];
  for (const one of entries) {
    const last = appends.at(-1);
    if (last?.[0]?.ts === one.ts) last.push(one);
    else appends.push([one]);
  }
  return appends
    .slice(-most)
    .reverse()
    .map((own) => ({
      ts: own[0]!.ts,
      first: own[0]!.seq,
      last: own.at(-1)!.seq,
      what: [...Map.groupBy(own, ({ entry }) => entry.article)].flatMap(([article, of]) => {
        const phrases = [...Map.groupBy(of, kindOf)].map(([kind, same]) => phrase(kind, same));
        return article === null ? phrases : [`${article}: ${phrases.join(', ')}`];
      }),
    }));
}

const KINDS = {
  'captures of tools_list': ['list of tools', 'lists of tools'],
  'captures of discover': ['answer to server/discover', 'answers to server/discover'],
  'captures of count': ['count by another vocabulary', 'counts by other vocabularies'],
  'captures of client_request': ['request of a client', 'requests of clients'],
  'article.put': ['article', 'articles'],
  'claim.put': ['claim', 'claims'],
  'claim.put anew': ['claim said anew', 'claims said anew'],
  'claim.retract': ['claim retracted', 'claims retracted'],
  'source.put': ['source', 'sources'],
  'objection.receive': ['objection received', 'objections received'],
  'objection.resolve': ['objection answered', 'objections answered'],
  'blob.redact': ['payload redacted', 'payloads redacted'],
  'import.legacy': [
    'unsigned chain of an older page verified',
    'unsigned chains of older pages verified',
  ],
  'key.put': ['key', 'keys'],
} as const;
type Kind = keyof typeof KINDS;

function kindOf({ entry }: Recorded): string {
  if (entry.type === 'capture.add') return `captures of ${entry.body.kind}`;
  if (entry.type === 'claim.put' && entry.body.replaces !== null) return 'claim.put anew';
  return entry.type;
}

/** Names that are given; the others are counted. */
const NAMED = 3;

function phrase(kind: string, same: readonly Recorded[]): string {
  const [one, many] = Object.hasOwn(KINDS, kind) ? KINDS[kind as Kind] : [kind, kind]; // a kind that came later says what it is
  const failed = same.filter(
    ({ entry }) => entry.type === 'capture.add' && entry.body.outcome === 'failed',
  ).length;
  const names = [...new Set(same.flatMap(({ entry }) => nameOf(entry.body) ?? []))];
  const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : '';
  const named = names.length === 0 ? '' : ` of ${names.slice(0, NAMED).join(', ')}${more}`;
  return `${counted(same.length, one, many)}${named}${failed > 0 ? `, ${failed} failed` : ''}`;
}

/** Who was asked, where the entry is of somebody. */
function nameOf(body: Recorded['entry']['body']): string | undefined {
  for (const key of ['server', 'tokenizer', 'client'] as const) {
    const value = (body as Record<string, unknown>)[key];
    if (typeof value === 'string') return value;
  }
  return undefined;
}
