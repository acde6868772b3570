/**
 * Reads a file of entries line by line, each on its own: its bytes, its schema and its leaf hash. Pure,
 * and apart from verify.ts so that several files can be read side by side; whether a line stands where
 * it should is not asked here.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { type LineCode, parseLine } from './canonical.ts';
import { complaints, Entry } from './entry.ts';
import { fileLines } from './file.ts';
import { type Hash, leafHash } from './tree.ts';

export type Line<E = Entry> = { entry: E } | { code: LineCode | 'entry.schema'; message: string };
export interface ReadFile<E = Entry> {
  lines: Line<E>[];
  /** The leaf hash of each line, 32 bytes each, one after the other. */
  leaves: Uint8Array;
  /** Bytes that follow the last newline. */
  torn: number;
}

/** Reads a file; of each entry that holds, no more is kept than `keep` makes of it. */
export function readEntries(bytes: Uint8Array, hash?: Hash): ReadFile;
export function readEntries<E>(
  bytes: Uint8Array,
  hash: Hash,
  keep: (entry: Entry) => E,
): ReadFile<E>;
export function readEntries(
  bytes: Uint8Array,
  hash: Hash = sha256,
  keep: (entry: Entry) => unknown = (entry) => entry,
): ReadFile<unknown> {
  const raw = fileLines(bytes);
  const leaves = new Uint8Array(raw.length * 32);
  const lines = raw.map((line, at): Line<unknown> => {
    leaves.set(leafHash(line, hash), at * 32);
    const read = parseLine(line);
    if (!read.ok) return { code: read.code, message: read.message };
    const checked = Entry.safeParse(read.value);
    if (checked.success) return { entry: keep(checked.data) };
    return { code: 'entry.schema', message: complaints(checked.error) };
  });
  return { lines, leaves, torn: bytes.length - bytes.lastIndexOf(10) - 1 };
}
