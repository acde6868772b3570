/**
 * Makes a project of its own out of this one: the code with its tests, an empty log, the server that
 * comes along, one draft. It takes along no article, no entry and no key of ours, and it writes into
 * a new folder alone.
 */
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { parseServers } from '../articles/servers.ts';
import { isOrigin } from '../ledger/genesis.ts';
import { BUNDLED } from '../probe/bundled.ts';
import { Problem, refused } from '../problem.ts';
import { articleFiles } from './article.ts';
import { checkKeyPlace, exists, isInside, newKey, writeNew } from './key.ts';
import { type Kit, packKit, readKit, unpackKit } from './pack.ts';

export interface Wish {
  /** Where it will be, absolute; absent, empty, or a repository without a file. */
  dir: string;
  /** What the site is called. */
  name: string;
  /** Where it will stand, its base path included; null for this machine. */
  url: URL | null;
  /** The log's name for ever; null to have one made from the URL, or else from `random`. */
  origin: string | null;
  /** Where the secret key goes; null for a log without signatures. */
  key: string | null;
  /** Eight characters that nobody else has. */
  random: string;
}

/** What a project is made of and npm leaves out of a package, by its rules or by ours. */
const UNPACKED = [
  '.biome.jsonc',
  '.ci',
  '.gitignore',
  '.npmrc',
  'content',
  'ledger/.gitattributes',
  'ledger/.gitignore',
  'package-lock.json',
  'tests',
];
/** All that a project is made of; the rest is ours or can be made again. */
const PARTS = [
  ...UNPACKED,
  'LICENSE',
  'astro.config.mjs',
  'package.json',
  'public/_headers',
  'public/favicon.svg',
  'scripts',
  'src',
  'tsconfig.json',
];
const SERVERS = 'content/servers.yaml';
/** Of those, what is our own or is written anew; the lists that stay (clients, prices) are for all. */
const OURS = ['content/articles', SERVERS, 'content/tokenizers.yaml', 'tests/content'];
const isOurs = (path: string): boolean =>
  OURS.some((own) => path === own || path.startsWith(`${own}/`));
const FIRST = 'first-article';

/**
 * Makes it from the clone or the installed package at `from` and gives the log's name. Throws Problem
 * `new.clone` when that is neither, `new.exists`, `new.inside`, `new.name` or `new.origin` before
 * anything is written.
 */
export function newSite(from: string, wish: Wish): string {
  const { dir, name, url } = wish;
  const kit = readKit(from);
  const isThere = (part: string) =>
    existsSync(join(from, part)) || (kit !== null && UNPACKED.includes(part));
  const missing = PARTS.find((part) => !isThere(part));
  if (missing !== undefined) {
    throw new Problem(
      'new.clone',
      `a site is made from a clone or a whole package, and this has no ${missing}`,
      {
        at: from,
        mend: 'Clone the repository of Weighbridge, then run `npm ci` and `npm run new -- site DIR` there.',
      },
    );
  }
  if (isInside(dir, from)) {
    throw new Problem('new.inside', 'a site has no place in the project that it is made from', {
      at: dir,
      mend: `Name a folder outside ${from}.`,
    });
  }
  if (existsSync(dir) && readdirSync(dir).some((entry) => entry !== '.git')) throw exists(dir);
  if (!/^[^\p{C}\p{Zl}\p{Zp}]+$/u.test(name) || name !== name.normalize('NFC').trim()) {
    throw new Problem('new.name', `a site can't be called ${JSON.stringify(name)}`, {
      mend: 'Name it on one line, in Unicode NFC, without spaces around it.',
    });
  }
  const base = baseOf(url);
  const own = basename(dir).replace(/[\s+]+/g, '-');
  const origin =
    wish.origin ?? `${url === null ? `${own}-${wish.random}` : url.host + base}/ledger`;
  if (!isOrigin(origin)) {
    throw new Problem('new.origin', `a log can't be called ${JSON.stringify(origin)}`, {
      mend: 'Name it with --origin, without white space and "+": example.org/ledger.',
    });
  }
  if (wish.key !== null) checkKeyPlace(wish.key, dir);

  const was = existsSync(dir);
  try {
    fill(dir, from, kit, wish, origin);
  } catch (cause) {
    // Somebody else writes there at the same time: nothing of it is ours to take away.
    if (cause instanceof Problem && cause.code === 'new.exists') throw cause;
    // It was empty but for a repository: what stands there now is half of a site, and in the way.
    for (const entry of existsSync(dir) ? readdirSync(dir) : []) {
      if (entry !== '.git') rmSync(join(dir, entry), { recursive: true, force: true });
    }
    if (!was) rmSync(dir, { recursive: true, force: true });
    throw (cause as NodeJS.ErrnoException).syscall === undefined
      ? cause
      : refused('new.file', cause, dir);
  }
  return origin;
}

