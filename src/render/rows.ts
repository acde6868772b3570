/** What was read of a log, for a terminal: how much, by model, and what becomes of it. Pure. */
import type { Collected } from '../gateway/collected.ts';
import { CONVENTIONS, type Row, type Source } from '../gateway/row.ts';
import { totalOf } from '../gateway/usage.ts';
import type { GatewayLogBody } from '../ledger/entry.ts';
import { counted, number } from './counted.ts';
import { sections, table } from './report-table.ts';

export interface RowsReport {
  source: Source;
  rows: readonly Row[];
  body: GatewayLogBody | undefined;
  dryRun: boolean;
  counts: Pick<Collected, 'repeated' | 'outside' | 'unreadable'>;
}

export function renderRows({ source, rows, body, dryRun, counts }: RowsReport): string {
  const groups = [...Map.groupBy(rows, ({ model }) => model ?? '-')].sort(([a], [b]) =>
    a < b ? -1 : 1,
  );
  const told = (value: number | null) => (value === null ? '?' : number(value));
  const head = ['model', 'requests', 'input', 'cached', 'written', 'output', 'cost, USD', 'tools'];
  const lines = groups.map(([model, own]) => {
    const { requests, usage } = totalOf(own);
    const { input_total, input_cached, cache_write, output, cost, tools } = usage;
    return [
      ...[model, number(requests), told(input_total), told(input_cached), told(cache_write)],
      ...[told(output), cost ?? '?', told(tools?.count ?? null)],
    ];
  });
  const used = [...new Set(rows.map(({ convention }) => convention))].sort();
  const first = body?.answer.first;
  const span = first == null ? '' : `, ${first} to ${body?.answer.last}`;
  const verb = dryRun ? 'Dry run; would have recorded' : 'Recorded';
  return sections(
    [`${source}: ${counted(rows.length, 'row')}${span}`],
    table([head, ...lines]),
    [
      ...(rows.some(({ answered }) => answered === 'cache')
        ? ['Rows that the gateway answered from its own cache are kept and not added up.']
        : []),
      ...(counts.repeated > 0
        ? [`${counted(counts.repeated, 'row')} came again, and count once.`]
        : []),
      ...(counts.outside > 0
        ? [`${counted(counts.outside, 'row')} outside of the time asked for.`]
        : []),
      ...[...counts.unreadable].map(
        ([why, n]) => `${counted(n, 'record')} could not be read: ${why}.`,
      ),
      ...used.map((name) => `${name}: ${CONVENTIONS[name]}.`),
    ],
    body === undefined
      ? []
      : [
          `${verb} log:${body.source}/${body.name}, ${body.outcome}: ${number(body.blob.bytes)} bytes, SHA-256 ${body.blob.sha256}`,
          'Of each row: a hash of its id, its time, model and numbers. No prompt, account, gateway or metadata.',
        ],
  );
}
