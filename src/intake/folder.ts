/**
 * The queue of one machine: a folder with one SQLite file. Posts that arrive together are committed
 * together, since the disk takes as long over one as over a hundred; none is answered before that.
 * The server and `npm run accept` may have it open at the same time.
 */
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { makeDirectory } from '../disk/atomic.ts';
import { Problem } from '../problem.ts';
import type { Arrival, Kept, Queue } from './queue.ts';
import { Tables } from './sql.ts';

/** Posts of one commit: more would let the first of them wait for the last. */
const GROUP = 256;
/** Milliseconds to wait for another process that writes. */
const BUSY = 2_000;

export interface FolderQueue extends Queue {
  /** Commits what was taken, then closes the file. Nothing may be put afterwards. */
  close(): Promise<void>;
}

interface Waiting {
  arrival: Arrival;
  key: string | null;
  done: PromiseWithResolvers<{ kept: Kept; first: boolean }>;
}

/** Opens the queue in a folder, which is made where there is none. Throws Problem `queue.open`. */
export function folderQueue(dir: string): FolderQueue {
  const file = join(dir, 'queue.sqlite');
  let db: DatabaseSync;
  let tables: Tables;
  try {
    makeDirectory(dir);
    db = new DatabaseSync(file, { timeout: BUSY });
    // FULL: a commit is on the disk before it is told. What is erased is written over, not only unlinked.
    for (const pragma of ['journal_mode = WAL', 'synchronous = FULL', 'secure_delete = ON']) {
      db.exec(`PRAGMA ${pragma}`);
    }
    chmodSync(file, 0o600);
    tables = new Tables(runner(db));
  } catch (cause) {
    throw new Problem(
      'queue.open',
      `the queue of posts can't be opened: ${(cause as Error).message}`,
      {
        at: file,
        mend: 'See that the folder may be written to; where the file is damaged, move it aside.',
        cause,
      },
    );
  }

  function inOne<T>(act: () => T): T {
    db.exec('BEGIN IMMEDIATE');
    try {
      const result = act();
      db.exec('COMMIT');
      return result;
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK');
      throw error;
    }
  }

  const waiting: Waiting[] = [];
  let soon: Promise<void> | null = null;
  const flush = (): void => {
    const group = waiting.splice(0, GROUP);
    if (waiting.length === 0) soon = null;
    else soon = later();
    try {
      const results = inOne(() => group.map(({ arrival, key }) => tables.put(arrival, key)));
      for (const [i, { done }] of group.entries()) done.resolve(results[i]!);
    } catch (error) {
      for (const { done } of group) done.reject(error);
    }
  };
  const later = () =>
    new Promise<void>((resolve) => {
      // After the requests that this turn of the event loop has already brought.
      setImmediate(() => {
        flush();
        resolve();
      });
    });

  return {
    put(arrival, key) {
      const done = Promise.withResolvers<{ kept: Kept; first: boolean }>();
      waiting.push({ arrival, key, done });
      soon ??= later();
      return done.promise;
    },
    get: async (id) => tables.get(id),
    list: async (which) => tables.list(which),
    async acknowledge(id, outcome) {
      const kept = inOne(() => tables.acknowledge(id, outcome));
      // Words that were erased must not stay in the log beside the file.
      if (outcome.status === 'erased') db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      return kept;
    },
    async close() {
      while (soon !== null) await soon;
      db.close();
    },
  };
}

/** Prepares each statement once. */
function runner(db: DatabaseSync) {
  const prepared = new Map<string, StatementSync>();
  return (sql: string, ...values: SQLInputValue[]): Record<string, unknown>[] => {
    let statement = prepared.get(sql);
    if (statement === undefined) {
      statement = db.prepare(sql);
      prepared.set(sql, statement);
    }
    return statement.all(...values);
  };
}
