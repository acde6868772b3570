/** `npm run dev`: shows content/ as it stands, drafts and all, under a banner that says what is not recorded. */
import '../src/pipe.ts';
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { help } from '../src/commands.ts';
import { Problem } from '../src/problem.ts';

const USAGE = help('dev');

/** What was asked for, or null after saying why it cannot be. */
function asked() {
  try {
    return parseArgs({
      options: {
        port: { type: 'string', default: '4321' },
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${USAGE}`);
    process.exitCode = 2;
    return null;
  }
}

const values = asked();
if (values?.help) process.stdout.write(USAGE);
else if (values !== null && !existsSync('src/pages')) {
  const mend = 'Go into a project of Weighbridge; `weighbridge new site DIR` makes one.';
  process.stderr.write(`${new Problem('content.missing', 'there is no site here', { mend })}\n`);
  process.exitCode = 1;
} else if (values !== null) {
  // Read by Astro when it is imported: a dev server tells nobody about itself.
  process.env['ASTRO_TELEMETRY_DISABLED'] = '1';
  const { dev } = await import('astro');
  await dev({ root: process.cwd(), server: { host: 'localhost', port: Number(values.port) } });
}
