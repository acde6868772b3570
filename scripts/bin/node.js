/**
 * Finds a Node that runs this package. Plain JavaScript for any Node: the one that starts it may be
 * older. It must never choose a Node that is not on this machine already.
 */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Older ones lack regular expressions, or the hooks, that the package needs. */
export const OLDEST = 24;

/**
 * What should run it: null for the Node that asks, the path of the one that was installed along, or
 * undefined where neither will do.
 *
 * @param {{ version: string, platform: string, arch: string, resolve: (id: string) => string }} here
 * @returns {string | null | undefined}
 */
export function chooseNode({ version, platform, arch, resolve }) {
  if (Number(/^v?(\d+)/.exec(version)?.[1]) >= OLDEST) return null;
  const name = `node-${platform === 'win32' ? 'win' : platform}-${arch}`;
  try {
    const program = platform === 'win32' ? 'node.exe' : 'node';
    return join(dirname(resolve(`${name}/package.json`)), 'bin', program);
  } catch {
    return undefined;
  }
}

export const here = {
  version: process.version,
  platform: process.platform,
  arch: process.arch,
  resolve: createRequire(import.meta.url).resolve,
};
