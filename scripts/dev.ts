/** `npm run dev`: shows content/ as it stands, drafts and all, under a banner that says what is not recorded. */
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { COMMANDS, help } from '../src/commands.ts';
import { Problem } from '../src/problem.ts';
import { portNumber, script } from '../src/script.ts';

const USAGE = help('dev');

await script('dev', async () => {
  const { values } = parseArgs({
    options: COMMANDS.dev.options,
  });
  if (values.help) return void process.stdout.write(USAGE);
  const port = portNumber(values.port ?? '4321');
  if (!existsSync('src/pages')) {
    throw new Problem('content.missing', 'there is no site here', {
      mend: 'Go into a project of Weighbridge; `weighbridge new site DIR` makes one.',
    });
  }
  // Read by Astro when it is imported: a dev server tells nobody about itself.
  process.env['ASTRO_TELEMETRY_DISABLED'] = '1';
  const { dev } = await import('astro');
  await dev({
    root: process.cwd(),
    server: { host: 'localhost', port },
  });
});
