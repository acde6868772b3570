/**
 * One file that shows, offline and with nothing but the log's public key, that an entry is in the log
 * (C2SP tlog-proof). Pure. It shows that the entry was logged, never that it still stands: a later
 * entry may replace or retract it.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { fromBase64, toBase64 } from './base64.ts';
import { Broken } from './broken.ts';
import { type Checkpoint, openCheckpoint } from './checkpoint.ts';
import type { Vkey } from './note.ts';
import type { TileReader } from './tile.ts';
import { type Hash, leafHash, verifyInclusion } from './tree.ts';

export interface Proof {
  /** The entry's `seq`. */
  index: number;
  /** From the leaf's sibling up to the root's child, 32 bytes each. */
  hashes: readonly Uint8Array[];
  /** The signed note, character for character. */
  checkpoint: string;
  /** Ours hold the entry's own line, so that the file needs no other; null for none. */
  extra: Uint8Array | null;
}

const VERSION = 'c2sp.org/tlog-proof@v1';
/** A tree has at most 2^53 leaves here, so no honest path is longer. */
const MAX_HASHES = 53;

/** The file's text (tlog-proof, "Format"). */
export const formatProof = ({ index, hashes, checkpoint, extra }: Proof): string =>
  [
    VERSION,
    ...(extra === null ? [] : [`extra ${toBase64(extra)}`]),
    `index ${index}`,
    ...hashes.map(toBase64),
    '',
    checkpoint,
  ].join('\n');

/** Takes a proof apart without trusting it. Throws Broken `proof.form`. */
export function parseProof(text: string): Proof {
  const bad = (why: string) => new Broken('proof.form', why);
  const blank = text.indexOf('\n\n');
  if (blank === -1) throw bad('no blank line stands before the checkpoint');
  const [version, ...lines] = text.slice(0, blank).split('\n');
  if (version !== VERSION) throw bad(`the first line is not ${VERSION}`);
  let extra: Uint8Array | null = null;
  if (lines[0]?.startsWith('extra ')) {
    extra = fromBase64(lines.shift()!.slice('extra '.length));
    if (extra === null) throw bad('the extra data is not in base64');
  }
  const [, decimal = ''] = /^index (0|[1-9]\d*)$/.exec(lines.shift() ?? '') ?? [];
  const index = Number(decimal);
  if (decimal === '' || !Number.isSafeInteger(index)) throw bad('no line "index <number>"');
  if (lines.length > MAX_HASHES) throw bad(`more than ${MAX_HASHES} hashes`);
  const hashes = lines.map((line, at) => {
    const hash = fromBase64(line);
    if (hash?.length !== 32) throw bad(`hash ${at + 1} is not the base64 of 32 bytes`);
    return hash;
  });
  return { index, hashes, checkpoint: text.slice(blank + 2), extra };
}

/** The proof of an entry under a signed checkpoint, whose head the reader was opened with; `entry`, where it is at hand. */
export async function proveEntry(
  reader: TileReader,
  checkpoint: string,
  index: number,
  entry?: Uint8Array,
): Promise<string> {
  const extra = entry ?? (await reader.entry(index));
  return formatProof({ index, hashes: await reader.inclusion(index), checkpoint, extra });
}

/** What a proof showed. */
export interface Proven {
  index: number;
  /** The entry's bytes without a newline: those that were given, or else those in the proof. */
  line: Uint8Array;
  checkpoint: Checkpoint;
}

/**
 * Verifies a proof with the log's keys. `line` is the entry to be proven, without its newline; when
 * it is null, the entry that the proof itself carries. Throws Broken `proof.form`, `proof.entry`,
 * `proof.altered`, and what openCheckpoint throws.
 */
export function verifyProof(
  text: string,
  vkeys: readonly Vkey[],
  line: Uint8Array | null = null,
  hash: Hash = sha256,
): Proven {
  const { index, hashes, checkpoint: note, extra } = parseProof(text);
  const checkpoint = openCheckpoint(note, vkeys);
  const entry = line ?? extra;
  if (entry === null) throw new Broken('proof.entry', 'the proof carries no entry');
  const { size, root } = checkpoint;
  if (!verifyInclusion({ index, size, leaf: leafHash(entry, hash), root }, hashes, hash)) {
    throw new Broken(
      'proof.altered',
      `the hashes do not lead from this entry at ${index} to the signed root of ${size} entries`,
    );
  }
  return { index, line: entry, checkpoint };
}
