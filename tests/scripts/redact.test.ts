import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { append } from '../../src/disk/append.ts';
import { readBlob } from '../../src/disk/blobs.ts';
import { ledgerFolder } from '../disk/folder.ts';
import { capture, STAMP } from '../ledger/drafts.ts';

test('a payload is redacted by its digest and with a reason, and verify says that it is gone', async (t) => {
  const ledger = ledgerFolder(t);
  let sha256 = '';
  await append(ledger, STAMP, (batch) => {
    const blob = batch.blob(Buffer.from('{"result":{"tools":[]}}\n'));
    ({ sha256 } = blob);
    batch.add(capture({ blob }));
  });
  const run = (script: string, ...args: string[]) =>
    spawnSync(process.execPath, [`scripts/${script}.ts`, '--ledger', ledger, ...args], {
      encoding: 'utf8',
    });
  for (const wrong of [[], ['abc', '--reason', 'x'], [sha256], [sha256, '--reason', ' ']]) {
    const { status, stderr } = run('redact', ...wrong);
    assert.equal(status, 2, stderr);
  }
  const unknown = run('redact', '0'.repeat(64), '--reason', 'x');
  assert.deepEqual([unknown.status, /\[ref\.blob\]/.test(unknown.stderr)], [1, true]);
  assert.ok(readBlob(ledger, sha256));
  const { status, stdout } = run('redact', sha256, '--reason', 'a token of mine');
  assert.equal(status, 0);
  assert.match(stdout, /entry #1 says so[\s\S]*change the secret itself/);
  assert.equal(readBlob(ledger, sha256), null);
  const verdict = run('verify');
  assert.equal(verdict.status, 0);
  assert.match(verdict.stdout, /\nredacted blobs: 1 /);
});
