/**
 * What a log signs about itself: its name, how many entries it has and the root over them (C2SP
 * tlog-checkpoint). Pure. A checkpoint that opens says what was signed; only checkCheckpoints says
 * whether the entries at hand still bear it out.
 */
import { fromBase64, toBase64 } from './base64.ts';
import { Broken, type BrokenCode } from './broken.ts';
import { consistencyProof, type Head, verifyConsistency } from './consistency.ts';
import type { Fault } from './fold.ts';
import type { KeysAt } from './key.ts';
import { formatNote, noteText, openNote, type Skey, sign, type Vkey } from './note.ts';
import { type Hash, hex, Tree } from './tree.ts';

export interface Checkpoint extends Head {
  origin: string;
  /** Opaque lines after the root. Ours have none; those of others are kept as they are. */
  extensions: readonly string[];
}

const DECIMAL = /^(?:0|[1-9]\d*)$/;

/** `origin\nsize\nroot in base64\n` and the extension lines: the text that is signed. */
export const formatCheckpoint = ({ origin, size, root, extensions }: Checkpoint): string =>
  [origin, size, toBase64(root), ...extensions].map((line) => `${line}\n`).join('');

/** Reads a note's text (tlog-checkpoint, "Note text"). Throws Broken `checkpoint.form`. */
export function parseCheckpoint(text: string): Checkpoint {
  const bad = (why: string) => new Broken('checkpoint.form', why);
  const [origin = '', decimal = '', base64 = '', ...more] = text.split('\n');
  const extensions = more.slice(0, -1);
  if (more.at(-1) !== '') throw bad('not three lines or more, each ended by a newline');
  if (origin === '' || extensions.includes('')) throw bad('a line is empty');
  const size = Number(decimal);
  if (!DECIMAL.test(decimal) || !Number.isSafeInteger(size)) {
    throw bad(`the tree size "${decimal}" is not a plain decimal up to 2^53 - 1`);
  }
  const root = fromBase64(base64);
  if (root?.length !== 32) throw bad('the root is not the base64 of 32 bytes');
  return { origin, size, root, extensions };
}

/** A checkpoint as the log publishes it, signed under the log's own name. */
export function signCheckpoint(head: Head, skey: Skey): string {
  const text = formatCheckpoint({ ...head, origin: skey.vkey.name, extensions: [] });
  return formatNote({ text, signatures: [sign(text, skey)] });
}

/**
 * Signs the tree over `leaves`, once it is proven that `last`, the newest checkpoint that was
 * published, is the beginning of it: a log must never sign two histories (tlog-checkpoint,
 * "Signatures"). Throws Broken `checkpoint.stale` or `checkpoint.fork` otherwise.
 */
export function signGrowth(
  last: Checkpoint | null,
  leaves: readonly Uint8Array[],
  skey: Skey,
  hash?: Hash,
): string {
  const tree = new Tree(hash);
  for (const leaf of leaves) tree.push(leaf);
  const head = { size: tree.size, root: tree.root() };
  if (last !== null) {
    if (last.size > head.size) {
      const why = `${last.size} entries were signed, ${head.size} are there`;
      throw new Broken('checkpoint.stale', why);
    }
    const proof = consistencyProof(leaves, last.size, hash);
    if (!verifyConsistency(last, head, proof, hash)) {
      const why = `the first ${last.size} entries are not those that were signed`;
      throw new Broken('checkpoint.fork', why);
    }
  }
  return signCheckpoint(head, skey);
}

/**
 * A checkpoint that one of the log's keys signed. Throws Broken as openNote and parseCheckpoint do,
 * and `checkpoint.origin` when it is about a log of another name than the key that signed.
 */
export function openCheckpoint(note: string, vkeys: readonly Vkey[]): Checkpoint {
  const { text, signers } = openNote(note, vkeys);
  const checkpoint = parseCheckpoint(text);
  if (!signers.some(({ name }) => name === checkpoint.origin)) {
    const who = signers.map(({ name }) => name).join(', ');
    throw new Broken('checkpoint.origin', `is of the log ${checkpoint.origin}, signed by ${who}`);
  }
  return checkpoint;
}

export type CheckpointCode =
  | BrokenCode
  /** A file that is not named by the size it holds. */
  | 'checkpoint.name'
  /** There are fewer entries now than were signed. */
  | 'checkpoint.cut'
  /** The entries that were signed are no longer those that stand there. */
  | 'checkpoint.root';

/** What the published checkpoints say of the entries at hand. */
export interface Published {
  /** The newest, when it holds; null when it does not or there is none. */
  newest: Checkpoint | null;
  /** Checkpoints whose signature verifies and whose root reproduces. */
  held: number;
  /** Entries that came after the newest, which no signature covers yet; null without one that holds. */
  after: number | null;
  problems: Fault<CheckpointCode>[];
}

/**
 * Checks every published checkpoint against the entries: each must be signed by a key that was in
 * force over as many entries (key.ts), and each root must reproduce. `rootAt` gives the root over the
 * first so many entries, or null when there are not so many.
 */
export function checkCheckpoints(
  files: Iterable<{ name: string; bytes: Uint8Array }>,
  keysAt: KeysAt,
  entries: number,
  rootAt: (size: number) => Uint8Array | null,
): Published {
  const problems: Fault<CheckpointCode>[] = [];
  const report = (name: string, code: CheckpointCode, message: string): void => {
    problems.push({ code, seq: null, message: `checkpoints/${name}: ${message}` });
  };
  const named = [...files].filter(({ name }) => {
    if (DECIMAL.test(name)) return true;
    report(name, 'checkpoint.name', 'is not named by a number of entries');
    return false;
  });
  const sorted = named.sort((a, b) => Number(a.name) - Number(b.name));
  let newest: Checkpoint | null = null;
  let held = 0;
  for (const { name, bytes } of sorted) {
    newest = null;
    try {
      const checkpoint = openCheckpoint(noteText(bytes), keysAt(Number(name)));
      const root = rootAt(checkpoint.size);
      if (String(checkpoint.size) !== name) {
        report(name, 'checkpoint.name', `holds a checkpoint of ${checkpoint.size} entries`);
      } else if (root === null) {
        report(name, 'checkpoint.cut', `${name} entries were signed, ${entries} are there`);
      } else if (hex(root) !== hex(checkpoint.root)) {
        report(name, 'checkpoint.root', `the first ${name} entries are not those that were signed`);
      } else {
        newest = checkpoint;
        held++;
      }
    } catch (error) {
      if (!(error instanceof Broken)) throw error;
      report(name, error.code, error.message);
    }
  }
  return { newest, held, after: newest === null ? null : entries - newest.size, problems };
}
