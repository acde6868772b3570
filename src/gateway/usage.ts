/**
 * What rows add up to, and the difference of two such sums. Pure. A sum with a hole in it is no sum:
 * where one row does not say a number, the total is null and never less.
 */
import { less, priced, sumOf } from '../measure/decimal.ts';
import type { Convention, Row } from './row.ts';

/** In the order in which they are told. */
export const MEASURES = ['input_total', 'input_cached', 'cache_write', 'output'] as const;
export type Measure = (typeof MEASURES)[number];

export type Usage = Readonly<Record<Measure, number | null>> & {
  /** USD, as the source says. */
  readonly cost: string | null;
  /** Of the request that defined most; null where no row knows. */
  readonly tools: Row['tools'];
};

/** What one side of a comparison holds. */
export interface Total {
  /** Answers of models that are added up. */
  requests: number;
  /** Rows that are not: answered from the gateway's own cache, or failed without a count. */
  left_out: { cache: number; error: number };
  /** Each once, sorted; null for one that does not say. */
  models: (string | null)[];
  conventions: Convention[];
  usage: Usage;
  /** For each number that is null, how many rows do not say it. */
  unsaid: Partial<Record<Measure | 'cost' | 'tools', number>>;
}

/** Adds rows up. */
export function totalOf(rows: readonly Row[]): Total {
  const empty = ({ answered, input_total, output }: Row) =>
    answered === 'error' && !(input_total ?? 0) && !(output ?? 0);
  const counted = rows.filter((row) => row.answered !== 'cache' && !empty(row));
  const unsaid: Total['unsaid'] = {};
  const whole = <T>(name: Measure | 'cost', sum: (values: NonNullable<T>[]) => T): T | null => {
    const values = counted.map((row) => row[name] as T | null);
    const known = values.filter((value) => value !== null && value !== undefined);
    if (known.length === values.length && values.length > 0) return sum(known);
    unsaid[name] = values.length - known.length;
    return null;
  };
  const count = (name: Measure) => whole<number>(name, (all) => all.reduce((a, b) => a + b, 0));
  const tools = counted.flatMap((row) => row.tools ?? []);
  if (tools.length < counted.length) unsaid.tools = counted.length - tools.length;
  return {
    requests: counted.length,
    left_out: {
      cache: rows.filter(({ answered }) => answered === 'cache').length,
      error: rows.filter(empty).length,
    },
    models: [...new Set(counted.map(({ model }) => model))].sort(),
    conventions: [...new Set(counted.map(({ convention }) => convention))].sort(),
    usage: {
      input_total: count('input_total'),
      input_cached: count('input_cached'),
      cache_write: count('cache_write'),
      output: count('output'),
      cost: whole<string>('cost', sumOf),
      tools: tools.reduce<Row['tools']>(
        (most, one) => (most !== null && most.count >= one.count ? most : one),
        null,
      ),
    },
    unsaid,
  };
}

/** Why two sides should not be compared; empty where they may. */
export function unlike(a: Total, b: Total): string[] {
  const names = (all: readonly (string | null)[]) =>
    all.length === 0 ? 'none' : all.map((one) => one ?? 'one that is not said').join(', ');
  const reasons: string[] = [];
  if (a.models.includes(null) || b.models.includes(null) || names(a.models) !== names(b.models)) {
    reasons.push(
      `their models are not known to be the same: ${names(a.models)} and ${names(b.models)}`,
    );
  }
  if (names(a.conventions) !== names(b.conventions)) {
    reasons.push(
      `their sources mean other things by their numbers: ${names(a.conventions)} and ${names(b.conventions)}`,
    );
  }
  return reasons;
}

export type Difference = Readonly<Record<Measure, number | null>> & {
  readonly cost: string | null;
  readonly tools: Row['tools'];
};

/** B less A, null where one side does not say. */
export function differenceOf({ usage: a }: Total, { usage: b }: Total): Difference {
  const minus = (one: number | null | undefined, two: number | null | undefined) =>
    one === null || one === undefined || two === null || two === undefined ? null : two - one;
  return {
    input_total: minus(a.input_total, b.input_total),
    input_cached: minus(a.input_cached, b.input_cached),
    cache_write: minus(a.cache_write, b.cache_write),
    output: minus(a.output, b.output),
    cost: a.cost === null || b.cost === null ? null : less(b.cost, a.cost),
    tools:
      a.tools === null || b.tools === null
        ? null
        : {
            count: b.tools.count - a.tools.count,
            deferred: minus(a.tools.deferred, b.tools.deferred),
            bytes: minus(a.tools.bytes, b.tools.bytes),
          },
  };
}

/** USD for a million tokens: fresh input, read from the cache, written to it, output. Plain decimals. */
export interface Prices {
  input: string;
  cached: string;
  write: string;
  output: string;
}

/**
 * What the tokens come to at such prices; null where input, cached input or output is not known.
 * Cache writes that a source does not tell are taken as none: the caller must say so.
 */
export function pricedAt({ usage }: Total, prices: Prices): string | null {
  const { input_total: total, input_cached: cached, output } = usage;
  const write = usage.cache_write ?? 0;
  if (total === null || cached === null || output === null || total < cached + write) return null;
  return sumOf([
    priced(total - cached - write, prices.input),
    priced(cached, prices.cached),
    priced(write, prices.write),
    priced(output, prices.output),
  ]);
}
