/** `npm run lint:numbers`: every number in content/ is a figure, exempt, or explained. */
import { parseArgs } from 'node:util';
import { COMMANDS, help } from '../src/commands.ts';
import { load } from '../src/load.ts';
import { script } from '../src/script.ts';

const USAGE = help('lint-numbers').trimEnd();
/** A number without a figure, and whatever keeps a text, or the words of a table, from being read. */
const KEEPS_UNREAD = /^(?:number|mdx|yaml|text|article|figures)[.]/;

await script('lint-numbers', async () => {
  const { values } = parseArgs({ options: COMMANDS['lint-numbers'].options });
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  const { problems, unread } = await load({ root: process.cwd() });
  // What can't be read can't be linted either, so then everything is said.
  const unbound = problems.filter(({ code }) => unread.length > 0 || KEEPS_UNREAD.test(code));
  for (const problem of unbound) console.error(problem.toString());
  if (unbound.length > 0) return 1;
  console.log('Every number in content/ is bound, exempt or explained.');
  return 0;
});
