/** `npm run erase`: forgets the words of a post, and leaves word in the ledger. */
import { parseArgs } from 'node:util';
import { COMMANDS, help } from '../src/commands.ts';
import { openLedger } from '../src/disk/ledger.ts';
import { erasePost } from '../src/disk/withdraw.ts';
import { tell } from '../src/intake/decide.ts';
import { tellQueue } from '../src/intake/folder.ts';
import { queueDir } from '../src/intake/mount.ts';
import { remoteQueue } from '../src/intake/remote.ts';
import { Problem } from '../src/problem.ts';
import { said, script, stampNow, Usage } from '../src/script.ts';

const USAGE = help('erase').trimEnd();

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: COMMANDS.erase.options,
  });
  if (values.help) {
    console.log(USAGE);
    return;
  }
  const [id = '', ...more] = positionals;
  const { ledger = 'ledger', site } = values;
  const reason = said('reason', values.reason ?? 'asked for');
  if (!/^[0-9a-f]{32}$/.test(id) || more.length > 0) throw new Usage('name one post, by its id');
  if (reason === '') throw new Usage('--reason says why, and never what');
  const key = process.env['TERMINAL_KEY'];
  if (site !== undefined && !key) throw new Usage('--site wants the site’s key in TERMINAL_KEY');
  const taken = openLedger(ledger).fold.objections.has(id);
  const stamp = stampNow();
  const seq = taken ? await erasePost(ledger, stamp, { id, reason }) : null;
  const outcome = { status: 'erased', seq, reason } as const;
  const here = () => tellQueue(queueDir(process.cwd()), id, outcome);
  const there = async () =>
    site !== undefined && (await remoteQueue(site, key!).acknowledge(id, outcome)) !== null;
  // Both are told, whatever one of them answers.
  const told = await Promise.allSettled([here(), there()]);
  const queued = await tell(
    seq === null ? null : `erased in the ledger (entry #${seq})`,
    async () => {
      for (const one of told) if (one.status === 'rejected') throw one.reason;
      return told.some((one) => one.status === 'fulfilled' && one.value);
    },
  );
  if (!taken && !queued) {
    throw new Problem('erase.unknown', `neither the ledger nor a queue holds a post ${id}`, {
      mend: 'Name the queue of a deployed site with --site URL.',
    });
  }
  console.log(`Erased the words and the salt of ${id}${seq === null ? '' : `: entry #${seq} says so`}.
What was pushed or copied is not erased: rewrite or drop the git history that holds them.`);
}

await script('erase', main);
