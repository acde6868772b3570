/**
 * Turns runs of clients into entries. It must never write more of a request than its digest, nor
 * record a part of a command that was interrupted.
 */
import type { Batch } from '../ledger/batch.ts';
import { canonical } from '../ledger/canonical.ts';
import type { ClientRequestBody } from '../ledger/entry.ts';
import { requestKey } from '../ledger/fold.ts';
import { RequestDigest } from './digest.ts';
import type { ClientRun } from './run.ts';

/** The stored form of a digest: one line of canonical JSON. */
function digestBytes(digest: RequestDigest): Uint8Array {
  return new TextEncoder().encode(`${canonical(RequestDigest.parse(digest))}\n`);
}

/** Reads it back. Throws what the schema throws: nothing else was ever stored. */
export function readDigest(bytes: Uint8Array): RequestDigest {
  return RequestDigest.parse(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)));
}

/** A client's words as an entry may hold them. */
const words = (text: string) => text.toWellFormed().normalize('NFC');

/**
 * Adds one `capture.add` for each run, in the order given: a digest that the ledger's latest capture
 * of that client, version and variant has already is `unchanged`. Returns the bodies as added.
 */
export function recordRuns(batch: Batch, runs: readonly ClientRun[]): ClientRequestBody[] {
  return runs.map(({ request, others, missing_servers, failure, outcome, ...about }) => {
    const answer = request && {
      api: request.api ?? 'anthropic',
      endpoint: request.endpoint ?? 'unknown',
      model: request.model,
      body_bytes: request.body_bytes,
      tools: request.tools.count,
      deferred: request.tools.deferred,
      namespaces: request.tools.namespaces,
      named: request.named.length,
      tool_bytes: request.tools.bytes,
      tool_tokens: request.tools.tokens,
      system_tokens: request.system.tokens,
      prefix_sha256: request.prefix.sha256,
      requests: others.length + 1,
      missing_servers,
    };
    const blob = request && batch.blob(digestBytes(request));
    const key = requestKey(about.client, about.package.version, about.variant);
    const was = batch.fold.requests.get(key)?.captured ?? null;
    const same =
      blob !== null &&
      was?.entry.body.package.name === about.package.name &&
      was.entry.body.blob?.sha256 === blob.sha256;
    const body: ClientRequestBody = {
      ...about,
      outcome: same ? 'unchanged' : outcome,
      answer,
      blob,
      unchanged_from: same ? was.leaf : null,
      failure: failure && {
        code: failure.code,
        message: words(failure.message),
        said: words(failure.said),
      },
    };
    batch.add({ type: 'capture.add', article: null, body });
    return body;
  });
}
