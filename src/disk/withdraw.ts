/**
 * Takes a payload out of the ledger's folder because it holds what must not be kept. The entry that
 * says so comes first: it never removes what the ledger would then miss without a word.
 */
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Stamp } from '../ledger/batch.ts';
import { append } from './append.ts';
import { syncDirectory } from './atomic.ts';
import { blobPath, dropBlob } from './blobs.ts';

/**
 * Records `blob.redact` and removes the bytes; one that was stopped between the two is finished, with
 * no second entry. Gives the sequence number of the entry. Throws Problem as append does, `ref.blob`
 * when no entry names the blob.
 */
export async function redactBlob(
  dir: string,
  stamp: Stamp,
  { sha256, reason }: { sha256: string; reason: string },
): Promise<number> {
  let seq = -1;
  await append(dir, stamp, (batch) => {
    seq =
      batch.fold.redacted.get(sha256)?.seq ??
      batch.add({ type: 'blob.redact', article: null, body: { sha256, reason } }).seq;
  });
  dropBlob(dir, sha256);
  const shard = dirname(blobPath(dir, sha256));
  if (existsSync(shard)) syncDirectory(shard);
  return seq;
}
