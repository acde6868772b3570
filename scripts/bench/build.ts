/**
 * How long a build with every form takes, against a bare Astro site of the same MDX and pages. Both
 * stand in temporary folders; the ledger there holds payloads of fixture servers and nothing real.
 */
import { spawn } from 'node:child_process';
import { cpSync, globSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { reconcile } from '../../src/articles/reconcile.ts';
import { append } from '../../src/disk/append.ts';
import { load } from '../../src/load.ts';
import { FILES, project, STAMP } from '../../tests/articles/fixture.ts';

export const name = 'build';

const ARTICLES = 1_000;
/** How many times as long as the bare site it may take. */
const TIMES = 2.5;
/** Pages of the bare site beside its articles: the index and the one for what is not there. */
const BARE = 2;
const FIXTURE = 'articles/what-fixtures-cost';
const root = resolve(import.meta.dirname, '../..');

export async function run(articles = ARTICLES): Promise<{ rows: string[]; ok: boolean }> {
  const content = synthetic(articles);
  const site = await project(content);
  const bare = await project({});
  try {
    await whole(site.root);
    const ours = await build(site.root, join(site.root, 'scripts/build.ts'), '--no-cards');
    const [pages, forms] = [count(site.root, 'html'), count(site.root, '{json,md}')];
    await bareSite(bare.root, content, pages - articles - BARE);
    const base = await build(bare.root, join(root, 'node_modules/astro/bin/astro.mjs'), 'build');
    const barePages = count(bare.root, 'html');
    if (forms < 3 * articles || pages < articles || pages !== barePages) {
      throw new Error(`${pages} pages against ${barePages}, ${forms} other forms`);
    }
    site.edit('articles/synthetic-0/claims.yaml', 'The fixtures come to', 'They come to');
    await recorded(site.root);
    const again = await build(site.root, join(site.root, 'scripts/build.ts'), '--no-cards');
    const ratio = ours.ms / base.ms;
    const told = ({ ms, mb }: Built) => `${(ms / 1000).toFixed(1)} s, ${Math.round(mb)} MB at most`;
    return {
      rows: [
        `${pages} pages of ${articles} articles with ${forms} other forms: ${told(ours)}`,
        `the same MDX on as many pages, bare: ${told(base)}`,
        `${ratio.toFixed(2)} times as long; no more than ${TIMES} wanted`,
        `again after one claim changed: ${told(again)}, ${(again.ms / ours.ms).toFixed(2)} of the first`,
      ],
      ok: ratio <= TIMES,
    };
  } finally {
    site.remove();
    bare.remove();
  }
}

/** The fixture's article many times over, each with prose and slug of its own. */
function synthetic(articles: number): Record<string, string | null> {
  const files: Record<string, string | null> = {};
  for (const path of Object.keys(FILES)) if (path.startsWith(FIXTURE)) files[path] = null;
  const words = ['payload', 'catalogue', 'schema', 'definition', 'window', 'tokenizer', 'receipt'];
  for (let i = 0; i < articles; i++) {
    const word = (j: number): string => words[(i * 7 + j * 3 + Math.floor(i / 7)) % words.length]!;
    const paragraph = (j: number): string =>
      Array.from({ length: 60 }, (_, k) => word(j * 60 + k)).join(' ');
    const prose = [1, 2, 3, 4]
      .map((j) => `### On the ${word(j)} and the ${word(j + 1)}\n\n${paragraph(j)}.\n`)
      .join('\n');
    const code = `\`\`\`json\n{ "article": ${i}, "of": "${word(0)}" }\n\`\`\`\n`;
    for (const [path, source] of Object.entries(FILES)) {
      if (!path.startsWith(FIXTURE)) continue;
      const own = path.endsWith('symptoms.yaml')
        ? source.replaceAll(/^- id: .*/gm, `$&-${i}`)
        : source;
      files[path.replace(FIXTURE, `articles/synthetic-${i}`)] = path.endsWith('index.mdx')
        ? `${own}\n${prose}\n${code}`
        : own;
    }
  }
  return files;
}

/** Makes the folder a whole copy of this project and records its content. */
async function whole(into: string): Promise<void> {
  rmSync(join(into, 'src'));
  for (const path of [
    'src',
    'scripts',
    'public',
    'astro.config.mjs',
    'package.json',
    'tsconfig.json',
  ]) {
    cpSync(join(root, path), join(into, path), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(into, 'node_modules'));
  await recorded(into);
}

/** Brings the folder's ledger up to its content. */
async function recorded(into: string): Promise<void> {
  const loaded = await load({ root: into });
  if (loaded.problems[0] !== undefined) throw loaded.problems[0];
  await append(join(into, 'ledger'), STAMP, (batch) => {
    reconcile(batch, loaded);
  });
}

/** The least that Astro needs to show the same MDX on as many pages; `more` pages hold nothing else. */
async function bareSite(
  into: string,
  content: Record<string, string | null>,
  more: number,
): Promise<void> {
  rmSync(join(into, 'src'));
  symlinkSync(join(root, 'node_modules'), join(into, 'node_modules'));
  const files: Record<string, string> = {
    'package.json': '{ "type": "module" }',
    'astro.config.mjs': `import mdx from '@astrojs/mdx';
export default { integrations: [mdx()] };
`,
    'src/content.config.ts': `import { defineCollection } from 'astro:content';
import { glob } from 'astro/loaders';
export const collections = {
  articles: defineCollection({ loader: glob({ pattern: '*/index.mdx', base: './content/articles' }) }),
};
`,
    'src/Id.astro': '<b>{Astro.props.id}</b>\n',
    'src/pages/index.astro': '<h1>Bare</h1>\n',
    'src/pages/404.astro': '<h1>Bare</h1>\n',
    'src/pages/more/[page].astro': `---
export const getStaticPaths = () =>
  Array.from({ length: ${more} }, (_, page) => ({ params: { page: String(page) } }));
---
<html lang="en"><body><h1>{Astro.params.page}</h1></body></html>
`,
    'src/pages/a/[slug].astro': `---
import { getCollection, render } from 'astro:content';
import Id from '../../Id.astro';
export const getStaticPaths = async () =>
  (await getCollection('articles')).map((entry) => ({ params: { slug: entry.id }, props: { entry } }));
const { Content } = await render(Astro.props.entry);
---
<html lang="en"><body><Content components={{ Fig: Id, Cite: Id, Claim: Id, DataTable: Id, Symptoms: Id }} /></body></html>
`,
  };
  for (const [path, source] of Object.entries(content)) {
    if (source !== null && path.endsWith('index.mdx')) files[`content/${path}`] = source;
  }
  rmSync(join(into, 'content'), { recursive: true });
  for (const [path, source] of Object.entries(files)) {
    mkdirSync(join(into, path, '..'), { recursive: true });
    writeFileSync(join(into, path), source);
  }
}

interface Built {
  ms: number;
  /** The most that its process took. */
  mb: number;
}

/** Has a process say at its end, on stderr, how many kB it took at most. */
const TELLS = `data:text/javascript,${encodeURIComponent(
  `process.on('exit', () => console.error('maxRSS', process.resourceUsage().maxRSS))`,
)}`;

/** A build in a process of its own. */
async function build(cwd: string, ...args: string[]): Promise<Built> {
  const began = performance.now();
  const child = spawn(process.execPath, ['--import', TELLS, ...args], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      ASTRO_TELEMETRY_DISABLED: '1',
      NODE_OPTIONS: '--max-old-space-size=4096',
    },
  });
  const ended = new Promise<number | null>((done) => child.on('close', done));
  const [output, errors, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  if (code !== 0) throw new Error(`the build of ${cwd} failed:\n${output}${errors}`);
  const ms = performance.now() - began;
  return { ms, mb: Number(/maxRSS (\d+)/.exec(errors)?.[1]) / 1000 };
}

function count(cwd: string, extension: string): number {
  return globSync(`dist/**/*.${extension}`, { cwd }).length;
}
