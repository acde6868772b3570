/**
 * What a project is made of that npm leaves out of a package: read in a clone when it is packed, and
 * written out where a site is made from the package. It holds files as they are and takes along none
 * of our articles, entries or keys.
 */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** Where it stands in the package. */
export const KIT = 'kit.json';

/** Texts by path, slashes between. */
export type Kit = Readonly<Record<string, string>>;

/** The files at these paths below `root`, and in the folders there. `keep` says no to a path. */
export function packKit(
  root: string,
  paths: readonly string[],
  keep: (path: string) => boolean,
): Kit {
  const files = paths.flatMap((path) =>
    statSync(join(root, path)).isFile()
      ? [path]
      : readdirSync(join(root, path), { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
          .sort(),
  );
  return Object.fromEntries(
    files.filter(keep).map((path) => [path, readFileSync(join(root, path), 'utf8')]),
  );
}

/** That of the package at `root`; null in a clone, which has the files themselves. */
export function readKit(root: string): Kit | null {
  const path = join(root, KIT);
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : null;
}

/** Writes what is part of `path` below `dir`. `keep` says no to a path. */
export function unpackKit(
  kit: Kit,
  path: string,
  dir: string,
  keep: (path: string) => boolean,
): void {
  const own = Object.entries(kit).filter(([one]) => one === path || one.startsWith(`${path}/`));
  for (const [one, text] of own) {
    if (!keep(one)) continue;
    const file = join(dir, one);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text, { flag: 'wx' });
    // JSON holds no modes; what says what runs it is meant to be run.
    if (text.startsWith('#!')) chmodSync(file, 0o755);
  }
}
