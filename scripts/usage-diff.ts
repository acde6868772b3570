/** `npm run usage-diff`: the difference of what two answers, sessions or rows say that they used. */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { help } from '../src/commands.ts';
import { readSide } from '../src/gateway/side.ts';
import { differenceOf, type Prices, pricedAt, totalOf, unlike } from '../src/gateway/usage.ts';
import { less } from '../src/measure/decimal.ts';
import { Problem } from '../src/problem.ts';
import { renderUsageDiff, SETTLES, type UsageDiff } from '../src/render/usage.ts';
import { script, Usage } from '../src/script.ts';

const USAGE = help('usage-diff').trimEnd();

/** What the command line asks for; null for help. Throws Usage for what it can't mean. */
function asked() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      price: { type: 'string' },
      force: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return null;
  const [a, b, ...more] = positionals;
  if (a === undefined || b === undefined || more.length > 0) throw new Usage('name two files');
  return { a, b, force: values.force, json: values.json, prices: pricesOf(values.price) };
}

function pricesOf(text: string | undefined): Prices | null {
  if (text === undefined) return null;
  const parts = text.split(',');
  const [input = '', cached = '', write = '', output = ''] = parts;
  if (parts.length === 4 && parts.every((part) => /^(?:0|[1-9]\d*)(?:\.\d{1,9})?$/.test(part))) {
    return { input, cached, write, output };
  }
  throw new Usage('--price takes four prices with commas between: IN,CACHED,WRITE,OUT');
}

async function main(): Promise<number> {
  const wish = asked();
  if (wish === null) {
    console.log(USAGE);
    return 0;
  }
  const { INIT_CWD, npm_lifecycle_event: event, npm_package_name: name } = process.env;
  // npm runs our own script in the package's folder; files are named from where the user is.
  const cwd = (event === 'usage-diff' && name === 'weighbridge' && INIT_CWD) || process.cwd();
  const side = async (from: string) => {
    const { rows, unread } = await readSide(from, (path) => resolve(cwd, path));
    const total = totalOf(rows);
    if (total.requests === 0) {
      throw new Problem('usage.empty', 'no answer of a model is in it', {
        at: from,
        mend: 'Give one whose `usage` says what was used; --help names the forms.',
      });
    }
    return { ...total, from, unread: [...unread.values()].reduce((sum, n) => sum + n, 0) };
  };
  const [a, b] = [await side(wish.a), await side(wish.b)];
  const reasons = unlike(a, b);
  if (reasons.length > 0 && !wish.force) {
    console.error(
      `Not compared: ${reasons.join('; ')} [usage.unlike]\n  Compare like with like, or say --force.`,
    );
    return 3;
  }
  const { prices } = wish;
  const at = prices && { a: pricedAt(a, prices), b: pricedAt(b, prices) };
  const report: UsageDiff = {
    kind: 'usage_diff',
    ...{ a, b, unlike: reasons, settles: SETTLES },
    difference: differenceOf(a, b),
    priced: at && { ...at, difference: at.a === null || at.b === null ? null : less(at.b, at.a) },
  };
  process.stdout.write(
    wish.json ? `${JSON.stringify(report, null, 2)}\n` : renderUsageDiff(report),
  );
  return 0;
}

await script('usage-diff', main);
