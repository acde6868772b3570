/** `npm run build`: builds the static site into dist/, unless content/ says what the ledger does not hold. */
import '../src/pipe.ts';
import { parseArgs } from 'node:util';
import { buildSite, DIST, publishedIn } from '../src/build.ts';
import { help } from '../src/commands.ts';
import { Problem } from '../src/problem.ts';

const USAGE = help('build');

try {
  const { values } = parseArgs({ options: { help: { type: 'boolean', default: false } } });
  if (values.help) process.stdout.write(USAGE);
  else {
    const built = await buildSite(process.cwd());
    process.stdout.write(`built into ${DIST}/: ${publishedIn(built)}\n`);
  }
} catch (error) {
  const usage = error instanceof TypeError && 'code' in error;
  process.stderr.write(
    `${error instanceof Problem ? error : usage ? `${error.message}\n${USAGE}` : (error as Error).stack}\n`,
  );
  process.exitCode = usage ? 2 : 1;
}
