/** The rows that the terminal shows of requests and runs. Pure; it shows nothing but what a digest holds. */
import type { RequestDigest } from './digest.ts';
import type { ClientRun } from './run.ts';

interface Column<T> {
  title: string;
  /** Characters; a longer cell is not cut. */
  width: number;
  numeric?: boolean;
  cell: (row: T) => string;
}

const grouped = (value: number | null) =>
  value === null ? '?' : String(value).replace(/\B(?=(\d{3})+$)/g, ',');

const REQUEST: readonly Column<RequestDigest>[] = [
  {
    title: 'client',
    width: 20,
    cell: ({ client }) => [client?.name ?? '-', client?.version].join(' ').trim(),
  },
  { title: 'asked', width: 22, cell: ({ endpoint, method }) => endpoint ?? `${method} unknown` },
  { title: 'model', width: 24, cell: ({ model, outside }) => model ?? outside ?? '-' },
  { title: 'body B', width: 10, numeric: true, cell: ({ body_bytes }) => grouped(body_bytes) },
  { title: 'tools', width: 5, numeric: true, cell: ({ tools }) => String(tools.count) },
  { title: 'deferred', width: 8, numeric: true, cell: ({ tools }) => String(tools.deferred) },
  { title: 'named', width: 5, numeric: true, cell: ({ named }) => String(named.length) },
  { title: 'tool B', width: 9, numeric: true, cell: ({ tools }) => grouped(tools.bytes) },
  { title: 'tool tok', width: 8, numeric: true, cell: ({ tools }) => grouped(tools.tokens) },
  { title: 'system tok', width: 10, numeric: true, cell: ({ system }) => grouped(system.tokens) },
  { title: 'status', width: 6, numeric: true, cell: ({ status }) => String(status ?? 'gone') },
  { title: '', width: 0, cell: ({ unread, fault }) => unread ?? fault ?? '' },
];

const RUN: readonly Column<ClientRun>[] = [
  { title: 'client', width: 20, cell: (run) => `${run.client} ${run.package.version}` },
  { title: 'variant', width: 24, cell: ({ variant }) => variant },
  {
    title: 'body B',
    width: 9,
    numeric: true,
    cell: ({ request }) => grouped(request?.body_bytes ?? null),
  },
  {
    title: 'tools',
    width: 5,
    numeric: true,
    cell: ({ request }) => grouped(request?.tools.count ?? null),
  },
  {
    title: 'deferred',
    width: 8,
    numeric: true,
    cell: ({ request }) => grouped(request?.tools.deferred ?? null),
  },
  {
    title: 'named',
    width: 5,
    numeric: true,
    cell: ({ request }) => grouped(request?.named.length ?? null),
  },
  {
    title: 'tool tok',
    width: 8,
    numeric: true,
    cell: ({ request }) => grouped(request?.tools.tokens ?? null),
  },
  { title: '', width: 0, cell: noteOf },
];

function noteOf({ failure, missing_servers, ended }: ClientRun): string {
  if (failure !== null) return `${failure.message} [${failure.code}]`;
  return [
    missing_servers.length > 0 ? `without ${missing_servers.join(', ')}` : '',
    ended?.code === 0
      ? ''
      : `the turn did not end well (${ended?.signal ?? ended?.code ?? 'killed'})`,
  ]
    .filter((note) => note !== '')
    .join('; ');
}

function row<T>(columns: readonly Column<T>[], text: (column: Column<T>) => string): string {
  return columns
    .map((column) => {
      const cell = text(column);
      return column.numeric ? cell.padStart(column.width) : cell.padEnd(column.width);
    })
    .join('  ')
    .trimEnd();
}

export const requestHead = row(REQUEST, ({ title }) => title);
export const runHead = row(RUN, ({ title }) => title);
/** One request on one line. */
export const requestRow = (digest: RequestDigest) => row(REQUEST, ({ cell }) => cell(digest));
/** One run on one line. */
export const runRow = (run: ClientRun) => row(RUN, ({ cell }) => cell(run));
