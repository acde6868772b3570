/** Says which exact release of a package we ourselves run with; it must never look anything up. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { PACKAGE_ROOT } from './cache.ts';
import { findInstalled } from './install.ts';

const Manifest = z.looseObject({ dependencies: z.record(z.string(), z.string()) });

/**
 * One of our dependencies, which package.json pins exactly. Its integrity is known where a lock file
 * stands beside it, as in a clone; null where we are installed as a package.
 */
export async function ownDependency(
  name: string,
): Promise<{ name: string; version: string; integrity: string | null }> {
  const text = await readFile(join(PACKAGE_ROOT, 'package.json'), 'utf8');
  const version = Manifest.parse(JSON.parse(text)).dependencies[name];
  if (version === undefined) throw new RangeError(`package.json names no dependency ${name}`);
  const installed = await findInstalled(PACKAGE_ROOT, name, version);
  return { name, version, integrity: installed?.integrity ?? null };
}
