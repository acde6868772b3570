/**
 * The one shape to which rows of every source are read. Pure. No text of a prompt, a person, an
 * account or a gateway may pass: every string of a row has a fixed form or is a hash, by its schema.
 */
import { hash } from 'node:crypto';
import { z } from 'zod';

export const SOURCES = ['cloudflare', 'litellm', 'claude-code', 'otlp'] as const;
export type Source = (typeof SOURCES)[number];

/** How each source means its own numbers, by the name that stands in a row. */
export const CONVENTIONS = {
  'cloudflare/log':
    'tokens_in is taken to include cached input, as on the rows that were seen; usage_metadata is in no published schema; cost is the gateway’s own estimate',
  'litellm/spend-log':
    'prompt_tokens includes cached input and cache writes; cache_hit is of the proxy’s own cache of answers; spend is the proxy’s own estimate',
  'anthropic/usage':
    'input_tokens excludes cache reads and cache writes, so that the three are added; a null or absent cache field says that no cache was used; a cost beside it is the client’s own estimate',
  'openai/usage': 'prompt_tokens or input_tokens includes cached_tokens',
  'claude-code/otel':
    'input_tokens excludes cache reads and cache writes; cost_usd is the client’s own estimate',
  'otel/gen-ai': 'gen_ai.usage.input_tokens includes cache reads and cache writes',
} as const;
export type Convention = keyof typeof CONVENTIONS;

/** What stands in for a word of a form that no such word has, so that nothing hides in it. */
const HIDDEN = /^hidden-[0-9a-f]{12}$/;
const MODEL =
  /^@?[A-Za-z0-9][A-Za-z0-9._:-]{0,79}(?:\/[A-Za-z0-9][A-Za-z0-9._:-]{0,79}){0,2}(?:\[[0-9a-z]{1,8}\])?$/;
/** Accounts, keys, resource names and routes that an operator named: they may stand in a model's name. */
const TELLS =
  /\d{9}|[0-9a-f]{20}|[0-9a-f]{8}-[0-9a-f]{4}-|[A-Za-z0-9_-]{48}|(?:^|\/)(?:arn:|dynamic\/|custom-)/i;
const isModel = (value: string) => HIDDEN.test(value) || (MODEL.test(value) && !TELLS.test(value));

const Count = z.number().int().nonnegative().max(Number.MAX_SAFE_INTEGER);
/** A plain decimal, as text; money is never a float. */
const Cost = z.string().regex(/^(?:0|[1-9]\d*)(?:\.\d+)?$/);

export const Row = z.strictObject({
  /** Hash of the source's own id, by which a row that comes twice is known. */
  id: z
    .string()
    .regex(/^[0-9a-f]{16}$/)
    .nullable(),
  /** RFC 3339 in UTC with milliseconds. */
  at: z
    .string()
    .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    .nullable(),
  model: z.string().refine(isModel, 'the form of a model’s name').nullable(),
  /** Who answered: `cache` is the gateway's own cache of answers, and no model was asked. */
  answered: z.enum(['model', 'cache', 'error']),
  /** All input tokens, cached or not. What a source did not say is null, and never 0. */
  input_total: Count.nullable(),
  /** Of these, what was read from the provider's prompt cache. */
  input_cached: Count.nullable(),
  /** Of these, what was written to it. */
  cache_write: Count.nullable(),
  output: Count.nullable(),
  /** USD, as the source says it. */
  cost: Cost.nullable(),
  /** Tools that the request defined, where the source knows: how many, deferred ones, bytes of JSON. */
  tools: z
    .strictObject({ count: Count, deferred: Count.nullable(), bytes: Count.nullable() })
    .nullable(),
  convention: z.enum(Object.keys(CONVENTIONS) as [Convention, ...Convention[]]),
  /** The source's own numbers under its own names; decimals as text. */
  said: z.record(
    z.string().regex(/^[A-Za-z][A-Za-z0-9_.]{0,79}$/),
    z.union([Count, Cost]).nullable(),
  ),
});
export type Row = z.infer<typeof Row>;

/** What a reader made of one record: its row, or why there is none. */
export type Read = { row: Row } | { unread: string };

/** Hash of an id of the source; null for what is none. */
export function idOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? hash('sha256', value).slice(0, 16) : null;
}

/** A model's name, or what stands in for one that may tell whose it is; null for none. */
export function modelOf(value: unknown): string | null {
  if (typeof value !== 'string' || value === '') return null;
  return isModel(value) ? value : `hidden-${hash('sha256', value).slice(0, 12)}`;
}

/** A count, also where it came as text, as OTLP writes integers; null for anything else. */
export function countOf(value: unknown): number | null {
  const number = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value;
  return Number.isSafeInteger(number) && Number(number) >= 0 ? Number(number) : null;
}

/**
 * A cost as a plain decimal. Sources send floats: of these, the digits that a double holds for sure,
 * so that 0.000019999999999999998 is 0.00002.
 */
export function costOf(value: unknown): string | null {
  const number = typeof value === 'string' && /^\d[\d.eE+-]*$/.test(value) ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number) || number < 0) return null;
  if (number >= 1e15) return null;
  const rounded = Number(number.toPrecision(15));
  return rounded
    .toFixed(18)
    .replace(/(\.\d*?)0+$/, '$1')
    .replace(/\.$/, '')
    .slice(0, 40);
}

/** A time as rows hold it: RFC 3339, `2026-01-02 03:04:05` taken for UTC, or nanoseconds of the epoch. */
export function timeOf(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const nanoseconds = /^\d{16,19}$/.test(value);
  const zoned = /(?:Z|[+-]\d\d:?\d\d)$/i.test(value) ? value : `${value.replace(' ', 'T')}Z`;
  const time = new Date(nanoseconds ? Number(value.slice(0, -6)) : zoned);
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
}

/** Adds up what is known; null only where nothing is. */
function added(...parts: (number | null)[]): number | null {
  const known = parts.filter((part) => part !== null);
  return known.length === 0 ? null : known.reduce((a, b) => a + b, 0);
}

/**
 * Input that is said to include what was cached. Where less came in all than from the cache, the
 * source can't have meant that, and the total is unknown rather than guessed.
 */
export function including(total: number | null, ...parts: (number | null)[]): number | null {
  return total !== null && total >= (added(...parts) ?? 0) ? total : null;
}

/** Input, of what is said to exclude the cached parts: without `fresh` the sum of the others would be no total. */
export function excluding(fresh: number | null, ...parts: (number | null)[]): number | null {
  return fresh === null ? null : added(fresh, ...parts);
}

/** Names and values of numbers that the source gave, absent ones left out. */
export function saidOf(
  values: Readonly<Record<string, unknown>>,
  names: readonly string[],
): Row['said'] {
  return Object.fromEntries(
    names.flatMap((name) => {
      if (!(name in values)) return [];
      const value = values[name];
      return [[name, countOf(value) ?? costOf(value)]];
    }),
  );
}
