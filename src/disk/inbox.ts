/**
 * Captures that wait, on a branch, for the main line to give them their numbers: `inbox/<hash>.json`
 * and `inbox/<hash>.payload`, each named by the SHA-256 of its bytes, so that two branches can't
 * conflict. It trusts nothing that it reads back: a branch may come from anybody.
 */
import { hash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { canonical, parseLine } from '../ledger/canonical.ts';
import { complaints, ToolsListBody } from '../ledger/entry.ts';
import { captureKey } from '../ledger/fold.ts';
import { Problem } from '../problem.ts';
import { makeDirectory, syncDirectory, writeAtomic } from './atomic.ts';
import { redact } from './redact.ts';

/** A capture that no entry holds yet; `payload` is null where the server failed. */
export interface Waiting {
  body: ToolsListBody;
  payload: Uint8Array | null;
}

const sha256 = (bytes: Uint8Array | string): string => hash('sha256', bytes);
const folder = (dir: string): string => join(dir, 'inbox');

/** Leaves captures so that they last, payloads first. Throws the system's error. */
export function leaveInInbox(dir: string, captures: readonly Waiting[]): void {
  makeDirectory(folder(dir));
  for (const { body, payload } of captures) {
    if (payload !== null) writeAtomic(join(folder(dir), `${sha256(payload)}.payload`), payload);
    const text = canonical(body);
    writeAtomic(join(folder(dir), `${sha256(text)}.json`), text);
  }
}

/**
 * All that waits, in the order in which it is to be recorded: by run, then server and version.
 * Throws Problem `inbox.name`, `inbox.form`, `inbox.payload`, and `inbox.secret` where redaction
 * finds something: nothing by hand goes around it.
 */
export function readInbox(dir: string): Waiting[] {
  if (!existsSync(folder(dir))) return [];
  const names = readdirSync(folder(dir)).filter((name) => !/^\.|\.tmp$/.test(name));
  const files = new Map(
    names.map((name) => {
      const bytes = readFileSync(join(folder(dir), name));
      const [, digest] = /^([0-9a-f]{64})\.(?:json|payload)$/.exec(name) ?? [];
      if (digest !== sha256(bytes)) throw bad(dir, name, 'name', 'is not named by its own SHA-256');
      return [name, bytes];
    }),
  );
  const waiting = names
    .filter((name) => name.endsWith('.json'))
    .map((name) => {
      const read = parseLine(files.get(name)!);
      if (!read.ok) throw bad(dir, name, 'form', read.message);
      const checked = ToolsListBody.safeParse(read.value);
      if (!checked.success) throw bad(dir, name, 'form', complaints(checked.error));
      const { data: body } = checked;
      if (body.outcome === 'unchanged') {
        throw bad(dir, name, 'form', 'only the ledger can say that a payload is unchanged');
      }
      const payload = body.blob === null ? null : files.get(`${body.blob.sha256}.payload`);
      if (payload === undefined || (payload?.length ?? 0) !== (body.blob?.bytes ?? 0)) {
        throw bad(dir, name, 'payload', `payload ${body.blob?.sha256} is not there as it says`);
      }
      for (const part of [files.get(name)!, payload]) {
        if (part !== null && redact(part).redactions.length > 0) {
          throw bad(dir, name, 'secret', 'what it holds looks like a secret');
        }
      }
      return { name, key: captureKey(body.server, body.package.version), body, payload };
    });
  const order = ({ name, key, body }: (typeof waiting)[0]) => `${body.run} ${key} ${name}`;
  return waiting
    .sort((a, b) => (order(a) < order(b) ? -1 : 1))
    .map(({ body, payload }) => ({ body, payload }));
}

/** Takes away what was recorded. What came in meanwhile stays, and so does a payload that it names. */
export function clearInbox(dir: string, recorded: readonly Waiting[]): void {
  if (recorded.length === 0) return;
  for (const { body } of recorded) {
    rmSync(join(folder(dir), `${sha256(canonical(body))}.json`), { force: true });
  }
  const named = new Set(readInbox(dir).map(({ body }) => body.blob?.sha256));
  for (const { body } of recorded) {
    if (body.blob === null || named.has(body.blob.sha256)) continue;
    rmSync(join(folder(dir), `${body.blob.sha256}.payload`), { force: true });
  }
  syncDirectory(folder(dir));
}

const bad = (dir: string, name: string, code: string, message: string): Problem =>
  new Problem(`inbox.${code}`, message, {
    at: join(folder(dir), name),
    mend: 'Take the file out, or have `npm run refresh -- --inbox` leave it anew.',
  });
