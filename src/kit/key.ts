/**
 * Makes the key pair of a log. It never writes over a key, never puts the secret half where git would
 * take it along, and never shows it.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { readOrigin } from '../disk/ledger.ts';
import { formatSkey, makeSkey } from '../ledger/note.ts';
import { Problem, refused } from '../problem.ts';

export interface NewKey {
  /** The public half as text, without a newline. */
  vkey: string;
  /** Whether it is now in the ledger; not so where a public key stood there already. */
  placed: boolean;
}

/** Throws Problem `new.inside` or `new.exists` where no secret key may be written. */
export function checkKeyPlace(file: string, project: string): void {
  if (isInside(file, project)) {
    throw new Problem('new.inside', 'a secret key has no place in the project', {
      at: file,
      mend: `Name a file outside ${project}: what stands there is committed one day.`,
    });
  }
  if (existsSync(file)) throw exists(file);
}

/**
 * Writes the secret half into `file` (mode 0600), and the public one into the ledger's `vkey` where
 * there is none. Throws Problem as checkKeyPlace and readOrigin do.
 */
export function newKey(file: string, ledger: string): NewKey {
  checkKeyPlace(file, dirname(resolve(ledger)));
  const skey = makeSkey(readOrigin(ledger), randomBytes(32));
  writeNew(file, `${formatSkey(skey)}\n`, 0o600);
  const vkey = join(ledger, 'vkey');
  const placed = !existsSync(vkey);
  if (placed) writeNew(vkey, `${skey.vkey.text}\n`);
  return { vkey: skey.vkey.text, placed };
}

/** Whether a path is a folder or leads into it. */
export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && resolve(folder, way) === resolve(path);
}

/** Writes a file that must not be there. Throws Problem `new.exists`, or what the disk says as `new.file`. */
export function writeNew(path: string, text: string, mode = 0o666): void {
  try {
    writeFileSync(path, text, { flag: 'wx', mode });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') throw exists(path, cause);
    rmSync(path, { force: true }); // or half of it would stand in the way of the next try
    throw refused('new.file', cause, path);
  }
}

export const exists = (path: string, cause?: unknown): Problem =>
  new Problem('new.exists', 'it is there already, and nothing is written over', {
    at: path,
    mend: 'Name another one, or take it away yourself.',
    cause,
  });
