/**
 * Words and salts of posts, at objections/<id>.json: what the entries commit to, and the one part of a
 * ledger that may be erased for good. It never writes one that does not fit its id.
 */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { formatWords, parseWords, type Words } from '../ledger/commitment.ts';
import { makeDirectory, syncDirectory, writeAtomic } from './atomic.ts';

const folder = (dir: string): string => join(dir, 'objections');

/** Where the words of a post are kept. */
export const wordsPath = (dir: string, id: string): string => join(folder(dir), `${id}.json`);

/** The file's bytes, not yet checked; null when there is none. */
export function readWords(dir: string, id: string): Uint8Array | null {
  try {
    return readFileSync(wordsPath(dir, id));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** The words of a post; null where they are erased, gone or not of their form. */
export function getWords(dir: string, id: string): Words | null {
  const bytes = readWords(dir, id);
  return bytes === null ? null : parseWords(bytes);
}

/** Stores them so that they last. */
export function putWords(dir: string, words: Words): void {
  makeDirectory(folder(dir));
  writeAtomic(wordsPath(dir, words.id), formatWords(words));
}

/** Erases them, with what a killed writer left of them, so that this lasts. */
export function dropWords(dir: string, id: string): void {
  if (!existsSync(folder(dir))) return;
  for (const name of readdirSync(folder(dir))) {
    if (name.startsWith(id)) rmSync(join(folder(dir), name));
  }
  syncDirectory(folder(dir));
}

/** The name of every file there, less its `.json`. */
export const listWords = (dir: string): string[] =>
  existsSync(folder(dir))
    ? readdirSync(folder(dir))
        .sort()
        .map((name) => name.replace(/\.json$/, ''))
    : [];
