import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { consistencyProof, type Head, verifyConsistency } from '../../src/ledger/consistency.ts';
import { TiledLog, TileReader } from '../../src/ledger/tile.ts';
import { hex, inclusionProof, leafHash, Tree, verifyInclusion } from '../../src/ledger/tree.ts';
import { flip, lines, serve, sha256 } from './tiled.ts';

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

const pair = fc
  .integer({ min: 1, max: MOST })
  .chain((size) => fc.record({ size: fc.constant(size), from: fc.integer({ min: 1, max: size }) }));

test('leaves and tiles give the same proofs, and they hold', async () => {
  await fc.assert(
    fc.asyncProperty(pair, async ({ size, from }) => {
      const leaves = LEAVES.slice(0, size);
      const growth = await reader(size).consistency(from);
      assert.deepEqual(consistencyProof(leaves, from, sha256).map(hex), growth.map(hex));
      assert.ok(verifyConsistency(HEADS[from]!, HEADS[size]!, growth, sha256));

      const index = from - 1;
      const path = await reader(size).inclusion(index);
      assert.deepEqual(inclusionProof(leaves, index, sha256).map(hex), path.map(hex));
      const { root } = HEADS[size]!;
      assert.ok(verifyInclusion({ index, size, leaf: leaves[index]!, root }, path, sha256));
    }),
    { numRuns: 150 },
  );
});

test('a proof of growth with anything changed, left out, added or swapped proves nothing', () => {
  fc.assert(
    fc.property(pair, fc.nat(), fc.nat(), ({ size, from }, at, bit) => {
      const proof = consistencyProof(LEAVES.slice(0, size), from, sha256);
      const older = HEADS[from]!;
      const newer = HEADS[size]!;
      const no = (o: Head, n: Head, p: Uint8Array[]) =>
        assert.equal(verifyConsistency(o, n, p, sha256), false);
      const wrong = ({ root, ...head }: Head) => ({ ...head, root: flip(root, bit % 256) });
      no(wrong(older), newer, proof);
      no(older, wrong(newer), proof);
      no(older, newer, [...proof, LEAVES[0]!]);
      if (size > from) {
        const place = at % proof.length;
        no(older, newer, proof.with(place, flip(proof[place]!, bit % 256)));
        no(older, newer, proof.toSpliced(place, 1));
        no(older, newer, proof.with(place, proof[place]!.subarray(1)));
        no(newer, older, proof);
        if (place > 0) {
          no(older, newer, proof.with(place, proof[0]!).with(0, proof[place]!));
        }
      }
    }),
    { numRuns: 300 },
  );
});

test('a history that was written anew does not follow from the old one', () => {
  const anew = LEAVES.with(3, LEAVES[4]!).slice(0, 20);
  const other = new Tree(sha256);
  for (const leaf of anew) other.push(leaf);
  for (let from = 1; from <= 20; from++) {
    const proof = consistencyProof(anew, from, sha256);
    const follows = verifyConsistency(
      HEADS[from]!,
      { size: 20, root: other.root() },
      proof,
      sha256,
    );
    assert.equal(follows, from <= 3, `from ${from}`);
  }
});

test('only the true empty tree is the start of every tree', () => {
  assert.ok(verifyConsistency(HEADS[0]!, HEADS[9]!, [], sha256));
  assert.equal(verifyConsistency({ size: 0, root: LEAVES[0]! }, HEADS[9]!, [], sha256), false);
  assert.equal(verifyConsistency({ ...HEADS[0]!, size: -1 }, HEADS[9]!, [], sha256), false);
  assert.equal(verifyConsistency({ ...HEADS[3]!, size: 2.5 }, HEADS[9]!, [], sha256), false);
});

test('there is no proof from a size that a tree never had', async () => {
  for (const from of [-1, 1.5, 11, Number.NaN]) {
    assert.throws(() => consistencyProof(LEAVES.slice(0, 10), from), RangeError);
    await assert.rejects(reader(10).consistency(from), RangeError);
  }
  for (const index of [-1, 0.5, 10]) await assert.rejects(reader(10).inclusion(index), RangeError);
});
