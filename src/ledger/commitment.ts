/**
 * What the ledger keeps of a post: a hash that binds its words and, without the salt beside it, tells
 * nothing of them. So words and salt can be erased while the entry that took them stands. Pure.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { canonical } from './canonical.ts';
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

/** What is kept of a post beside the entry that took it. */
export interface Words {
  id: string;
  /** 32 bytes. */
  salt: Uint8Array;
  /** Canonical JSON, as it was hashed. */
  body: string;
}

/** The file that holds them, objections/<id>.json. */
export const formatWords = ({ id, salt, body }: Words): string =>
  `${canonical({ body: JSON.parse(body) as unknown, id, salt: hex(salt) })}\n`;

/** Reads such a file; null for bytes that formatWords would not have written. */
export function parseWords(bytes: Uint8Array): Words | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    const { body, id, salt: digits } = JSON.parse(text) as Record<string, unknown>;
    const salt = fromHex(String(digits));
    if (typeof id !== 'string' || salt?.length !== SALT_BYTES) return null;
    const words = { id, salt, body: canonical(body) };
    return formatWords(words) === text ? words : null;
  } catch {
    return null;
  }
}
