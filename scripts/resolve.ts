/** `npm run resolve`: answers a post in public. */
import { parseArgs } from 'node:util';
import { COMMANDS, help } from '../src/commands.ts';
import { resolvePost, tell } from '../src/intake/decide.ts';
import { tellQueue } from '../src/intake/folder.ts';
import { queueDir } from '../src/intake/mount.ts';
import { said, script, stampNow, Usage } from '../src/script.ts';

const USAGE = help('resolve').trimEnd();

await script('resolve', async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: COMMANDS.resolve.options,
  });
  if (values.help) console.log(USAGE);
  else {
    const [id = '', ...more] = positionals;
    const answer = said('with', values.with);
    if (!/^[0-9a-f]{32}$/.test(id) || more.length > 0) throw new Usage('name one post, by its id');
    if (answer === '') throw new Usage('--with gives the answer');
    const stamp = stampNow();
    const { claim = null, ledger = 'ledger' } = values;
    const outcome = await resolvePost(ledger, stamp, { id, answer, claim });
    await tell(`answered in the ledger (entry #${outcome.seq})`, () =>
      tellQueue(queueDir(process.cwd()), id, outcome),
    );
    console.log(`Answered ${id}: entry #${outcome.seq}. It is shown after the next build.`);
  }
});
