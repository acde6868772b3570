/**
 * What stands before the first entry: a hash bound to the log's own name, so that one log's entries
 * can never be passed off as another's. Pure.
 */
import { type Hash, hex } from './tree.ts';

/** A log's name as C2SP checkpoints carry it: no white space, no plus sign (it ends a key's name). */
export const isOrigin = (text: string): boolean => /^[^\s+]+$/u.test(text);

/** Hex SHA-256 of `weighbridge-ledger/v1\n<origin>\n`: the `prev` of entry 0. */
export function genesis(origin: string, hash: Hash): string {
  return hex(hash(new TextEncoder().encode(`weighbridge-ledger/v1\n${origin}\n`)));
}
