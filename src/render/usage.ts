/** Two sides and their difference, in words and numbers for a terminal. Pure. */
import type { Convention, Row } from '../gateway/row.ts';
import { CONVENTIONS } from '../gateway/row.ts';
import { type Difference, MEASURES, type Measure, type Total } from '../gateway/usage.ts';
import { counted, number } from './counted.ts';
import { printable } from './printable.ts';
import { sections, signed, table } from './report-table.ts';

export interface UsageDiff {
  kind: 'usage_diff';
  a: Total & { from: string; unread: number };
  b: Total & { from: string; unread: number };
  difference: Difference;
  /** Why they should not be compared, where they were all the same. */
  unlike: string[];
  /** What the tokens come to at the prices that were given; null where none were. */
  priced: { a: string | null; b: string | null; difference: string | null } | null;
  settles: string;
}

/** What such a difference is good for, which no count of a catalogue is. */
export const SETTLES =
  'Only this settles a bill: two answers, alike but for the one thing that was changed, and what the provider says they used. A count of a catalogue is by another tokenizer, and a captured request is what was sent, not what was charged.';

const LABELS: Readonly<Record<Measure, string>> = {
  input_total: 'input',
  input_cached: '  from the cache',
  cache_write: '  written to it',
  output: 'output',
};

export function renderUsageDiff(report: UsageDiff): string {
  const { a, b, difference, priced } = report;
  const tokens = MEASURES.map((name) => [
    LABELS[name],
    told(a.usage[name]),
    told(b.usage[name]),
    change(difference[name]),
  ]);
  const money = (label: string, one: string | null, two: string | null, by: string | null) => [
    ...[label, one ?? '?', two ?? '?'],
    by === null ? '?' : Number(by) === 0 ? '±0' : by.startsWith('-') ? by : `+${by}`,
  ];
  const rows = [
    ['tokens', 'A', 'B', 'B − A'],
    ...tokens,
    money('cost, USD', a.usage.cost, b.usage.cost, difference.cost),
    ...(priced === null
      ? []
      : [money('at your prices, USD', priced.a, priced.b, priced.difference)]),
    ...toolRows(a.usage.tools, b.usage.tools, difference.tools),
  ];
  return sections(
    [side('A', a), side('B', b)],
    table(rows),
    [sentence(difference)],
    notes(report),
    [SETTLES],
  );
}

const told = (value: number | null) => (value === null ? '?' : number(value));
const change = (value: number | null) => (value === null ? '?' : signed(value));

function toolRows(a: Row['tools'], b: Row['tools'], by: Difference['tools']): string[][] {
  if (a === null && b === null) return [];
  const row = (label: string, name: 'count' | 'deferred' | 'bytes') => [
    ...[label, told(a?.[name] ?? null), told(b?.[name] ?? null), change(by?.[name] ?? null)],
  ];
  return [row('tools', 'count'), row('  deferred', 'deferred'), row('  bytes', 'bytes')];
}

function side(name: string, { from, requests, models, conventions }: UsageDiff['a']): string {
  const of = models.map((model) => model ?? 'a model that is not said').join(', ') || 'no model';
  return `${name}  ${printable(from)}: ${counted(requests, 'request')}, ${of}, as ${conventions.join(', ') || 'nothing'} counts`;
}

function sentence({ input_total: input, input_cached: cached, output }: Difference): string {
  if (input === null) return 'What input they used can’t be compared: one side does not say it.';
  const more = (value: number) => (value < 0 ? 'fewer' : 'more');
  const whole =
    input === 0
      ? 'B used as many input tokens as A'
      : `B used ${number(Math.abs(input))} input tokens ${more(input)} than A`;
  const part =
    cached === null || cached === 0
      ? ''
      : `, and read ${number(Math.abs(cached))} ${more(cached)} from the cache`;
  const out =
    output === null || output === 0 ? '' : `; it wrote ${number(Math.abs(output))} ${more(output)}`;
  return `${whole}${part}${out}.`;
}

function notes(report: UsageDiff): string[] {
  const { a, b, difference, unlike, priced } = report;
  const used = [...new Set([...a.conventions, ...b.conventions])];
  const lines = unlike.map((why) => `Compared although ${why}.`);
  for (const [name, { left_out, unread, unsaid }] of Object.entries({ A: a, B: b })) {
    if (left_out.cache > 0) {
      lines.push(
        `${name}: ${counted(left_out.cache, 'row')} left out, answered from the gateway’s own cache.`,
      );
    }
    if (left_out.error > 0)
      lines.push(`${name}: ${counted(left_out.error, 'row')} left out, failed without a count.`);
    if (unread > 0)
      lines.push(`${name}: ${counted(unread, 'record')} could not be read; sums are of the rest.`);
    const holes = Object.entries(unsaid).filter(([key]) => key !== 'tools' && key !== 'cost');
    for (const [key, rows] of holes)
      lines.push(`${name}: ${key} is not said by ${counted(rows, 'row')}.`);
  }
  if (difference.input_cached !== null && difference.input_cached !== 0) {
    lines.push(
      'One cache was warmer than the other: compare cost only where both were cold, or both warm.',
    );
  }
  if (priced !== null && (a.usage.cache_write === null || b.usage.cache_write === null)) {
    lines.push('At your prices, cache writes that a source does not tell are taken as none.');
  }
  if (used.includes('cloudflare/log')) {
    lines.push(
      'Cloudflare’s cost is its own estimate, and has priced a cached call above an uncached one: --price works it out from tokens.',
    );
  }
  return [...lines, ...used.map((name: Convention) => `${name}: ${CONVENTIONS[name]}.`)];
}
