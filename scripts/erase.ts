/** `npm run erase`: forgets the words of a post, and leaves word in the ledger. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { help } from '../src/commands.ts';
import { openLedger } from '../src/disk/ledger.ts';
import { erasePost } from '../src/disk/withdraw.ts';
import { folderQueue } from '../src/intake/folder.ts';
import { QUEUE_DIR } from '../src/intake/mount.ts';
import { remoteQueue } from '../src/intake/remote.ts';
import { Problem } from '../src/problem.ts';
import { script, stampNow, Usage } from '../src/script.ts';

const USAGE = help('erase').trimEnd();

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      reason: { type: 'string', default: 'asked for' },
      site: { type: 'string' },
      ledger: { type: 'string', default: 'ledger' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(USAGE);
    return;
  }
  const [id = '', ...more] = positionals;
  const { ledger, site } = values;
  const reason = values.reason.trim().normalize('NFC');
  if (!/^[0-9a-f]{32}$/.test(id) || more.length > 0) throw new Usage('name one post, by its id');
  if (reason === '') throw new Usage('--reason says why, and never what');
  const key = process.env['TERMINAL_KEY'];
  if (site !== undefined && !key) throw new Usage('--site wants the site’s key in TERMINAL_KEY');
  const taken = openLedger(ledger).fold.objections.has(id);
  const stamp = stampNow();
  const seq = taken ? await erasePost(ledger, stamp, { id, reason }) : null;
  const outcome = { status: 'erased', seq, reason } as const;
  const dir = process.env['INTAKE_DIR'] || QUEUE_DIR;
  let queued = false;
  if (existsSync(join(dir, 'queue.sqlite'))) {
    const queue = folderQueue(dir);
    queued = (await queue.acknowledge(id, outcome)) !== null;
    await queue.close();
  }
  if (site !== undefined) {
    queued = (await remoteQueue(site, key!).acknowledge(id, outcome)) !== null || queued;
  }
  if (!taken && !queued) {
    throw new Problem('erase.unknown', `neither the ledger nor a queue holds a post ${id}`, {
      mend: 'Name the queue of a deployed site with --site URL.',
    });
  }
  console.log(`Erased the words and the salt of ${id}${seq === null ? '' : `: entry #${seq} says so`}.
What was pushed or copied is not erased: rewrite or drop the git history that holds them.`);
}

await script('erase', main);
