/** A copy of this repository's own files in a temporary folder, for tests that change content or build. */
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';

const FILES = [
  'astro.config.mjs',
  'content',
  'ledger',
  'package.json',
  'package-lock.json',
  'public',
  'scripts',
  'src',
  'tsconfig.json',
];

/** `later` is given what removes it again. Its node_modules are this repository's. */
export function checkout(later: (remove: () => void) => void): string {
  const root = mkdtempSync(join(tmpdir(), 'weighbridge-checkout-'));
  later(() => rmSync(root, { recursive: true, force: true }));
  for (const file of FILES) {
    if (existsSync(file)) cpSync(file, join(root, file), { recursive: true });
  }
  symlinkSync(resolve('node_modules'), join(root, 'node_modules'));
  return root;
}

/** Runs Node there: exit code and everything that was printed. */
export async function node(
  root: string,
  args: string[],
  env: Record<string, string> = {},
): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, args, {
    cwd: root,
    // A runner's own variable would make a test runner of the child.
    env: { ...process.env, NODE_TEST_CONTEXT: '', ASTRO_TELEMETRY_DISABLED: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const code = new Promise<number | null>((done) => child.on('close', done));
  const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await code, output: out + errors };
}
