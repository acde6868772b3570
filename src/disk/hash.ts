/** Node's own SHA-256; apart from all else that reads a ledger, since each worker that verifies loads it anew. */
import { hash } from 'node:crypto';

/** By way of text: Node gives that out in a third of the time that a buffer takes. */
export const nodeHash = (bytes: Uint8Array): Uint8Array =>
  Buffer.from(hash('sha256', bytes, 'binary'), 'latin1');
