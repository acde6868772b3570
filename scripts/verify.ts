/** `npm run verify`: recomputes the ledger from its bytes. Reads only. */
import { parseArgs } from 'node:util';
import { verifyLedger } from '../src/disk/ledger.ts';
import { Problem } from '../src/problem.ts';

const USAGE = `usage: npm run verify -- [--json] [--ledger DIR]

Recomputes every line, link, tree hash, reference and blob of the ledger from bytes.

  --json        print {ok, entries, root, head, blobs, problems, limits}
  --ledger DIR  the ledger's folder (ledger)
  --help        print this

Exit: 0 it holds, 1 it does not, 2 usage.`;

function main(): number {
  let values: { json: boolean; ledger: string; help: boolean };
  try {
    ({ values } = parseArgs({
      options: {
        json: { type: 'boolean', default: false },
        ledger: { type: 'string', default: 'ledger' },
        help: { type: 'boolean', default: false },
      },
    }));
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${USAGE}`);
    return 2;
  }
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  const began = performance.now();
  const { fold: _, ...verdict } = verifyLedger(values.ledger);
  if (values.json) {
    console.log(JSON.stringify(verdict, null, 2));
    return verdict.ok ? 0 : 1;
  }
  const { ok, entries, blobs, root, head, problems, limits } = verdict;
  const seconds = ((performance.now() - began) / 1000).toFixed(2);
  console.log(`entries  ${entries}\nblobs    ${blobs}\nroot     ${root}\nhead     ${head}`);
  for (const { code, seq, message } of problems) {
    console.log(`${seq === null ? 'ledger' : `entry ${seq}`}: ${message} [${code}]`);
  }
  console.log(ok ? `The ledger holds (${seconds} s).` : 'The ledger does NOT hold.');
  for (const limit of limits) console.log(limit);
  return ok ? 0 : 1;
}

try {
  process.exitCode = main();
} catch (error) {
  if (!(error instanceof Problem)) throw error;
  console.error(error.toString());
  process.exitCode = 1;
}
