/** `npm run resolve`: answers a post in public. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { help } from '../src/commands.ts';
import { resolvePost } from '../src/intake/decide.ts';
import { folderQueue } from '../src/intake/folder.ts';
import { QUEUE_DIR } from '../src/intake/mount.ts';
import { script, stampNow, Usage } from '../src/script.ts';

const USAGE = help('resolve').trimEnd();

await script('resolve', async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      with: { type: 'string' },
      claim: { type: 'string' },
      ledger: { type: 'string', default: 'ledger' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) console.log(USAGE);
  else {
    const [id = '', ...more] = positionals;
    const answer = values.with?.trim().normalize('NFC') ?? '';
    if (!/^[0-9a-f]{32}$/.test(id) || more.length > 0) throw new Usage('name one post, by its id');
    if (answer === '') throw new Usage('--with gives the answer');
    const stamp = stampNow();
    const claim = values.claim ?? null;
    const outcome = await resolvePost(values.ledger, stamp, { id, answer, claim });
    const dir = process.env['INTAKE_DIR'] || QUEUE_DIR;
    if (existsSync(join(dir, 'queue.sqlite'))) {
      const queue = folderQueue(dir);
      await queue.acknowledge(id, outcome);
      await queue.close();
    }
    console.log(`Answered ${id}: entry #${outcome.seq}. It is shown after the next build.`);
  }
});
