/** A ledger in a temporary folder that goes with the test. */
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { ORIGIN } from '../ledger/drafts.ts';

export function folder(t: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), 'weighbridge-test-'));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

export function ledgerFolder(t: TestContext): string {
  const dir = join(folder(t), 'ledger');
  mkdirSync(dir);
  writeFileSync(join(dir, 'origin'), `${ORIGIN}\n`);
  return dir;
}

/** Every file below a ledger with its bytes as text, but for the lock's own and what was kept aside. */
export function contents(dir: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(dir, { recursive: true, encoding: 'utf8' })
      .filter((name) => !name.startsWith('.') && statSync(join(dir, name)).isFile())
      .sort()
      .map((name) => [name, readFileSync(join(dir, name), 'latin1')]),
  );
}
