/**
 * Payloads by the SHA-256 of their bytes, at blobs/sha256/ab/<hex>. A blob that is there is never
 * written again, and never given out without hashing it.
 */
import { hash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Problem } from '../problem.ts';
import { makeDirectory, writeAtomic } from './atomic.ts';

/** Where a ledger keeps the blob of this name. */
export const blobPath = (dir: string, sha256: string): string =>
  join(dir, 'blobs', 'sha256', sha256.slice(0, 2), sha256);

/** The bytes as they are on disk, not yet checked; null when there are none. */
export function readBlob(dir: string, sha256: string): Uint8Array | null {
  try {
    return readFileSync(blobPath(dir, sha256));
  } catch (error) {
    // Also where a folder stands in its place, or a file in that of its folder.
    if (/^(?:ENOENT|EISDIR|ENOTDIR)$/.test((error as NodeJS.ErrnoException).code ?? ''))
      return null;
    throw error;
  }
}

/** The bytes, hashed. Throws Problem `blob.missing` or `blob.altered`. */
export function getBlob(dir: string, sha256: string): Uint8Array {
  const at = blobPath(dir, sha256);
  const mend = 'Restore it from git (`git checkout -- ledger/blobs`) or from a mirror.';
  const bytes = readBlob(dir, sha256);
  if (bytes === null) throw new Problem('blob.missing', 'the blob is not there', { at, mend });
  if (hash('sha256', bytes) !== sha256) {
    throw new Problem('blob.altered', 'the blob holds other bytes than its name says', {
      at,
      mend,
    });
  }
  return bytes;
}

/** Stores bytes under their name so that they last. */
export function putBlob(dir: string, sha256: string, bytes: Uint8Array): void {
  const path = blobPath(dir, sha256);
  makeDirectory(dirname(path));
  writeAtomic(path, bytes);
}

/** Takes a blob away that no entry names, with what a killed writer left of it. */
export function dropBlob(dir: string, sha256: string): void {
  const shard = dirname(blobPath(dir, sha256));
  if (!existsSync(shard)) return;
  for (const name of readdirSync(shard)) if (name.startsWith(sha256)) rmSync(join(shard, name));
}

/** The name of every blob that is stored; of whatever else stands below blobs/, its path from there. */
export function* listBlobs(dir: string): Generator<string> {
  const root = join(dir, 'blobs');
  if (!existsSync(root)) return;
  if (!statSync(root).isDirectory()) return yield '';
  for (const path of filesBelow(root)) yield PLACED.exec(path)?.[2] ?? path;
}

const PLACED = /^sha256\/(..)\/(\1[0-9a-f]{62})$/;

function* filesBelow(folder: string, path = ''): Generator<string> {
  const entries = readdirSync(folder, { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const at = `${path}${entry.name}`;
    if (entry.isDirectory()) yield* filesBelow(join(folder, entry.name), `${at}/`);
    else yield at;
  }
}
