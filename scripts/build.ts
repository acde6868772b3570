/** `npm run build`: builds the static site into dist/, unless content/ says what the ledger does not hold. */
import { parseArgs } from 'node:util';
import { buildSite, DIST, publishedIn } from '../src/build.ts';
import { COMMANDS, help } from '../src/commands.ts';
import { script } from '../src/script.ts';

const USAGE = help('build');

await script('build', async () => {
  const { values } = parseArgs({ options: COMMANDS.build.options });
  if (values.help) process.stdout.write(USAGE);
  else {
    const built = await buildSite(process.cwd(), { cards: values['no-cards'] !== true });
    process.stdout.write(`built into ${DIST}/: ${publishedIn(built)}\n`);
  }
});
