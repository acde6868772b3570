/**
 * The only code that writes entries. It gives out sequence numbers under the lock, says "recorded"
 * only once the disk does, and where it can't, leaves the ledger as it was.
 */
import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';
import { Batch, Refused, type Stamp } from '../ledger/batch.ts';
import type { Words } from '../ledger/commitment.ts';
import { blobsOf } from '../ledger/entry.ts';
import { fileName } from '../ledger/file.ts';
import type { Recorded } from '../ledger/fold.ts';
import { hex } from '../ledger/tree.ts';
import { Problem } from '../problem.ts';
import { makeDirectory, syncDirectory, writeAll, writeAtomic } from './atomic.ts';
import { dropBlob, getBlob, putBlob, readBlob } from './blobs.ts';
import { clearFlight, endFlight, noteFlight } from './flight.ts';
import { nodeHash } from './hash.ts';
import { entryFiles, type Ledger, openLedger } from './ledger.ts';
import { withLock } from './lock.ts';
import { dropWords, getWords, putWords } from './words.ts';

/**
 * Adds what `build` puts into the batch it is given, all or nothing, and returns it once it is on
 * disk. `build` is synchronous and sees the ledger as it stands under the lock. An empty batch adds
 * nothing, but clears up after a killed writer as any does. Only a kill can leave a part: whole entries
 * at the head of the batch, which hold but were acknowledged to nobody. Throws Problem: `lock.held` and
 * `lock.unavailable`; the verifier's code when the ledger or a draft does not hold; `blob.missing` and
 * `objection.missing` when a draft names a blob, or words, that are neither there nor given;
 * `append.failed` when the disk can't take it, after putting all back.
 */
export function append(
  dir: string,
  stamp: Stamp,
  build: (batch: Batch) => void,
  options: { waitMs?: number } = {},
): Promise<readonly Recorded[]> {
  return withLock(
    join(dir, '.lock'),
    'writing to the ledger',
    () => {
      orFail(dir, () => cutTornTail(dir));
      const ledger = openLedger(dir);
      orFail(dir, () => clearFlight(dir, ledger.entries, ledger.fold.head));
      const batch = new Batch(ledger.fold, stamp);
      try {
        build(batch);
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        throw new Problem(error.fault.code, error.message, { cause: error });
      }
      if (batch.recorded.length > 0) {
        write(dir, ledger.fold.head, batch, missingBlobs(dir, batch), missingWords(dir, batch));
      }
      return batch.recorded;
    },
    options,
  );
}

/**
 * As openLedger, for who is going to append: what a killed writer left of a last line is cut off first,
 * as appending would. Throws Problem as both do.
 */
export async function openToAppend(dir: string, stamp: Stamp): Promise<Ledger> {
  try {
    return openLedger(dir);
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'line.torn') throw error;
    await append(dir, stamp, () => {});
    return openLedger(dir);
  }
}

/**
 * A writer that was killed may leave the last line without its end. Nobody was told that it was
 * recorded, so it is cut off, else the next line would be glued to it; its bytes are kept aside.
 */
function cutTornTail(dir: string): void {
  const last = entryFiles(dir).at(-1);
  if (last === undefined) return;
  const path = join(dir, 'entries', last);
  const bytes = readFileSync(path);
  const whole = bytes.lastIndexOf(10) + 1;
  if (whole === bytes.length) return;
  const torn = bytes.subarray(whole);
  makeDirectory(join(dir, '.torn'));
  writeAtomic(join(dir, '.torn', hex(nodeHash(torn))), torn);
  truncate(path, whole);
}

