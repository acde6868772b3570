/**
 * Signs receipts with the platform's own Ed25519, in Node and at the edge. It makes the bytes that
 * `sign` of a note makes, in a twentieth of the time: with that one, signing would be most of a post.
 */
import { fromHex } from '../ledger/commitment.ts';
import { formatNote, type Skey } from '../ledger/note.ts';
import type { Signer } from './receipt.ts';

/** What stands before the seed of an Ed25519 key in PKCS #8 (RFC 8410). */
const PKCS8 = fromHex('302e020100300506032b657004220420')!;

export function signerOf({ vkey: { name, id }, seed }: Skey): Signer {
  const pkcs8 = Uint8Array.from([...PKCS8, ...seed]);
  const importing = crypto.subtle.importKey('pkcs8', pkcs8, 'Ed25519', false, ['sign']);
  // Who signs is told of it; until then it is nobody's failure.
  importing.catch(() => {});
  return async (text) => {
    const message = new TextEncoder().encode(text);
    const bytes = new Uint8Array(await crypto.subtle.sign('Ed25519', await importing, message));
    return formatNote({ text: '', signatures: [{ name, id, bytes }] }).trim();
  };
}
