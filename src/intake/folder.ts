/**
 * The queue of one machine: a folder with one SQLite file. Posts that arrive together are committed
 * together, since the disk takes as long over one as over a hundred; none is answered before that.
 * The server and `npm run accept` may have it open at the same time.
 */
import { chmodSync, closeSync, existsSync, fdatasync, openSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { makeDirectory } from '../disk/atomic.ts';
import { Problem } from '../problem.ts';
import type { Arrival, Kept, Outcome, Queue } from './queue.ts';
import { Tables } from './sql.ts';

/** Of the queue, in its folder. */
const FILE = 'queue.sqlite';
/** Posts of one commit: more would let the first of them wait for the last. */
const GROUP = 256;
/** Milliseconds to wait for another process that writes. */
const BUSY = 2_000;

export interface FolderQueue extends Queue {
  /** Commits what was taken, then closes the file. What is put afterwards is refused. */
  close(): Promise<void>;
}

interface Waiting {
  arrival: Arrival;
  key: string | null;
  done: PromiseWithResolvers<{ kept: Kept; first: boolean }>;
}

/** Brings what was written to a file to the disk. */
export type Sync = (fd: number) => Promise<void>;

/**
 * Opens the queue in a folder, which is made where there is none: that is for the server. Throws Problem
 * `queue.open`. `sync` is the system's own but in a test.
 */
export function folderQueue(dir: string, sync: Sync = promisify(fdatasync)): FolderQueue {
  const file = join(dir, FILE);
  let db: DatabaseSync;
  let tables: Tables;
  let log: number;
  try {
    makeDirectory(dir);
    db = new DatabaseSync(file, { timeout: BUSY });
    // NORMAL syncs the log before its pages are copied, but not at a commit: `lasting` does that, beside
    // this thread instead of in it. What is erased is written over, not only unlinked.
    for (const pragma of ['journal_mode = WAL', 'synchronous = NORMAL', 'secure_delete = ON']) {
      db.exec(`PRAGMA ${pragma}`);
    }
    chmodSync(file, 0o600);
    tables = new Tables(runner(db));
    // As long as this connection is open it stays the same file, whoever else comes and goes.
    log = openSync(`${file}-wal`, 'r+');
  } catch (cause) {
    throw unopened(file, cause);
  }

  function inOne<T>(act: () => T): T {
    if (broken !== null) throw broken;
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

  let broken: Error | null = null;
  async function lasting<T>(done: T): Promise<T> {
    try {
      await sync(log);
    } catch (cause) {
      // A second try may succeed and leave out what the first one lost: nothing is kept from here on.
      broken ??= new Error('the disk refused what was written to it; start again', { cause });
    }
    if (broken !== null) throw broken;
    return done;
  }

  const waiting: Waiting[] = [];
  /** Runs while anything waits: what comes while one group goes to the disk is the next. */
  let committing: Promise<void> | null = null;
  async function commit(): Promise<void> {
    while (waiting.length > 0) {
      // After the requests that this turn of the event loop has already brought.
      await new Promise(setImmediate);
      const group = waiting.splice(0, GROUP);
      try {
        const results = await lasting(
          inOne(() => group.map(({ arrival, key }) => tables.put(arrival, key))),
        );
        for (const [i, { done }] of group.entries()) done.resolve(results[i]!);
      } catch (error) {
        for (const { done } of group) done.reject(error);
      }
    }
    committing = null;
  }

  return {
    put(arrival, key) {
      const done = Promise.withResolvers<{ kept: Kept; first: boolean }>();
      waiting.push({ arrival, key, done });
      committing ??= commit();
      return done.promise;
    },
    get: async (id) => tables.get(id),
    list: async (which) => tables.list(which),
    async acknowledge(id, outcome) {
      const kept = inOne(() => tables.acknowledge(id, outcome));
      // Words that were erased must not stay in the log beside the file.
      if (outcome.status === 'erased') db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      return lasting(kept);
    },
    async close() {
      await committing;
      closeSync(log);
      db.close();
    },
  };
}

/** Opens the queue that a server made in a folder, and makes none. Throws Problem `queue.none`, `queue.open`. */
export function standingQueue(dir: string): FolderQueue {
  const at = join(dir, FILE);
  const none = (why: string) =>
    new Problem('queue.none', why, {
      at,
      mend: 'Name its folder with --queue or INTAKE_DIR. The server makes it: `npm start`.',
    });
  const size = statSync(at, { throwIfNoEntry: false })?.size;
  if (size === undefined) throw none('there is no queue of posts');
  if (size === 0) throw none('the file is empty, so that it is no queue of posts');
  if (!holdsPosts(at)) throw none('it is no queue of posts, but another database');
  return folderQueue(dir);
}

/** Has the database at a path the table of posts? */
function holdsPosts(at: string): boolean {
  let db: DatabaseSync | null = null;
  try {
    db = new DatabaseSync(at, { timeout: BUSY });
    return db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'posts'").get() !== undefined;
  } catch (cause) {
    throw unopened(at, cause);
  } finally {
    db?.close();
  }
}

const unopened = (at: string, cause: unknown) =>
  new Problem('queue.open', `the queue of posts can't be opened: ${(cause as Error).message}`, {
    at,
    mend: 'See that the folder may be written to; where the file is damaged, move it aside.',
    cause,
  });

/** Tells the queue in a folder, where there is one, what became of a post; false where it holds no such post. */
export async function tellQueue(dir: string, id: string, outcome: Outcome): Promise<boolean> {
  if (!existsSync(join(dir, FILE))) return false;
  const queue = standingQueue(dir);
  try {
    return (await queue.acknowledge(id, outcome)) !== null;
  } finally {
    await queue.close();
  }
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
