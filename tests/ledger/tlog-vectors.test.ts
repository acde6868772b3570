import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromBase64, toBase64 } from '../../src/ledger/base64.ts';
import { signCheckpoint } from '../../src/ledger/checkpoint.ts';
import { consistencyProof, verifyConsistency } from '../../src/ledger/consistency.ts';
import { formatSkey, parseSkey, parseVkey } from '../../src/ledger/note.ts';
import { proveEntry, verifyProof } from '../../src/ledger/proof.ts';
import { TiledLog, TileReader, tilePath } from '../../src/ledger/tile.ts';
import { hex, inclusionProof, leafHash, verifyInclusion } from '../../src/ledger/tree.ts';
import vectors from '../vectors/tlog.json' with { type: 'json' };
import { headOf, serve, sha256 } from './tiled.ts';

const LINES = Array.from({ length: vectors.tiles.size }, (_, n) =>
  new TextEncoder().encode(`{"n":${n}}`),
);
const leaves = (size: number) => LINES.slice(0, size).map((line) => leafHash(line));
const root = (size: number) => headOf(LINES.slice(0, size)).root;

test('roots are those worked out in Python', () => {
  for (const [size, want] of Object.entries(vectors.roots)) {
    assert.equal(toBase64(root(Number(size))), want, size);
  }
});

test('inclusion proofs are those worked out in Python, and hold', () => {
  for (const { index, size, proof } of vectors.inclusion) {
    const made = inclusionProof(leaves(size), index);
    assert.deepEqual(made.map(toBase64), proof);
    const leaf = leafHash(LINES[index]!);
    assert.ok(verifyInclusion({ index, size, leaf, root: root(size) }, made));
  }
});

test('consistency proofs are those worked out in Python, and hold', () => {
  for (const { from, size, proof } of vectors.consistency) {
    assert.deepEqual(consistencyProof(leaves(size), from).map(toBase64), proof);
    const [older, newer] = [headOf(LINES.slice(0, from)), headOf(LINES.slice(0, size))];
    assert.ok(
      verifyConsistency(
        older,
        newer,
        proof.map((hash) => fromBase64(hash)!),
      ),
    );
  }
});

test('keys, checkpoint and proof file are, byte for byte, those made in Python', async () => {
  const skey = parseSkey(vectors.skey);
  assert.equal(skey.vkey.text, vectors.vkey);
  assert.equal(formatSkey(skey), vectors.skey);
  const head = headOf(LINES.slice(0, 300));
  assert.equal(signCheckpoint(head, skey), vectors.checkpoint);
  const reader = new TileReader(serve(new TiledLog(LINES, sha256)), head, sha256);
  assert.equal(await proveEntry(reader, vectors.checkpoint, 150), vectors.proof);
  assert.deepEqual(verifyProof(vectors.proof, [parseVkey(vectors.vkey)]).line, LINES[150]);
});

test('tiles and bundles are, byte for byte, those made in Python', () => {
  const log = new TiledLog(LINES, sha256);
  for (const [path, want] of Object.entries(vectors.tiles.sha256)) {
    assert.equal(hex(sha256(log.get(path)!)), want, path);
  }
  for (const [index, want] of Object.entries(vectors.paths)) {
    assert.equal(tilePath({ level: 0, index: Number(index), width: 256 }), `tile/0/${want}`);
  }
});
