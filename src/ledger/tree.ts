/**
 * The RFC 6962 Merkle tree over the ledger's lines. Pure; SHA-256 may be passed in where the
 * platform has a faster one. An odd node is carried up, never doubled (doubling gives two lists one root).
 */
import { sha256 } from '@noble/hashes/sha2.js';

/** SHA-256 of bytes, 32 bytes. It must not keep the array it is given. */
export type Hash = (bytes: Uint8Array) => Uint8Array;

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));
/** Lower-case hex. */
export function hex(bytes: Uint8Array): string {
  let out = '';
  for (let i = 0; i < bytes.length; i++) out += HEX[bytes[i]!];
  return out;
}

/** Where the bytes to be hashed are laid out: one for all, since a new array a line is slower than its hash. */
const scratch = new Uint8Array(65_536);

/** Hash of one entry: SHA-256(0x00 ‖ line), the line without its newline. */
export function leafHash(line: Uint8Array, hash: Hash = sha256): Uint8Array {
  const size = line.length + 1;
  const bytes = size <= scratch.length ? scratch : new Uint8Array(size);
  bytes[0] = 0;
  bytes.set(line, 1);
  return hash(bytes.subarray(0, size));
}

/** Hash of an inner node: SHA-256(0x01 ‖ left ‖ right). The prefix keeps a node from posing as a leaf. */
export function nodeHash(left: Uint8Array, right: Uint8Array, hash: Hash = sha256): Uint8Array {
  scratch[0] = 1;
  scratch.set(left, 1);
  scratch.set(right, 33);
  return hash(scratch.subarray(0, 65));
}

/** A tree that is only ever appended to and keeps no more than one node a level. */
export class Tree {
  readonly #hash: Hash;
  /** Roots of the full subtrees, largest first: one for each 1 in the size's binary form. */
  readonly #peaks: Uint8Array[] = [];
  #size = 0;

  constructor(hash: Hash = sha256) {
    this.#hash = hash;
  }

  get size(): number {
    return this.#size;
  }

  /** Takes a leaf hash in. */
  push(leaf: Uint8Array): void {
    let node = leaf;
    for (let rest = this.#size; rest % 2 === 1; rest = Math.floor(rest / 2)) {
      node = nodeHash(this.#peaks.pop()!, node, this.#hash);
    }
    this.#peaks.push(node);
    this.#size++;
  }

  /** The root over everything taken in; of an empty tree, SHA-256 of nothing. */
  root(): Uint8Array {
    const { length } = this.#peaks;
    if (length === 0) return this.#hash(new Uint8Array());
    return this.#peaks
      .slice(0, -1)
      .reduceRight((right, left) => nodeHash(left, right, this.#hash), this.#peaks[length - 1]!);
  }
}

function rootOf(leaves: readonly Uint8Array[], hash: Hash): Uint8Array {
  const tree = new Tree(hash);
  for (const leaf of leaves) tree.push(leaf);
  return tree.root();
}

/** Hashes from the leaf's sibling up to the root's child. Throws RangeError when there is no such leaf. */
export function inclusionProof(
  leaves: readonly Uint8Array[],
  index: number,
  hash: Hash = sha256,
): Uint8Array[] {
  if (!Number.isSafeInteger(index) || index < 0 || index >= leaves.length) {
    throw new RangeError(`no leaf ${index} in a tree of ${leaves.length}`);
  }
  if (leaves.length === 1) return [];
  // RFC 6962 2.1: a tree splits at the largest power of two below its size.
  let split = 1;
  while (split * 2 < leaves.length) split *= 2;
  const left = leaves.slice(0, split);
  const right = leaves.slice(split);
  return index < split
    ? [...inclusionProof(left, index, hash), rootOf(right, hash)]
    : [...inclusionProof(right, index - split, hash), rootOf(left, hash)];
}

/** Does `proof` show that `leaf` stands at `index` of the tree of `size` leaves with this root? (RFC 9162 2.1.3.2) */
export function verifyInclusion(
  { index, size, leaf, root }: { index: number; size: number; leaf: Uint8Array; root: Uint8Array },
  proof: readonly Uint8Array[],
  hash: Hash = sha256,
): boolean {
  if (!Number.isSafeInteger(index) || !Number.isSafeInteger(size)) return false;
  if (index < 0 || index >= size || leaf.length !== 32) return false;
  let fn = index;
  let sn = size - 1;
  let node = leaf;
  for (const sibling of proof) {
    if (sn === 0 || sibling.length !== 32) return false;
    if (fn % 2 === 1 || fn === sn) {
      node = nodeHash(sibling, node, hash);
      while (fn % 2 === 0 && fn !== 0) {
        fn = Math.floor(fn / 2);
        sn = Math.floor(sn / 2);
      }
    } else {
      node = nodeHash(node, sibling, hash);
    }
    fn = Math.floor(fn / 2);
    sn = Math.floor(sn / 2);
  }
  return sn === 0 && hex(node) === hex(root);
}
