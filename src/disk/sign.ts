/**
 * Publishes signed checkpoints. It never signs entries that do not verify, nor a history that leaves
 * out what was signed before.
 */
import { join } from 'node:path';
import type { Stamp } from '../ledger/batch.ts';
import { checkCheckpoints, signGrowth } from '../ledger/checkpoint.ts';
import { keysAt, rotate } from '../ledger/key.ts';
import type { Skey } from '../ledger/note.ts';
import { Tree } from '../ledger/tree.ts';
import { Problem } from '../problem.ts';
import { append } from './append.ts';
import { makeDirectory, writeAtomic } from './atomic.ts';
import { broken, readCheckpoints, readVkey } from './checkpoints.ts';
import { nodeHash } from './hash.ts';
import { openLedger, readOrigin } from './ledger.ts';
import { withLock } from './lock.ts';

export interface Signed {
  /** Entries that the newest checkpoint is now over. */
  size: number;
  /** Those the checkpoint before it was over; null when there was none. */
  before: number | null;
  /** What was, or with `dryRun` would be, published; null when all entries are signed already. */
  note: string | null;
  path: string;
}

/**
 * Signs the ledger as it stands and publishes the checkpoint, under the ledger's lock. Throws Problem:
 * `sign.key` and `sign.origin` for a key that is not this log's; the verifier's code when the entries
 * or a published checkpoint do not hold; `checkpoint.fork` when they are not what was signed before.
 */
export function signLedger(
  dir: string,
  skey: Skey,
  { dryRun = false }: { dryRun?: boolean } = {},
): Promise<Signed> {
  return withLock(join(dir, '.lock'), 'signing the ledger', () => {
    const vkey = readVkey(join(dir, 'vkey'));
    if (skey.vkey.text !== vkey.text) {
      throw new Problem('sign.key', `the secret key belongs to ${skey.vkey.text}`, {
        at: join(dir, 'vkey'),
        mend: `Name the key of ${vkey.name}+${vkey.id} in LEDGER_KEY_FILE.`,
      });
    }
    const origin = readOrigin(dir);
    if (vkey.name !== origin) {
      throw new Problem('sign.origin', `the key signs for ${vkey.name}, the log is ${origin}`, {
        at: join(dir, 'origin'),
        mend: 'A key signs for the log that it is named after: one of the two files is wrong.',
      });
    }
    const { entries, fold } = openLedger(dir);
    const handed = fold.keys.at(-1)?.entry.body.vkey ?? vkey.text;
    if (handed !== vkey.text) {
      throw new Problem('key.current', `the log was handed over to ${handed}`, {
        at: join(dir, 'vkey'),
        mend: 'Run `npm run sign -- --rotate FILE` again with that key: it was stopped half way.',
      });
    }
    const leaves = entries.map(({ leaf }) => Buffer.from(leaf, 'hex'));
    const size = leaves.length;
    const rootAt = (at: number): Uint8Array | null => {
      if (at > size) return null;
      const tree = new Tree(nodeHash);
      for (const leaf of leaves.slice(0, at)) tree.push(leaf);
      return tree.root();
    };
    const { newest, problems } = checkCheckpoints(
      readCheckpoints(dir),
      keysAt(vkey, fold.keys),
      size,
      rootAt,
    );
    const mend = 'What was published can be neither changed nor taken back; restore it from git.';
    for (const { code, message } of problems) throw new Problem(code, message, { at: dir, mend });

    const path = join(dir, 'checkpoints', String(size));
    const before = newest?.size ?? null;
    if (before === size || size === 0) return { size, before, note: null, path };
    const note = broken(dir, mend, () => signGrowth(newest, leaves, skey, nodeHash));
    if (!dryRun) {
      makeDirectory(join(dir, 'checkpoints'));
      writeAtomic(path, note);
    }
    return { size, before, note, path };
  });
}

/**
 * Hands the log over to another key: signs what stands with the old one, records the hand-over,
 * puts the new key into ledger/vkey and signs with it. One that was stopped is taken up where it was.
 * Throws Problem as signLedger and append do, and `key.form` for a key that can't take this log over.
 */
export async function rotateKey(dir: string, from: Skey, to: Skey, stamp: Stamp): Promise<Signed> {
  const at = join(dir, 'vkey');
  const body = broken(at, 'Make one for this log with `npm run new -- key FILE`.', () =>
    rotate(from, to),
  );
  const handed = openLedger(dir).fold.keys.at(-1)?.entry.body.vkey;
  if (handed !== to.vkey.text) {
    await signLedger(dir, from);
    await append(dir, stamp, (batch) => batch.add({ type: 'key.put', article: null, body }));
  }
  writeAtomic(at, `${to.vkey.text}\n`);
  return signLedger(dir, to);
}
