/** `npm run record`: brings the ledger up to content/, in one append or not at all; or takes an older chain in. */
import { readFileSync } from 'node:fs';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { daysAhead } from '../src/articles/ahead.ts';
import { describe, reconcile } from '../src/articles/reconcile.ts';
import { COMMANDS, help } from '../src/commands.ts';
import { append, openToAppend } from '../src/disk/append.ts';
import { nodeHash } from '../src/disk/hash.ts';
import { clearInbox, readInbox } from '../src/disk/inbox.ts';
import { type Ledger, openLedger, withBatch } from '../src/disk/ledger.ts';
import { Batch, type Stamp } from '../src/ledger/batch.ts';
import { captureKey, type Fold, postKey } from '../src/ledger/fold.ts';
import { type LegacyVerdict, legacyBody, verifyLegacy } from '../src/ledger/legacy.ts';
import { noteText } from '../src/ledger/note.ts';
import { hex } from '../src/ledger/tree.ts';
import { load } from '../src/load.ts';
import { notYetRecorded, recordCaptures } from '../src/probe/refresh.ts';
import { Problem } from '../src/problem.ts';
import { script, stampNow } from '../src/script.ts';

const USAGE = help('record').trimEnd();

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: COMMANDS.record.options,
  });
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  const { 'dry-run': dryRun = false, legacy } = values;
  const root = process.cwd();
  if (legacy !== undefined) return importLegacy(`${root}/ledger`, legacy, dryRun);
  const stamp = stampNow();
  const loaded = await load({
    root,
    ledger: await takeIn(`${root}/ledger`, stamp, dryRun),
  });
  const before = loaded.ledger.fold;
  const batch = new Batch(before, stamp);
  const ahead = loaded.resolved.flatMap(({ parsed }) => daysAhead(parsed, new Date(stamp.ts)));
  const problems = [...loaded.problems, ...ahead, ...reconcile(batch, loaded)];
  if (problems.length > 0) {
    for (const problem of problems) console.error(problem.toString());
    console.error(`Nothing was recorded: ${problems.length} to mend.`);
    return 1;
  }
  const words = batch.recorded.map((recorded) => describe(recorded, before));
  if (words.length === 0) {
    console.log('Nothing to record: the ledger holds what content says.');
    return 0;
  }
  if (!dryRun) {
    await append(`${root}/ledger`, stamp, (now) => {
      unmoved(now, before);
      reconcile(now, loaded);
    });
  }
  for (const line of words) console.log(dryRun ? `would add ${line}` : line);
  const noun = words.length === 1 ? 'entry' : 'entries';
  console.log(`${dryRun ? 'Would record' : 'Recorded'} ${words.length} ${noun}.`);
  return 0;
}

/**
 * Records what waits in the inbox and gives the ledger with it; on a dry run, as it would be. What
 * was captured is evidence, whether or not content can be recorded after it.
 */
async function takeIn(dir: string, stamp: Stamp, dryRun: boolean): Promise<Ledger> {
  const waiting = readInbox(dir);
  const ledger = dryRun ? openLedger(dir) : await openToAppend(dir, stamp);
  if (waiting.length === 0) return ledger;
  const captures = notYetRecorded(waiting, ledger.entries);
  const batch = new Batch(ledger.fold, stamp);
  recordCaptures(batch, captures);
  if (!dryRun) {
    await append(dir, stamp, (now) => {
      unmoved(now, ledger.fold);
      recordCaptures(now, captures);
    });
    clearInbox(dir, waiting);
  }
  for (const { entry } of batch.recorded) {
    if (entry.type !== 'capture.add' || entry.body.kind !== 'tools_list') continue;
    const { server, package: pkg, outcome } = entry.body;
    const line = `${entry.type} ${captureKey(server, pkg.version)} ${outcome}, from the inbox`;
    console.log(dryRun ? `would add ${line}` : line);
  }
  return dryRun ? withBatch(ledger, batch) : openLedger(dir);
}

/** Throws Problem when the ledger is no longer what was read. */
function unmoved(now: Batch, before: Fold): void {
  if (now.fold.head === before.head) return;
  throw new Problem('record.moved', 'the ledger grew while content was being read', {
    mend: 'Run it again.',
  });
}

/** Records what verifying the older chain in a file comes to: counts and digests, none of its texts. */
async function importLegacy(ledger: string, at: string, dryRun: boolean): Promise<number> {
  const refuse = (message: string, cause?: unknown) =>
    new Problem('legacy.form', message, {
      at,
      mend: 'Name an article file of the older form: JSON with `slug` and `contributions`.',
      cause,
    });
  let bytes: Uint8Array;
  let verdict: LegacyVerdict | null;
  try {
    bytes = readFileSync(at);
    verdict = verifyLegacy(JSON.parse(noteText(bytes)));
  } catch (cause) {
    throw refuse((cause as Error).message, cause);
  }
  if (verdict === null || verdict.slug === null) throw refuse('it is no such file');
  const file = { sha256: hex(nodeHash(bytes)), bytes: bytes.length };
  const body = legacyBody(verdict, { id: verdict.slug, file });
  const stamp = stampNow();
  const { fold: before } = dryRun ? openLedger(ledger) : await openToAppend(ledger, stamp);
  const build = (batch: Batch): void => {
    const was = batch.fold.legacy.get(postKey(null, body.id))?.current;
    const { replaces: _, ...standing } = was?.entry.body ?? { replaces: null };
    if (isDeepStrictEqual(standing, body)) return;
    batch.add({
      type: 'import.legacy',
      article: null,
      body: { ...body, replaces: was?.leaf ?? null },
    });
  };
  const dry = new Batch(before, stamp);
  build(dry);
  const recorded = dryRun ? dry.recorded : await append(ledger, stamp, build);
  for (const one of recorded) {
    console.log(`${dryRun ? 'would add ' : ''}${describe(one, before)}`);
  }
  if (recorded.length === 0) console.log('Nothing to record: the ledger holds this result.');
  const { claims } = body;
  console.log(
    `records: ${verdict.verified} of ${verdict.records.length} hash and link; of ${claims.shown} claims on the page ${claims.same} as shown, ${claims.other} with other content, ${claims.absent} not at all`,
  );
  return 0;
}

await script('record', main);
