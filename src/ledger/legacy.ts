/**
 * Verifies the unsigned hash chains that article files of an older form carry, and says what such a
 * chain leaves open. Pure; it reads, and never takes a text of that file over. A chain that verifies
 * here says nothing of the page around it: that is what `claims` and `sources` are for.
 *
 * contributions: `sha256(prev_hash|seq|ts|model|role|action|JSON.stringify(payload)|rationale)`
 * provenance:    `sha256(prev|ts|model|action|prompt|input|response|tokens_in|tokens_out)`
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { z } from 'zod';
import type { BlobRef, LegacyBody } from './entry.ts';
import { hex } from './tree.ts';

const Item = z.looseObject({ id: z.string() });
type Item = z.infer<typeof Item>;
const Row = z.looseObject({ hash: z.string() });
type Row = z.infer<typeof Row>;
/** What of such a file is read; all else in it is counted as not covered. */
const LegacyFile = z.looseObject({
  contributions: z.array(Row),
  provenance: z.array(Row).default([]),
  claims: z.array(Item).default([]),
  sources: z.array(Item).default([]),
});

/** The fields under each chain's hash, the link first. */
const CHAINS = {
  contributions: ['prev_hash', 'seq', 'ts', 'model', 'role', 'action', 'payload', 'rationale'],
  provenance: [
    'prev',
    'ts',
    'model',
    'action',
    'prompt',
    'input',
    'response',
    'tokens_in',
    'tokens_out',
  ],
} as const;
type Chain = keyof typeof CHAINS;
/** The numbers of a record; where they are all alike, no hash tells which of them it is over. */
const NUMBERS = ['tokens_in', 'tokens_out', 'cost'];

export interface LegacyRecord {
  chain: Chain;
  /** Place in its chain, from 0. */
  at: number;
  /** Does its hash come out? */
  hashes: boolean;
  /** Does it name the hash of the record before, or `genesis` when it is the first? */
  links: boolean;
  /** Fields that could be changed without the hash noticing. */
  uncovered: string[];
  /** Fields of which it can't be told whether they are covered: another of equal value may be. */
  undecided: string[];
  /** Does `|` stand in a covered field, so that text could move over to the next and hash the same? */
  movable: boolean;
}

/** What the page shows, held against what the chain holds under the same id. */
export interface LegacyCoverage {
  /** How many the page shows. */
  shown: number;
  /** Those whose id the chain knows: the fields that it holds otherwise, and those it does not hold. */
  known: { id: string; differs: string[]; unsaid: string[] }[];
  /** Ids that the page shows and the chain does not know. */
  absent: string[];
  /** Ids that the chain knows and the page does not show. */
  gone: string[];
}

export interface LegacyVerdict {
  records: LegacyRecord[];
  /** Records that hash and link. */
  verified: number;
  /** Last hash of each chain; null for an empty one. */
  heads: Record<Chain, string | null>;
  claims: LegacyCoverage;
  sources: LegacyCoverage;
  /** Fields of the file that no record covers at all. */
  uncovered: string[];
  /** What the file calls its page; null where it does not say. */
  slug: string | null;
  /** What a reader must not conclude, in whole sentences. */
  limits: string[];
}

const LIMITS = [
  'Nothing is signed: whoever holds the file can write the whole chain anew, and nobody could tell.',
  'Cutting records off the end leaves a chain that verifies.',
  'Fields are joined by "|" without escaping, so text can move from one field to the next under the same hash.',
  'Both chains begin with the same word, so a chain can be passed off as that of another page.',
];

/** A field as a template string writes it; an object as JSON.stringify does, in the order of the file. */
const written = (value: unknown): string =>
  typeof value === 'object' ? JSON.stringify(value) : String(value);
const digest = (parts: readonly unknown[]): string =>
  hex(sha256(new TextEncoder().encode(parts.map(written).join('|'))));

