/**
 * One process at a time. The lock is the operating system's own (SQLite takes it on every platform
 * alike), so it goes with its holder: a killed process leaves none behind, and a process number that
 * was given out again means nothing. The files stay: removing a lock file is how two get in at once.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '../problem.ts';

/** SQLite's own codes; the low byte of what it gives. */
const [BUSY, IOERR, FULL] = [5, 10, 13];
/** Kept in reach: a connection that is garbage-collected gives its lock back in silence. */
const held = new Set<DatabaseSync>();

function take(path: string): DatabaseSync | null {
  let db: DatabaseSync | null = null;
  try {
    db = new DatabaseSync(path, { timeout: 0 });
    db.exec('BEGIN EXCLUSIVE');
    held.add(db);
    return db;
  } catch (cause) {
    db?.close();
    if (sqliteCode(cause) === BUSY) return null;
    throw unavailable(path, cause);
  }
}

const sqliteCode = (error: unknown): number =>
  ((error as { errcode?: number }).errcode ?? 0) & 0xff;

function unavailable(path: string, cause: unknown): Problem {
  const { code = '', message } = cause as NodeJS.ErrnoException;
  const full = /^(?:ENOSPC|EDQUOT)$/.test(code) || [IOERR, FULL].includes(sqliteCode(cause));
  return new Problem('lock.unavailable', `can't be locked: ${message}`, {
    at: path,
    mend: full
      ? 'Free some disk space and try again; nothing was written.'
      : 'See that the folder exists and may be written to; nothing was written.',
    cause,
  });
}

/** Only for the message: who holds it is what the holder wrote beside it. */
function holder(path: string): string {
  try {
    return `process ${readFileSync(`${path}.pid`, 'utf8').trim()}`;
  } catch {
    return 'another process';
  }
}

/**
 * Runs `act` while holding the lock file at `path`, which is made where there is none. Waits up to
 * `waitMs` (10 s) for another holder, in this process or any; then throws Problem `lock.held`, which
 * names the holder's process number; `lock.unavailable` where it can't be made or written. `what` is what the holder does: `writing to the ledger`.
 */
export async function withLock<T>(
  path: string,
  what: string,
  act: () => T | Promise<T>,
  { waitMs = 10_000 }: { waitMs?: number } = {},
): Promise<T> {
  const until = performance.now() + waitMs;
  let db = take(path);
  while (db === null) {
    if (performance.now() >= until) {
      const who = holder(path);
      throw new Problem('lock.held', `${who} is ${what}`, {
        at: path,
        mend: `Wait for it to end, or end it, and try again (waited ${Math.round(waitMs / 1000)} s).`,
      });
    }
    await sleep(5 + Math.random() * 20); // spread out, so that many waiters do not knock in step
    db = take(path);
  }
  try {
    try {
      // Where this can't be written, nothing under the lock can.
      writeFileSync(`${path}.pid`, `${process.pid}\n`);
    } catch (cause) {
      throw unavailable(path, cause);
    }
    return await act();
  } finally {
    held.delete(db);
    db.close();
  }
}
