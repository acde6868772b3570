/** Turns what was read of a log into an entry. It must never record a part of a run that broke off. */
import type { Batch } from '../ledger/batch.ts';
import type { GatewayLogBody } from '../ledger/entry.ts';
import { logKey } from '../ledger/fold.ts';
import type { Collected } from './collected.ts';
import type { Row, Source } from './row.ts';

/** Of the readers and the redaction: another number, and the same log may give other bytes. */
const VERSION = 1;

export interface LogRun {
  source: Source;
  /** What it is called here; never what the gateway or the account is called. */
  name: string;
  /** RFC 3339 in UTC with milliseconds. */
  run: string;
  /** Options that another needs to do the same; no path, no credential. */
  args: readonly string[];
  rows: readonly Row[];
  counts: Pick<Collected, 'repeated' | 'unread'>;
  payload: Uint8Array;
}

/** Adds one `capture.add`: `unchanged` where the ledger's latest of that source and name has the same bytes. */
export function recordLog(batch: Batch, log: LogRun): GatewayLogBody {
  const { source, name, run, rows, counts } = log;
  const blob = batch.blob(log.payload);
  const method = `gateway/${source}@${VERSION}`;
  const was = batch.fold.logs.get(logKey(source, name))?.captured;
  const same = was?.entry.body.blob.sha256 === blob.sha256 && was.entry.body.method === method;
  const times = rows.flatMap(({ at }) => at ?? []);
  const body: GatewayLogBody = {
    kind: 'gateway_log',
    outcome: same ? 'unchanged' : 'captured',
    ...{ source, name, run, method },
    recipe: { node: process.version, args: [...log.args] },
    answer: {
      rows: rows.length,
      first: times[0] ?? null,
      last: times.at(-1) ?? null,
      models: [...new Set(rows.flatMap(({ model }) => model ?? []))].sort(),
      repeated: counts.repeated,
      unread: counts.unread,
    },
    blob,
    unchanged_from: same ? was.leaf : null,
  };
  batch.add({ type: 'capture.add', article: null, body });
  return body;
}
