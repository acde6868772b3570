/** `npm run lint:numbers`: every number in content/ is a figure, exempt, or explained. */
import { parseArgs } from 'node:util';
import { help } from '../src/commands.ts';
import { load } from '../src/load.ts';
import { Problem } from '../src/problem.ts';

const USAGE = help('lint-numbers').trimEnd();

try {
  const { values } = parseArgs({ options: { help: { type: 'boolean' } } });
  if (values.help) console.log(USAGE);
  else {
    const { problems, unread } = await load({ root: process.cwd() });
    // What can't be read can't be linted either, so then everything is said.
    const unbound = problems.filter(({ code }) => unread.length > 0 || code.startsWith('number.'));
    for (const problem of unbound) console.error(problem.toString());
    if (unbound.length > 0) process.exitCode = 1;
    else console.log('Every number in content/ is bound, exempt or explained.');
  }
} catch (error) {
  if (error instanceof Problem) {
    console.error(error.toString());
    process.exitCode = 1;
  } else {
    console.error(`${(error as Error).message}\n\n${USAGE}`);
    process.exitCode = 2;
  }
}
