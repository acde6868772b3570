/** `npm run sign`: publishes a signed checkpoint of the ledger as it stands. */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { COMMANDS, help } from '../src/commands.ts';
import { broken } from '../src/disk/checkpoints.ts';
import { rotateKey, signLedger } from '../src/disk/sign.ts';
import { parseSkey, type Skey } from '../src/ledger/note.ts';
import { Problem } from '../src/problem.ts';
import { script, stampNow, Usage } from '../src/script.ts';

const USAGE = help('sign').trimEnd();

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: COMMANDS.sign.options,
  });
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  const { ledger = 'ledger', rotate, 'dry-run': dryRun = false } = values;
  if (rotate !== undefined && dryRun) {
    throw new Usage('--rotate is not to be had dry: the old key signs it into the log');
  }
  const file = process.env['LEDGER_KEY_FILE'];
  if (file === undefined || file === '') throw new Usage('LEDGER_KEY_FILE names no file');
  const skey = readSkey(file, 'Name the file that holds the secret key in LEDGER_KEY_FILE.');
  if (rotate !== undefined) {
    const to = readSkey(rotate, 'Make one with `npm run new -- key FILE` and name that file.');
    const { size, note } = await rotateKey(ledger, skey, to, stampNow());
    const { name, id } = to.vkey;
    console.log(`${name}+${id} signs from now on; LEDGER_KEY_FILE must name its file.`);
    console.log(note === null ? `All ${size} entries are signed.` : `Signed ${size}:\n\n${note}`);
    return 0;
  }
  const { size, before, note, path } = await signLedger(ledger, skey, { dryRun });
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

/** The secret key in a file. Throws Problem `sign.file` or that of its form. */
function readSkey(at: string, mend: string): Skey {
  let text: string;
  try {
    text = readFileSync(at, 'utf8');
  } catch (cause) {
    throw new Problem('sign.file', (cause as Error).message, { at, mend, cause });
  }
  return broken(at, mend, () => parseSkey(text));
}

await script('sign', main);
