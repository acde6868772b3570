import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeHash as platform } from '../../src/disk/hash.ts';
import {
  hex,
  inclusionProof,
  leafHash,
  nodeHash,
  Tree,
  verifyInclusion,
} from '../../src/ledger/tree.ts';
import vectors from '../vectors/ledger.json' with { type: 'json' };

const { lines, roots, proofs } = vectors.tree;
const leaves = lines.map((line) => leafHash(new TextEncoder().encode(line)));
const unhex = (text: string) => new Uint8Array(Buffer.from(text, 'hex'));
const rootOf = (some: readonly Uint8Array[], hash?: (b: Uint8Array) => Uint8Array) => {
  const tree = new Tree(hash);
  for (const leaf of some) tree.push(leaf);
  return hex(tree.root());
};

test('roots of every size equal what Python worked out, whichever SHA-256 is used', (t) => {
  for (const [size, root] of roots.entries()) {
    assert.equal(rootOf(leaves.slice(0, size)), root);
    assert.equal(rootOf(leaves.slice(0, size), platform), root);
  }
  t.diagnostic(`roots: ${roots.length} of ${roots.length}`);
});

test('the root can be asked for at any time and changes nothing', () => {
  const tree = new Tree();
  for (const [size, leaf] of leaves.entries()) {
    assert.equal(hex(tree.root()), roots[size]);
    assert.equal(hex(tree.root()), roots[size]);
    tree.push(leaf);
  }
  assert.equal(tree.size, leaves.length);
});

test('inclusion proofs equal what Python worked out and verify; no bit of them may differ', (t) => {
  for (const { index, size, proof } of proofs) {
    const mine = inclusionProof(leaves.slice(0, size), index);
    assert.deepEqual(mine.map(hex), proof);
    const at = { index, size, leaf: leaves[index]!, root: unhex(roots[size]!) };
    assert.ok(verifyInclusion(at, mine));
    assert.ok(!verifyInclusion({ ...at, index: index + 1 }, mine));
    assert.ok(!verifyInclusion({ ...at, root: unhex(roots[size + 1] ?? roots[0]!) }, mine));
    assert.ok(!verifyInclusion(at, [...mine, leaves[0]!]));
    for (const i of mine.keys()) {
      const altered = mine.map((hash) => hash.slice());
      altered[i]![7]! ^= 1;
      assert.ok(!verifyInclusion(at, altered));
      assert.ok(!verifyInclusion(at, mine.toSpliced(i, 1)));
    }
  }
  t.diagnostic(`inclusion proofs: ${proofs.length} of ${proofs.length}`);
});

test('a list with its last entry doubled has another root', () => {
  for (const size of [1, 3, 5, 7, 13]) {
    const list = leaves.slice(0, size);
    assert.notEqual(rootOf([...list, list.at(-1)!]), rootOf(list));
  }
});

test('an inner node can not pose as a leaf', () => {
  const [a, b] = leaves as [Uint8Array, Uint8Array];
  assert.notEqual(hex(nodeHash(a, b)), hex(leafHash(new Uint8Array([...a, ...b]))));
  assert.throws(() => inclusionProof(leaves, leaves.length), RangeError);
});
