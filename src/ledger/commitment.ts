/**
 * What the ledger keeps of a post: a hash that binds its words and, without the salt beside it, tells
 * nothing of them. So words and salt can be erased while the entry that took them stands. Pure.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { type Hash, hex } from './tree.ts';

const DOMAIN = new TextEncoder().encode('objection/v1\n');
export const SALT_BYTES = 32;

/** SHA-256("objection/v1\n" ‖ salt ‖ body), lower-case hex. Throws RangeError for a salt of another length. */
export function commitment(salt: Uint8Array, body: Uint8Array, hash: Hash = sha256): string {
  // Else the end of a longer salt could be taken for the beginning of the body.
  if (salt.length !== SALT_BYTES) throw new RangeError(`a salt has ${SALT_BYTES} bytes`);
  const bytes = new Uint8Array(DOMAIN.length + salt.length + body.length);
  bytes.set(DOMAIN);
  bytes.set(salt, DOMAIN.length);
  bytes.set(body, DOMAIN.length + salt.length);
  return hex(hash(bytes));
}

/** The bytes that lower-case hex stands for; null for any other text. */
export function fromHex(text: string): Uint8Array | null {
  if (!/^(?:[0-9a-f]{2})*$/.test(text)) return null;
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}
