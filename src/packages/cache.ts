/** Says where installed packages are kept; it must never be a folder of somebody else's project. */
import { homedir } from 'node:os';
import { join, sep } from 'node:path';

/** The root of this package, in a clone or where it is installed. */
export const PACKAGE_ROOT = join(import.meta.dirname, '../..');

/** `.cache/npm` of a clone; where we are installed as a package, the user's own cache folder. */
export function packageCache(
  env: Readonly<Record<string, string | undefined>> = process.env,
  root = PACKAGE_ROOT,
): string {
  if (!root.includes(`${sep}node_modules${sep}`)) return join(root, '.cache', 'npm');
  const folder = env['XDG_CACHE_HOME'] || env['LOCALAPPDATA'] || join(homedir(), '.cache');
  return join(folder, 'weighbridge', 'npm');
}
