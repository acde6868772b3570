/** `npm run new`: makes a site, an article or a key, and writes over nothing. */
import { randomBytes } from 'node:crypto';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { isSlug } from '../src/articles/parse.ts';
import { COMMANDS, help } from '../src/commands.ts';
import { newKey } from '../src/kit/key.ts';
import { newSite, writeArticle } from '../src/kit/site.ts';
import { BUNDLED } from '../src/probe/bundled.ts';
import { script, Usage } from '../src/script.ts';

const USAGE = help('new').trimEnd();

const readArguments = () =>
  parseArgs({
    allowPositionals: true,
    options: COMMANDS.new.options,
  });

/** Where a site will stand. Throws Usage. */
function place(text: string | undefined): URL | null {
  if (text === undefined) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (
    url === null ||
    !/^https?:$/.test(url.protocol) ||
    url.href.replace(/[/]+$/, '') !== `${url.origin}${url.pathname}`.replace(/[/]+$/, '')
  ) {
    throw new Usage(`${text} is not like https://example.org or https://example.org/sub`);
  }
  return url;
}

async function main(): Promise<void> {
  const { values, positionals } = readArguments();
  if (values.help) {
    console.log(USAGE);
    return;
  }
  const [kind, operand, ...more] = positionals;
  if (operand === undefined || more.length > 0) throw new Usage('say what to make, and where');
  const { INIT_CWD, npm_lifecycle_event } = process.env;
  // npm runs scripts in the package's folder; a path means the folder that its author stands in.
  const here = (npm_lifecycle_event === 'new' && INIT_CWD) || process.cwd();
  if (kind === 'site') {
    const dir = resolve(here, operand);
    const origin = newSite(join(import.meta.dirname, '..'), {
      dir,
      name: values.name ?? 'My weights',
      url: place(values.url),
      origin: values.origin ?? null,
      key: values.key === undefined ? null : resolve(here, values.key),
      random: randomBytes(4).toString('hex'),
    });
    console.log(
      `Made ${dir}, with an empty log that is called ${origin} for ever. Go on there:\n\n  cd ${operand}\n  npm ci && npm start\n\nIts README.md leads to the first article.`,
    );
  } else if (kind === 'article') {
    if (!isSlug(operand)) {
      throw new Usage(`a slug is of a-z, 0-9 and single hyphens, at most 64: not ${operand}`);
    }
    const root = process.cwd();
    // It brings the tokenizer, which a key has no need of.
    const { load } = await import('../src/load.ts');
    const { servers } = (await load({ root })).shared;
    const weighed = servers.find(({ name }) => name === BUNDLED) ?? servers[0];
    const folder = writeArticle(root, operand, weighed?.name ?? null);
    const first = weighed === undefined ? ', without a number: nothing is weighed yet' : '';
    console.log(`Made ${folder}${first}. Read it with \`npm run dev\`; it is a draft.`);
  } else if (kind === 'key') {
    const file = resolve(here, operand);
    const { ledger = 'ledger' } = values;
    const { vkey, placed } = newKey(file, ledger);
    const where = placed ? `now in ${ledger}/vkey` : `not put in: ${ledger}/vkey has one`;
    console.log(`${vkey}\n\nThat is the public half, ${where}. The secret one is in ${file}.`);
  } else throw new Usage(`there is no new ${kind}`);
}

await script('new', main);