/** Writes all files of the site; stops where one can't be written. */
function fill(dir: string, from: string, kit: Kit | null, wish: Wish, origin: string): void {
  const { name, url } = wish;
  const base = baseOf(url);
  for (const part of PARTS) {
    mkdirSync(dirname(join(dir, part)), { recursive: true });
    // The clone's own come first: a kit that was packed there once is older than they are.
    if (existsSync(join(from, part))) {
      cpSync(join(from, part), join(dir, part), {
        recursive: true,
        filter: (path) => !isOurs(relative(from, path).replaceAll('\\', '/')),
      });
    } else unpackKit(kit ?? {}, part, dir, (path) => !isOurs(path));
  }
  const home = readFileSync(join(from, 'src/site.ts'), 'utf8');
  writeFileSync(
    join(dir, 'src/site.ts'),
    home.replace(
      /^export const HOME = \{\n(?: {2}.*\n)*\};$/m,
      () => `export const HOME = {
  name: ${quoted(name)},
  url: ${quoted(url?.origin ?? 'http://localhost:4321')},
  base: ${quoted(base)},
};`,
    ),
  );
  const clients = readFileSync(join(dir, 'content/clients.yaml'), 'utf8');
  writeFileSync(
    join(dir, 'content/clients.yaml'),
    clients.replace(/^baseline_servers: .*$/m, `baseline_servers: [${BUNDLED}]`),
  );
  const servers = existsSync(join(from, SERVERS))
    ? readFileSync(join(from, SERVERS), 'utf8')
    : (kit?.[SERVERS] ?? '');
  writeNew(join(dir, SERVERS), serversOf(servers));
  writeNew(join(dir, 'content/tokenizers.yaml'), TOKENIZERS);
  writeArticle(dir, FIRST, null);
  writeNew(join(dir, 'ledger/origin'), `${origin}\n`);
  if (wish.key !== null) newKey(wish.key, join(dir, 'ledger'));
  writeNew(join(dir, 'README.md'), readme(name));
}

/** `''` at the root of a host, else `/sub`. */
const baseOf = (url: URL | null): string => url?.pathname.replace(/\/+$/, '') ?? '';

/** What a package of the clone at `root` has to hold beside what npm puts in, so that it can make a site. */
export function packSite(root: string): Kit {
  return packKit(root, UNPACKED, (path) => !isOurs(path) || path === SERVERS);
}

/** Writes the folder of a new article. Throws Problem `new.exists`. */
export function writeArticle(root: string, slug: string, weighed: string | null): string {
  const folder = `content/articles/${slug}`;
  if (existsSync(join(root, folder))) throw exists(folder);
  mkdirSync(join(root, folder), { recursive: true });
  for (const [name, text] of Object.entries(articleFiles(weighed))) {
    writeNew(join(root, folder, name), text);
  }
  return folder;
}

/** A string in single quotes, as the formatter has it. */
const quoted = (text: string): string =>
  text.includes("'") && !text.includes('"')
    ? JSON.stringify(text)
    : `'${text.replace(/[\\']/g, '\\$&')}'`;

/** The one server that is in node_modules already, so that it can be weighed at once. */
function serversOf(all: string): string {
  const server = parseServers(all).find((one) => one.name === BUNDLED)!;
  return `# The servers that are weighed, at exact versions: \`npm run refresh\` captures each as it stands here.
# as_of pins what a package depends on to what the registry held when that day began.
# env and args hold placeholders only, never a secret. licence is that of the package.
- name: ${server.name}
  package: "${server.package}"
  version: ${server.version}
  as_of: ${server.as_of}
  licence: ${server.licence}
`;
}

/** The others of TOKENIZERS are large; whoever wants them adds them. */
const TOKENIZERS = `# The tokenizers whose counts of the weighed servers' definitions are recorded, beside o200k_base.
# qwen3, gemma3, llama3 and deepseek_v3 can be added: \`npm run refresh\` then installs their
# vocabularies (58 to 242 MB each) into .cache/, counts, and records what came.
- cl100k_base
`;

const readme = (name: string): string => `# ${name}

A site whose numbers carry receipts, made with Weighbridge: what MCP servers answer is kept byte for
byte in \`ledger/\`, and every number in an article is derived from it again at each build.

\`\`\`sh
npm ci && npm start     # verify the ledger, weigh the server that comes along, build, serve
npm run refresh         # weigh the servers of content/servers.yaml; into the ledger
npm test                # every check; what is weighed must be what the ledger holds
\`\`\`

## The first article

\`\`\`sh
git init && git add -A && git commit -m "Begin"
npm run new -- article my-article      # a draft with a number from it
npm run dev                            # read it at http://localhost:4321 while you write
npm run sources                        # look for its quotes at their sources
\`\`\`

Write it over: \`content/articles/my-article/\`. Set \`status: published\` in its index.mdx, then

\`\`\`sh
npm run record && npm test             # into the ledger; nothing in it is changed again
\`\`\`

\`content/articles/${FIRST}/\` is a draft that says what a definition holds; publish it or take it
away.

## Where it stands

Name, URL and base path are in \`src/site.ts\`; \`npm run build\` writes a static site into \`dist/\` for
any host. The log's name is in \`ledger/origin\` and can't be changed once there is an entry.
\`npm run new -- key FILE\` makes its key, \`LEDGER_KEY_FILE=FILE npm run sign\` signs what it holds.
`;
