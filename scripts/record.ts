/** `npm run record`: brings the ledger up to content/, in one append or not at all. */
import { parseArgs } from 'node:util';
import { describe, reconcile } from '../src/articles/reconcile.ts';
import { help } from '../src/commands.ts';
import { append } from '../src/disk/append.ts';
import { Batch } from '../src/ledger/batch.ts';
import { load } from '../src/load.ts';
import { Problem } from '../src/problem.ts';

const USAGE = help('record').trimEnd();

async function main(): Promise<number> {
  let dryRun: boolean | undefined;
  try {
    const { values } = parseArgs({
      options: { 'dry-run': { type: 'boolean' }, help: { type: 'boolean' } },
    });
    if (values.help) {
      console.log(USAGE);
      return 0;
    }
    dryRun = values['dry-run'];
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${USAGE}`);
    return 2;
  }
  const root = process.cwd();
  const loaded = await load({ root });
  const before = loaded.ledger.fold;
  const stamp = {
    actor: process.env['WEIGHBRIDGE_ACTOR'] ?? 'weighbridge',
    ts: new Date().toISOString(),
  };
  const batch = new Batch(before, stamp);
  const problems = [...loaded.problems, ...reconcile(batch, loaded)];
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
      if (now.fold.head !== before.head) {
        throw new Problem('record.moved', 'the ledger grew while content was being read', {
          mend: 'Run it again.',
        });
      }
      reconcile(now, loaded);
    });
  }
  for (const line of words) console.log(dryRun ? `would add ${line}` : line);
  const noun = words.length === 1 ? 'entry' : 'entries';
  console.log(`${dryRun ? 'Would record' : 'Recorded'} ${words.length} ${noun}.`);
  return 0;
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error instanceof Problem ? error.toString() : error);
  process.exitCode = 1;
}