function verifyRecord(chain: Chain, row: Row, at: number, before: string): LegacyRecord {
  const fields: readonly string[] = CHAINS[chain];
  const values = fields.map((field) => row[field]);
  const hashes = digest(values) === row.hash;
  const texts: readonly string[] = fields.filter((field) => !NUMBERS.includes(field));
  // Any two of the numbers that give the same hash may be the ones that were meant.
  const pairs = NUMBERS.flatMap((a) => NUMBERS.filter((b) => b !== a).map((b) => [a, b]));
  const fitting = pairs.filter(
    (pair) =>
      hashes &&
      texts.length < fields.length &&
      digest([...texts, ...pair].map((field) => row[field])) === row.hash,
  );
  const undecided = fitting.length > 1 ? [...new Set(fitting.flat())] : [];
  return {
    chain,
    at,
    hashes,
    links: row[fields[0]!] === before,
    uncovered: Object.keys(row).filter(
      (field) => field !== 'hash' && !fields.includes(field) && !undecided.includes(field),
    ),
    undecided,
    movable: values.some((value) => written(value).includes('|')),
  };
}

/** Ids and fields that the contributions hold: sources in `payload.added`, claims one a payload. */
function posted(rows: readonly Row[]): Record<'claims' | 'sources', Map<string, Item>> {
  const claims = new Map<string, Item>();
  const sources = new Map<string, Item>();
  for (const { payload } of rows) {
    const { added, claim_id, ...claim } = z.looseObject({}).safeParse(payload).data ?? {};
    for (const source of z.array(Item).safeParse(added).data ?? []) sources.set(source.id, source);
    if (typeof claim_id === 'string') claims.set(claim_id, { ...claim, id: claim_id });
  }
  return { claims, sources };
}

function cover(shown: readonly Item[], held: ReadonlyMap<string, Item>): LegacyCoverage {
  return {
    shown: shown.length,
    known: shown.flatMap((item) => {
      const was = held.get(item.id);
      if (was === undefined) return [];
      const fields = Object.keys(item);
      const said = fields.filter((field) => field in was);
      return {
        id: item.id,
        differs: said.filter((field) => written(was[field]) !== written(item[field])),
        unsaid: fields.filter((field) => !(field in was)),
      };
    }),
    absent: shown.map(({ id }) => id).filter((id) => !held.has(id)),
    gone: [...held.keys()].filter((id) => shown.every((item) => item.id !== id)),
  };
}

/**
 * Verifies an article file of the older form, as JSON.parse gives it. Null when it is not of that
 * form: an object with `contributions`, and where it has them `provenance`, `claims` and `sources`.
 */
export function verifyLegacy(json: unknown): LegacyVerdict | null {
  const read = LegacyFile.safeParse(json);
  if (!read.success) return null;
  const file = read.data;
  const chains = ['contributions', 'provenance'] as const;
  const records = chains.flatMap((chain) =>
    file[chain].map((row, at) =>
      verifyRecord(chain, row, at, file[chain][at - 1]?.hash ?? 'genesis'),
    ),
  );
  const held = posted(file.contributions);
  return {
    records,
    verified: records.filter(({ hashes, links }) => hashes && links).length,
    heads: {
      contributions: file.contributions.at(-1)?.hash ?? null,
      provenance: file.provenance.at(-1)?.hash ?? null,
    },
    claims: cover(file.claims, held.claims),
    sources: cover(file.sources, held.sources),
    uncovered: Object.keys(file).filter((field) => !(field in LegacyFile.shape)),
    slug: z.string().safeParse(file['slug']).data ?? null,
    limits: LIMITS,
  };
}

/** The formulas above, and what is counted of them. */
const METHOD = 'legacy/pipe-joined@1';

/** The verdict as the ledger keeps it: digests, heads and counts, and no text of the file. */
export function legacyBody(
  { records, heads, claims, sources, uncovered }: LegacyVerdict,
  { id, file }: { id: string; file: BlobRef },
): Omit<LegacyBody, 'replaces'> {
  const chain = (name: Chain) => {
    const own = records.filter((record) => record.chain === name);
    const verified = own.filter(({ hashes, links }) => hashes && links).length;
    return { records: own.length, verified, head: heads[name] };
  };
  const coverage = ({ shown, known, absent, gone }: LegacyCoverage) => {
    const other = known.filter(({ differs }) => differs.length > 0).length;
    return {
      ...{ shown, same: known.length - other, other },
      ...{ absent: absent.length, gone: gone.length },
    };
  };
  return {
    ...{ id, file, method: METHOD },
    contributions: chain('contributions'),
    provenance: chain('provenance'),
    claims: coverage(claims),
    sources: coverage(sources),
    movable: records.filter(({ movable }) => movable).length,
    uncovered: uncovered.length,
  };
}
