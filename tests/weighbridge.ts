/** The command `weighbridge`, run as a shell would run it. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

export function weighbridge(...args: string[]) {
  const command = [join(root, 'scripts/bin/weighbridge.js'), ...args];
  return spawnSync(process.execPath, command, { cwd: root, encoding: 'utf8' });
}
