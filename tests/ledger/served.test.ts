import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { nodeHash } from '../../src/disk/hash.ts';
import { openLedger } from '../../src/disk/ledger.ts';
import { blobsOf } from '../../src/ledger/entry.ts';
import { blobRefs, verifyServed } from '../../src/ledger/served.ts';
import { hex } from '../../src/ledger/tree.ts';
import { type Alter, signedLog, tamperings } from '../browser/tampered.ts';

const mine = await signedLog(1);
const other = await signedLog(2);
after(() => {
  mine.remove();
  other.remove();
});

const verifyThrough = (alter: Alter, more: object = {}) =>
  verifyServed({
    get: async (path) => alter(`/ledger/${path}`, await mine.published.get(path)),
    hash: nodeHash,
    ...more,
  });
const untouched: Alter = (_, bytes) => bytes;

test('the project’s own ledger, served and signed, holds to the last tile, proof and payload', async () => {
  const told: number[] = [];
  const { faults, entries, signed, tiles, proofs, blobs, key } = await verifyThrough(untouched, {
    progress: (done: number) => told.push(done),
  });
  assert.deepEqual(faults, []);
  assert.equal(signed?.size, entries);
  assert.equal(proofs, entries);
  assert.equal(tiles, mine.published.paths.filter((path) => path.startsWith('tile/')).length);
  assert.ok(blobs > 0 && key?.given === false);
  assert.ok(told.length > entries, 'progress is told file by file');
});

for (const { what, code, alter } of tamperings(mine.published, other.published)) {
  test(`${what} is told as ${code}`, async () => {
    const { ok, faults } = await verifyThrough(alter);
    assert.equal(ok, false);
    assert.ok(
      faults.some((fault) => fault.code === code),
      JSON.stringify(faults),
    );
  });
}

test('a log that was signed anew by another key is told to a reader who holds the right one', async () => {
  const get = (path: string) => other.published.get(path);
  assert.equal(
    (await verifyServed({ get, hash: nodeHash })).ok,
    true,
    'without a key nobody can tell',
  );
  const { faults } = await verifyServed({ get, hash: nodeHash, vkey: mine.skey.vkey.text });
  assert.deepEqual(new Set(faults.map(({ code }) => code)), new Set(['note.unsigned']));
});

test('a log that shrank, or tells another history, is told to a reader who saw it before', async () => {
  const root = new Uint8Array(32);
  const more = await verifyThrough(untouched, { seen: { size: 1_000_000, root } });
  assert.deepEqual(
    more.faults.map(({ code }) => code),
    ['checkpoint.stale'],
  );
  const forked = await verifyThrough(untouched, { seen: { size: 3, root } });
  assert.deepEqual(
    forked.faults.map(({ code }) => code),
    ['checkpoint.fork'],
  );
});

test('where no log is served, there is nothing that could hold', async () => {
  const { ok, entries, faults } = await verifyServed({ get: async () => null, hash: nodeHash });
  assert.deepEqual([ok, entries, faults.map(({ code }) => code)], [false, 0, ['log.missing']]);
});

test('a copy that leaves its checkpoint out is told to a reader with the key, or who saw one before', async () => {
  const without: Alter = (path, bytes) => (path === '/ledger/checkpoint' ? null : bytes);
  for (const more of [
    { vkey: mine.skey.vkey.text },
    { seen: { size: 0, root: nodeHash(new Uint8Array()) } },
  ]) {
    const { faults } = await verifyThrough(without, more);
    assert.deepEqual(
      faults.map(({ code }) => code),
      ['checkpoint.missing'],
    );
  }
});

test('an unsigned log holds, and the verdict says that nothing is signed', async () => {
  const { ok, signed, proofs, limits } = await verifyThrough((path, bytes) =>
    /\/(?:checkpoint|tile|proof)/.test(path) ? null : bytes,
  );
  assert.deepEqual([ok, signed, proofs], [true, null, 0]);
  assert.match(limits[0] ?? '', /Nothing is signed/);
});

test('finds the payloads that the schemas find, in every entry of the project’s ledger', () => {
  const { entries } = openLedger('ledger');
  assert.ok(entries.length > 0);
  for (const { entry } of entries) {
    assert.deepEqual(
      blobRefs(entry.type, entry.body),
      blobsOf(entry).map(({ sha256, bytes }) => ({ sha256, bytes })),
    );
  }
});

test('the root is the one that the checkpoint signs', async () => {
  const { root, signed } = await verifyThrough(untouched);
  assert.equal(hex(root), hex(signed?.root ?? new Uint8Array()));
});
