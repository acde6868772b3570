/** `npm run usage-diff`: the difference of what two answers, sessions or rows say that they used. */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { COMMANDS, help } from '../src/commands.ts';
import { readSide } from '../src/gateway/side.ts';
import { differenceOf, type Prices, pricedAt, totalOf, unlike } from '../src/gateway/usage.ts';
import { less } from '../src/measure/decimal.ts';
import { Problem } from '../src/problem.ts';
import { renderUsageDiff, SETTLES, type UsageDiff } from '../src/render/usage.ts';
import { script, Usage, userFolder } from '../src/script.ts';

const USAGE = help('usage-diff').trimEnd();

/** What the command line asks for; null for help. Throws Usage for what it can't mean. */
function asked() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: COMMANDS['usage-diff'].options,
  });
  if (values.help) return null;
  const [a, b, ...more] = positionals;
  if (a === undefined || b === undefined || more.length > 0) throw new Usage('name two files');
  const { force = false, json = false, price } = values;
  return { a, b, force, json, prices: pricesOf(price) };
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
  const cwd = userFolder('usage-diff');
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
