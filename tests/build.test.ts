import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { buildSite } from '../src/build.ts';
import { append } from '../src/disk/append.ts';
import { putBlob } from '../src/disk/blobs.ts';
import { requireLedger } from '../src/disk/ledger.ts';
import { ledgerFolder } from './disk/folder.ts';
import { STAMP, source } from './ledger/drafts.ts';

test('nothing is built from a ledger that the verifier refuses: its first fault is named, and how many there are', async (t) => {
  const ledger = ledgerFolder(t);
  const root = dirname(ledger);
  await append(ledger, STAMP, (batch) => {
    for (const id of ['s1', 's2', 's3']) batch.add(source({ id }));
  });
  assert.equal(requireLedger(ledger).entries, 3);

  // What only a full verification sees, and opening it does not.
  putBlob(ledger, '0'.repeat(64), new Uint8Array());
  const orphan = { name: 'Problem', code: 'blob.orphan', at: ledger, mend: /npm run verify/ };
  await assert.rejects(buildSite(root), orphan);

  const file = join(ledger, 'entries/000.jsonl');
  writeFileSync(file, readFileSync(file, 'utf8').replace('Docs', 'Dogs'));
  await assert.rejects(buildSite(root), {
    code: 'chain.prev',
    at: `${ledger}: entry 1`,
    message: /\(the first of 2 faults\)$/,
  });
});
