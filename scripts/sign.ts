/** `npm run sign`: publishes a signed checkpoint of the ledger as it stands. */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { help } from '../src/commands.ts';
import { broken } from '../src/disk/checkpoints.ts';
import { signLedger } from '../src/disk/sign.ts';
import { parseSkey } from '../src/ledger/note.ts';
import { Problem } from '../src/problem.ts';

const USAGE = help('sign').trimEnd();

async function main(): Promise<number> {
  let values: { 'dry-run': boolean; ledger: string; help: boolean };
  try {
    ({ values } = parseArgs({
      options: {
        'dry-run': { type: 'boolean', default: false },
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
  const file = process.env['LEDGER_KEY_FILE'];
  if (file === undefined || file === '') {
    console.error(`LEDGER_KEY_FILE names no file\n\n${USAGE}`);
    return 2;
  }
  const mend = 'Name the file that holds the secret key in LEDGER_KEY_FILE.';
  const text = keyFile(file, mend, () => readFileSync(file, 'utf8'));
  const skey = broken(file, mend, () => parseSkey(text));
  const dryRun = values['dry-run'];
  const { size, before, note, path } = await signLedger(values.ledger, skey, { dryRun });
  if (note === null) {
    console.log(
      `Nothing to sign: ${size === 0 ? 'the ledger is empty' : `all ${size} entries are signed`}.`,
    );
    return 0;
  }
  const grew =
    before === null ? 'the first checkpoint' : `proven to begin with the ${before} before`;
  console.log(`${dryRun ? 'Would sign' : 'Signed'} ${size} entries, ${grew}: ${path}\n\n${note}`);
  return 0;
}

function keyFile<T>(at: string, mend: string, act: () => T): T {
  try {
    return act();
  } catch (cause) {
    throw new Problem('sign.file', (cause as Error).message, { at, mend, cause });
  }
}

try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof Problem)) throw error;
  console.error(error.toString());
  process.exitCode = 1;
}
