/** A signed and tiled log of made-up lines, and a way to serve it with one file altered. */
import { hash } from 'node:crypto';
import { signCheckpoint } from '../../src/ledger/checkpoint.ts';
import type { Head } from '../../src/ledger/consistency.ts';
import { makeSkey } from '../../src/ledger/note.ts';
import { type FetchTile, TiledLog } from '../../src/ledger/tile.ts';
import { leafHash, Tree } from '../../src/ledger/tree.ts';

export const sha256 = (bytes: Uint8Array): Uint8Array => hash('sha256', bytes, 'buffer');
export const SKEY = makeSkey('test.example/ledger', new Uint8Array(32).fill(7));
export const OTHER = makeSkey('test.example/ledger', new Uint8Array(32).fill(8));

export const lines = (size: number, word = 'entry'): Uint8Array[] =>
  Array.from({ length: size }, (_, at) => new TextEncoder().encode(`{"${word}":${at}}`));

export function headOf(some: readonly Uint8Array[]): Head {
  const tree = new Tree(sha256);
  for (const line of some) tree.push(leafHash(line, sha256));
  return { size: tree.size, root: tree.root() };
}

export function signedLog(size: number, word?: string) {
  const all = lines(size, word);
  const head = headOf(all);
  return {
    lines: all,
    head,
    log: new TiledLog(all, sha256),
    checkpoint: signCheckpoint(head, SKEY),
  };
}

/** Serves a log's files; `alter` may give other bytes for a path, or null for a 404. */
export const serve =
  (
    log: TiledLog,
    alter: (path: string, bytes: Uint8Array | null) => Uint8Array | null = (_, b) => b,
  ) =>
  async (path: string): Promise<Uint8Array | null> =>
    alter(path, log.get(path));

/** A log of which one file has one bit changed. */
export const bitFlipped = (log: TiledLog, at: string, bit: number): FetchTile =>
  serve(log, (path, bytes) => (path === at && bytes !== null ? flip(bytes, bit) : bytes));

export function flip(bytes: Uint8Array, bit: number): Uint8Array {
  const copy = Uint8Array.from(bytes);
  copy[bit >> 3]! ^= 1 << (bit & 7);
  return copy;
}
