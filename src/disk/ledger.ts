/**
 * Reads a ledger from its folder: to verify it, or to open it for those who build on it. Takes no
 * lock and never writes.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Batch } from '../ledger/batch.ts';
import type { Fold, Recorded } from '../ledger/fold.ts';
import { isOrigin } from '../ledger/genesis.ts';
import { type Source, type Verdict, verify } from '../ledger/verify.ts';
import { Problem } from '../problem.ts';
import { getBlob, listBlobs, readBlob } from './blobs.ts';
import { readCheckpoints, readVkey } from './checkpoints.ts';
import { readFlight } from './flight.ts';
import { nodeHash } from './hash.ts';
import { readWhole, unreadable } from './read.ts';
import { listWords, readWords } from './words.ts';

const TORN =
  'A writer was killed there, and nobody was told that it was recorded. The next `npm run record` keeps those bytes in ledger/.torn and goes on.';
const VERIFY =
  'Run `npm run verify` to see all that is wrong; `git log -p ledger/` shows when it came in.';

/** The log's name. Throws Problem `ledger.origin`. */
export function readOrigin(dir: string): string {
  let text = '';
  try {
    text = readFileSync(join(dir, 'origin'), 'utf8');
  } catch (cause) {
    throw new Problem('ledger.origin', 'there is no ledger here: no file `origin` can be read', {
      at: dir,
      mend: "Name the ledger's folder with --ledger, or restore it from git.",
      cause,
    });
  }
  const origin = text.replace(/\n$/, '');
  if (!isOrigin(origin)) {
    throw new Problem('ledger.origin', 'the log\'s name must be one line without spaces or "+"', {
      at: join(dir, 'origin'),
      mend: 'Restore it from git: every entry hangs on it.',
    });
  }
  return origin;
}

/** Names of the files in entries/, by number and not by letter: 1000.jsonl follows 999.jsonl. */
export function entryFiles(dir: string): string[] {
  try {
    return readdirSync(join(dir, 'entries')).sort(
      (a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10) || (a < b ? -1 : 1),
    );
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw unreadable(join(dir, 'entries'), error);
  }
}

/** All but the blobs. */
function source(dir: string): Source {
  return {
    origin: readOrigin(dir),
    // A generator, so that no more than one file is held at a time.
    files: (function* () {
      for (const name of entryFiles(dir)) {
        yield { name, bytes: readWhole(join(dir, 'entries', name)) };
      }
    })(),
    blobs: [],
    hash: nodeHash,
  };
}

/** All but the entries, which are to be read after it: blobs, checkpoints, the key. Throws as verifyLedger does. */
export function verifiable(dir: string): Omit<Source, 'files'> {
  const { files: _, ...rest } = source(dir);
  // In the reverse of the order in which a writer writes, so that one who writes meanwhile looks like
  // none: a blob that is seen has its note, or its entry once the note is gone.
  const blobs = [...listBlobs(dir)];
  const posts = listWords(dir);
  const flight = readFlight(dir);
  return {
    ...rest,
    blob: (sha256) => readBlob(dir, sha256),
    blobs,
    words: (id) => readWords(dir, id),
    posts,
    flight,
    signed: {
      checkpoints: readCheckpoints(dir),
      // Without a key nothing is trusted, so a checkpoint that is there all the same is named as unsigned.
      vkey: existsSync(join(dir, 'vkey')) ? readVkey(join(dir, 'vkey')) : null,
    },
  };
}

/**
 * Recomputes everything in a ledger's folder. Throws Problem `ledger.origin` when it is none, and as
 * readVkey does for a public key that can't be read.
 */
export const verifyLedger = (dir: string): Verdict =>
  verify({ ...verifiable(dir), files: source(dir).files });

/**
 * The verdict on a ledger that holds. Throws Problem with the first fault's code, which names its entry
 * and how many there are; and as verifyLedger does.
 */
export function requireLedger(dir: string): Verdict {
  const verdict = verifyLedger(dir);
  refuse(dir, verdict.problems);
  return verdict;
}

function refuse(dir: string, problems: Verdict['problems']): void {
  const [first] = problems;
  if (first === undefined) return;
  const more =
    problems.at(-1)?.code === 'more' ? `more than ${problems.length - 1}` : problems.length;
  throw new Problem(
    first.code,
    problems.length > 1 ? `${first.message} (the first of ${more} faults)` : first.message,
    {
      at: first.seq === null ? dir : `${dir}: entry ${first.seq}`,
      mend: first.code === 'line.torn' ? TORN : VERIFY,
    },
  );
}

/** A ledger as it was when it was opened. */
export interface Ledger {
  dir: string;
  origin: string;
  fold: Fold;
  /** Every entry with its receipt, in order. */
  entries: readonly Recorded[];
  /** A blob's bytes, hashed as they are read. Throws Problem `blob.missing` or `blob.altered`. */
  blob(sha256: string): Uint8Array;
}

/** Reads and verifies every entry; blobs are checked as they are read. Throws Problem with the first fault's code. */
export function openLedger(dir: string): Ledger {
  const entries: Recorded[] = [];
  const from = source(dir);
  const { fold, problems } = verify({ ...from, each: (recorded) => entries.push(recorded) });
  refuse(dir, problems);
  return { dir, origin: from.origin, fold, entries, blob: (sha256) => getBlob(dir, sha256) };
}

/** The ledger as it would stand with what a batch adds; nothing is written. */
export const withBatch = (ledger: Ledger, batch: Batch): Ledger => ({
  ...ledger,
  fold: batch.fold,
  entries: [...ledger.entries, ...batch.recorded],
  blob: (sha256) => batch.blobs.get(sha256) ?? ledger.blob(sha256),
});
