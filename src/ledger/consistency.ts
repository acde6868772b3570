/**
 * Proofs that a log only grew: that the tree of some size begins with the tree of a smaller one. Pure.
 * A proof shows nothing about who signed either; that is for checkpoint.ts.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { consistencyRanges } from './range.ts';
import { type Hash, hex, nodeHash, Tree } from './tree.ts';

/** How many leaves a tree has, and its root. */
export interface Head {
  size: number;
  root: Uint8Array;
}

/** PROOF(from, D[n]) of RFC 6962, 2.1.2, over all leaves given. Throws RangeError when `from` exceeds them. */
export function consistencyProof(
  leaves: readonly Uint8Array[],
  from: number,
  hash: Hash = sha256,
): Uint8Array[] {
  return consistencyRanges(from, leaves.length).map(({ start, end }) => {
    const tree = new Tree(hash);
    for (const leaf of leaves.slice(start, end)) tree.push(leaf);
    return tree.root();
  });
}

/** Does `proof` show that the tree `newer` begins with the tree `older`? (RFC 9162, 2.1.4.2) */
export function verifyConsistency(
  older: Head,
  newer: Head,
  proof: readonly Uint8Array[],
  hash: Hash = sha256,
): boolean {
  const same = (a: Uint8Array, b: Uint8Array): boolean => hex(a) === hex(b);
  if (!Number.isSafeInteger(older.size) || !Number.isSafeInteger(newer.size)) return false;
  if (older.size < 0 || older.size > newer.size) return false;
  if (older.size === newer.size) return proof.length === 0 && same(older.root, newer.root);
  // The empty tree is the start of every tree; only its root, which is fixed, can be wrong.
  if (older.size === 0) return proof.length === 0 && same(older.root, hash(new Uint8Array()));
  if (proof.some((node) => node.length !== 32)) return false;

  let fn = older.size - 1;
  let sn = newer.size - 1;
  const up = (): void => {
    fn = Math.floor(fn / 2);
    sn = Math.floor(sn / 2);
  };
  while (fn % 2 === 1) up();
  // A full older tree is itself the first node of the proof, and is left out of it.
  const [first, ...rest] = fn === 0 ? [older.root, ...proof] : proof;
  if (first === undefined) return false;
  let fr = first;
  let sr = first;
  for (const node of rest) {
    if (sn === 0) return false;
    if (fn % 2 === 1 || fn === sn) {
      fr = nodeHash(node, fr, hash);
      sr = nodeHash(node, sr, hash);
      while (fn % 2 === 0 && fn !== 0) up();
    } else {
      sr = nodeHash(sr, node, hash);
    }
    up();
  }
  return sn === 0 && same(fr, older.root) && same(sr, newer.root);
}
