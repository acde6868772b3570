/**
 * Reads what a ledger's folder holds beside its entries to vouch for them: the public key and the
 * signed checkpoints. It never writes, and judges neither.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Broken } from '../ledger/broken.ts';
import { parseVkey, type Vkey } from '../ledger/note.ts';
import { Problem } from '../problem.ts';
import { readWhole } from './read.ts';

/** Runs `act` and turns what it finds broken into a Problem at `at`. */
export function broken<T>(at: string, mend: string, act: () => T): T {
  try {
    return act();
  } catch (cause) {
    if (!(cause instanceof Broken)) throw cause;
    throw new Problem(cause.code, cause.message, { at, mend, cause });
  }
}

/** The log's public key. Throws Problem `key.missing`, `key.form`, `key.type` or `key.id`. */
export function readVkey(path: string): Vkey {
  const mend = 'Restore it from git: it is what everybody verifies with.';
  if (!existsSync(path)) throw new Problem('key.missing', 'no public key', { at: path, mend });
  return broken(path, mend, () => parseVkey(Buffer.from(readWhole(path)).toString()));
}

/** Every file of checkpoints/, but for what a killed writer left half done. */
export function readCheckpoints(dir: string): { name: string; bytes: Uint8Array }[] {
  const folder = join(dir, 'checkpoints');
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => !name.endsWith('.tmp'))
    .map((name) => ({ name, bytes: readWhole(join(folder, name)) }));
}