function truncate(path: string, length: number): void {
  const fd = openSync(path, 'r+');
  try {
    ftruncateSync(fd, length);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** The blobs that the batch names and the ledger has not yet; what it names nowhere is not stored. */
function missingBlobs(dir: string, batch: Batch): Map<string, Uint8Array> {
  const missing = new Map<string, Uint8Array>();
  for (const { entry } of batch.recorded) {
    for (const { sha256 } of blobsOf(entry)) {
      const given = batch.blobs.get(sha256);
      if (readBlob(dir, sha256) !== null) getBlob(dir, sha256);
      else if (given !== undefined) missing.set(sha256, given);
      else
        throw new Problem('blob.missing', `${entry.type} names blob ${sha256}, which nobody gave`);
    }
  }
  return missing;
}

/** The words that the batch commits to and the ledger has not yet. */
function missingWords(dir: string, batch: Batch): Words[] {
  return batch.recorded.flatMap(({ entry: { type, body } }) => {
    if (type !== 'objection.receive' || getWords(dir, body.id) !== null) return [];
    const given = batch.words.get(body.id);
    if (given !== undefined) return [given];
    throw new Problem(
      'objection.missing',
      `${type} takes in post ${body.id}, whose words nobody gave`,
    );
  });
}

/** Blobs and words, then entries: a line that is on disk never names a blob that is not. */
function write(
  dir: string,
  head: string,
  batch: Batch,
  blobs: ReadonlyMap<string, Uint8Array>,
  posts: readonly Words[],
): void {
  const entries = join(dir, 'entries');
  const first = batch.recorded[0]!.seq;
  /** How to put each file back, in the order they were touched. */
  const undo: (() => void)[] = [() => endFlight(dir)];
  try {
    noteFlight(dir, {
      size: first,
      head,
      end: first + batch.lines.length,
      blobs: [...blobs.keys()],
      ...(posts.length > 0 ? { posts: posts.map(({ id }) => id) } : {}),
    });
    for (const words of posts) {
      undo.push(() => dropWords(dir, words.id));
      putWords(dir, words);
    }
    for (const [sha256, bytes] of blobs) {
      undo.push(() => dropBlob(dir, sha256));
      putBlob(dir, sha256, bytes);
    }
    makeDirectory(entries);
    for (let at = 0; at < batch.lines.length; ) {
      const name = fileName(first + at);
      const path = join(entries, name);
      const chunk: Uint8Array[] = [];
      while (at < batch.lines.length && fileName(first + at) === name) {
        chunk.push(batch.lines[at++]!, Buffer.from('\n'));
      }
      const isNew = !existsSync(path);
      const fd = openSync(path, 'a');
      try {
        const { size } = fstatSync(fd);
        undo.push(() => (isNew ? rmSync(path, { force: true }) : truncate(path, size)));
        writeAll(fd, Buffer.concat(chunk));
        fsyncSync(fd);
      } finally {
        closeSync(fd);
      }
      if (isNew) syncDirectory(entries);
    }
  } catch (cause) {
    try {
      for (const back of undo.reverse()) back();
    } catch (again) {
      const { message } = cause as Error;
      throw new Problem('append.broken', `${message}; then putting it back: ${String(again)}`, {
        at: dir,
        mend: 'See to the disk, then run `npm run verify`: part of what was to be recorded may stand.',
        cause,
      });
    }
    throw failed(dir, cause);
  }
  try {
    endFlight(dir);
  } catch {
    // All is recorded and must be acknowledged; the next append takes the note away.
  }
}

/** Runs what mends before anything is written, and says of what the system throws there that nothing was. */
function orFail(dir: string, act: () => void): void {
  try {
    act();
  } catch (cause) {
    throw failed(dir, cause);
  }
}

function failed(dir: string, cause: unknown): Problem {
  const { code, message } = cause as NodeJS.ErrnoException;
  return new Problem('append.failed', `nothing was recorded: ${message}`, {
    at: dir,
    mend:
      code === 'ENOSPC' || code === 'EDQUOT'
        ? 'Free some disk space and try again; the ledger is as it was.'
        : 'Look to the disk and the rights of the folder; the ledger is as it was.',
    cause,
  });
}
