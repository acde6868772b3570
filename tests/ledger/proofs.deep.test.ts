import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Head, verifyConsistency } from '../../src/ledger/consistency.ts';
import { TiledLog, TileReader } from '../../src/ledger/tile.ts';
import { leafHash, Tree, verifyInclusion } from '../../src/ledger/tree.ts';
import { lines, serve, sha256 } from './tiled.ts';

const MOST = 300;
const LINES = lines(MOST);
const LEAVES = LINES.map((line) => leafHash(line, sha256));
const HEADS: Head[] = [];
const tree = new Tree(sha256);
HEADS.push({ size: 0, root: tree.root() });
for (const leaf of LEAVES) {
  tree.push(leaf);
  HEADS.push({ size: tree.size, root: tree.root() });
}
const LOG = new TiledLog(LINES, sha256);
const reader = (size: number) => new TileReader(serve(LOG), HEADS[size]!, sha256);

test(`tiles prove every entry of every tree of 1 to ${MOST} entries, to the RFC's verifier`, async () => {
  for (let size = 1; size <= MOST; size++) {
    const tiles = reader(size);
    for (let index = 0; index < size; index++) {
      const claim = { index, size, leaf: LEAVES[index]!, root: HEADS[size]!.root };
      const proof = await tiles.inclusion(index);
      assert.ok(verifyInclusion(claim, proof, sha256), `${index} of ${size}`);
    }
  }
});

test(`tiles prove every growth from 0 up to ${MOST} entries`, async () => {
  for (let size = 0; size <= MOST; size++) {
    const tiles = reader(size);
    for (let from = 0; from <= size; from++) {
      const proof = await tiles.consistency(from);
      assert.ok(
        verifyConsistency(HEADS[from]!, HEADS[size]!, proof, sha256),
        `from ${from} to ${size}`,
      );
    }
  }
});
