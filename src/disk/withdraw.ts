/**
 * Takes a payload, or the words of a post, out of the ledger's folder because it holds what must not be kept. The entry that
 * says so comes first: it never removes what the ledger would then miss without a word.
 */
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Stamp } from '../ledger/batch.ts';
import { append } from './append.ts';
import { syncDirectory } from './atomic.ts';
import { blobPath, dropBlob } from './blobs.ts';
import { dropWords } from './words.ts';

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

/**
 * Records `erase` and removes a post's words and salt; one that was stopped between the two is finished,
 * with no second entry. Gives the sequence number of the entry. Throws Problem as append does,
 * `ref.objection` when no such post was taken in.
 */
export async function erasePost(
  dir: string,
  stamp: Stamp,
  { id, reason }: { id: string; reason: string },
): Promise<number> {
  let seq = -1;
  await append(dir, stamp, (batch) => {
    const post = batch.fold.objections.get(id);
    seq =
      post?.erased?.seq ??
      batch.add({
        type: 'erase',
        article: post?.received.entry.article ?? null,
        body: { id, receive: post?.received.leaf ?? '0'.repeat(64), reason },
      }).seq;
  });
  dropWords(dir, id);
  return seq;
}
