import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { append } from '../../src/disk/append.ts';
import { nodeHash } from '../../src/disk/hash.ts';
import { proofPath, readPublished } from '../../src/disk/published.ts';
import { signLedger } from '../../src/disk/sign.ts';
import { openCheckpoint } from '../../src/ledger/checkpoint.ts';
import { makeSkey } from '../../src/ledger/note.ts';
import { verifyProof } from '../../src/ledger/proof.ts';
import { TileReader } from '../../src/ledger/tile.ts';
import { Problem } from '../../src/problem.ts';
import { failed, ORIGIN, STAMP } from '../ledger/drafts.ts';

const SKEY = makeSkey(ORIGIN, new Uint8Array(32).fill(1));

async function ledger(t: TestContext, entries: number): Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), 'weighbridge-published-'));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  writeFileSync(join(dir, 'origin'), `${ORIGIN}\n`);
  writeFileSync(join(dir, 'vkey'), `${SKEY.vkey.text}\n`);
  await grow(dir, entries);
  return dir;
}
const grow = (dir: string, by: number) =>
  append(dir, STAMP, (batch) => {
    for (let i = 0; i < by; i++) batch.add(failed());
  });

test('an unsigned ledger is served without checkpoint, tiles and proofs', async (t) => {
  const dir = await ledger(t, 3);
  const published = readPublished(dir);
  assert.equal(published.signed, null);
  assert.deepEqual(published.paths, ['entries/000.jsonl', 'origin', 'vkey']);
  assert.equal(await published.get('checkpoint'), null);
  assert.equal(await published.get(proofPath(0)), null);
});

test('every path of a signed ledger has bytes that a tile reader and a proof verifier accept', async (t) => {
  const dir = await ledger(t, 300);
  await signLedger(dir, SKEY);
  const published = readPublished(dir);
  for (const path of published.paths) assert.notEqual(await published.get(path), null, path);
  const note = new TextDecoder().decode((await published.get('checkpoint')) ?? undefined);
  const head = openCheckpoint(note, [SKEY.vkey]);
  const reader = new TileReader(published.get, head, nodeHash);
  assert.equal((await reader.bundle(1)).length, 44);
  for (const seq of [0, 255, 256, 299]) {
    const proof = new TextDecoder().decode((await published.get(proofPath(seq))) ?? undefined);
    assert.deepEqual(verifyProof(proof, [SKEY.vkey]).index, seq);
  }
});

test('proofs are under the newest checkpoint when entries came after it, and its tiles stay', async (t) => {
  const dir = await ledger(t, 5);
  await signLedger(dir, SKEY);
  await grow(dir, 2);
  const published = readPublished(dir);
  assert.deepEqual([published.size, published.signed?.size], [7, 5]);
  assert.ok(published.paths.includes('tile/0/000.p/5'));
  assert.equal(await published.get(proofPath(5)), null);
  await signLedger(dir, SKEY);
  const later = readPublished(dir);
  assert.ok(later.paths.includes('tile/0/000.p/5') && later.paths.includes('tile/0/000.p/7'));
});

test('a checkpoint that the entries do not bear out is not served', async (t) => {
  const dir = await ledger(t, 2);
  await signLedger(dir, SKEY);
  writeFileSync(join(dir, 'vkey'), `${makeSkey(ORIGIN, new Uint8Array(32).fill(2)).vkey.text}\n`);
  assert.throws(
    () => readPublished(dir),
    (error) => error instanceof Problem && error.code === 'note.unsigned',
  );
});
