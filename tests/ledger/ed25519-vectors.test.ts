/** The public Ed25519 vectors, where VECTORS_DIR names their folder. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { verifyEd25519 } from '../../src/ledger/note.ts';

interface Vectors {
  numberOfTests: number;
  testGroups: {
    publicKey: { pk: string };
    tests: { tcId: number; msg: string; sig: string; result: 'valid' | 'invalid' }[];
  }[];
}

test('Ed25519: signatures that hold are accepted, all others refused', (t) => {
  const dir = process.env.VECTORS_DIR;
  if (dir === undefined) {
    t.diagnostic('Ed25519: VECTORS_DIR was not given, 0 run');
    return;
  }
  const text = readFileSync(join(dir, 'ed25519/ed25519_test.json'), 'utf8');
  const { numberOfTests, testGroups }: Vectors = JSON.parse(text);
  let ran = 0;
  for (const { publicKey, tests } of testGroups) {
    for (const { tcId, msg, sig, result } of tests) {
      const [key, message, bytes] = [publicKey.pk, msg, sig].map((hex) => Buffer.from(hex, 'hex'));
      assert.equal(verifyEd25519(bytes!, message!, key!), result === 'valid', `test ${tcId}`);
      ran++;
    }
  }
  assert.equal(ran, numberOfTests);
  t.diagnostic(`Ed25519: ${ran} of ${numberOfTests}`);
});
