/** `npm run lint:numbers`: every number in content/ is a figure, exempt, or explained. */
import '../src/pipe.ts';
import { parseArgs } from 'node:util';
import { help } from '../src/commands.ts';
import { load } from '../src/load.ts';
import { Problem } from '../src/problem.ts';

const USAGE = help('lint-numbers').trimEnd();
/** A number without a figure, and whatever keeps a text, or the words of a table, from being read. */
const KEEPS_UNREAD = /^(?:number|mdx|yaml|text|article|figures)[.]/;

try {
  const { values } = parseArgs({ options: { help: { type: 'boolean' } } });
  if (values.help) console.log(USAGE);
  else {
    const { problems, unread } = await load({ root: process.cwd() });
    // What can't be read can't be linted either, so then everything is said.
    const unbound = problems.filter(({ code }) => unread.length > 0 || KEEPS_UNREAD.test(code));
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
