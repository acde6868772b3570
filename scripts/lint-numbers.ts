/** `npm run lint:numbers`: every number in content/ is a figure, exempt, or explained. */
import { parseArgs } from 'node:util';
import { load } from '../src/load.ts';
import { Problem } from '../src/problem.ts';

const USAGE = `Usage: npm run lint:numbers

Names each number in content/ that is bound to no figure, with its file, line and column and the
figure that it is nearest to. Exit 0: none. 1: some. 2: usage.`;

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
