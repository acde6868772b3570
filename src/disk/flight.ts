/**
 * A writer's note at ledger/.append: there from before its payloads are stored until its entries are on
 * disk, so that what a killed writer leaves behind is told from what a cut entry does. A note that the
 * ledger has outgrown says nothing any more, and no payload is ever deleted on the word of a note.
 */
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { blobsOf } from '../ledger/entry.ts';
import { Flight, isFlying } from '../ledger/flight.ts';
import type { Recorded } from '../ledger/fold.ts';
import { makeDirectory, syncDirectory, writeAtomic } from './atomic.ts';
import { blobPath } from './blobs.ts';
import { dropWords } from './words.ts';

const at = (dir: string): string => join(dir, '.append');

/** Leaves a note so that it lasts. Throws the system's error. */
export const noteFlight = (dir: string, flight: Flight): void =>
  writeAtomic(at(dir), JSON.stringify(flight));

/** Takes it away so that this lasts: an append that was acknowledged has none. Throws the system's error. */
export function endFlight(dir: string): void {
  rmSync(at(dir), { force: true });
  syncDirectory(dir);
}

/** The note; null where there is none, `malformed` for what no writer of ours wrote. Throws the system's error. */
export function readFlight(dir: string): Flight | 'malformed' | null {
  let text: string;
  try {
    text = readFileSync(at(dir), 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    if (code === 'EISDIR') return 'malformed';
    throw error;
  }
  try {
    return Flight.parse(JSON.parse(text));
  } catch {
    return 'malformed';
  }
}

/**
 * Ends what a killed writer began, under the lock: payloads that it stored and never came to name, and
 * a note that can't be read, are put aside into `.torn`. What an outgrown note lists stays where it is.
 */
export function clearFlight(dir: string, entries: readonly Recorded[], head: string): void {
  const flight = readFlight(dir);
  if (flight === null) return;
  const torn = join(dir, '.torn');
  makeDirectory(torn);
  if (flight === 'malformed') {
    renameSync(at(dir), join(torn, `append-${Date.now()}`));
  } else if (isFlying(flight, entries.length, entries[flight.size]?.entry.prev ?? head)) {
    const named = new Set(entries.flatMap(({ entry }) => blobsOf(entry).map((b) => b.sha256)));
    for (const sha256 of flight.blobs) {
      const shard = dirname(blobPath(dir, sha256));
      if (named.has(sha256) || !existsSync(shard)) continue;
      // With what is left of a write that was cut off.
      for (const name of readdirSync(shard).filter((one) => one.startsWith(sha256))) {
        renameSync(join(shard, name), join(torn, name));
      }
      syncDirectory(shard);
    }
    const taken = new Set(
      entries.flatMap(({ entry }) => (entry.type === 'objection.receive' ? [entry.body.id] : [])),
    );
    // Words are not put aside: the queue still holds them, and what may be erased has one place.
    for (const id of flight.posts ?? []) if (!taken.has(id)) dropWords(dir, id);
  }
  syncDirectory(torn);
  endFlight(dir);
}
