/** What every route of the ledger reads: the log as it is served, and its entries in order. */
import { type Ledger, openLedger } from '../disk/ledger.ts';
import { type Published, readPublished } from '../disk/published.ts';

export interface Log {
  published: Published;
  ledger: Ledger;
}

const DIR = 'ledger';
let read: Log | undefined;

/** In a build: read once. In dev: read anew, since entries may come. */
export function readLog(): Log {
  if (import.meta.env.DEV) read = undefined;
  read ??= { published: readPublished(DIR), ledger: openLedger(DIR) };
  return read;
}
