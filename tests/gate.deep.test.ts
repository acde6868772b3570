import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { site } from '../src/site.ts';
import { checkout, node } from './checkout.ts';

/** One copy for what follows: its prose says a sentence that the ledger does not hold. */
const root = checkout(after);
const slug = readdirSync(join(root, 'content/articles'))[0] ?? '';
const SENTENCE = 'This sentence stands in no ledger.';
const index = join(root, `content/articles/${slug}/index.mdx`);
// A site that was just made has drafts alone.
const prose = readFileSync(index, 'utf8').replace(/^status: draft$/m, 'status: published');
writeFileSync(index, `${prose}\n${SENTENCE}\n`);

for (const [how, args] of [
  ['npm run build', ['scripts/build.ts']],
  ['astro build', ['node_modules/astro/bin/astro.mjs', 'build']],
] as const) {
  test(`${how} refuses content that is not recorded and says how to record it`, async () => {
    const { code, output } = await node(root, [...args]);
    assert.equal(code, 1);
    assert.match(output, new RegExp(`article\\.put ${slug}`));
    assert.match(output, /npm run record/);
    assert.equal(existsSync(join(root, `dist/a/${slug}/index.html`)), false);
  });
}

test('npm run dev shows it all the same, a draft too, under a banner that names what is not recorded', async (t) => {
  const published = readFileSync(index, 'utf8');
  const port = await freePort();
  const dev = spawn(process.execPath, ['scripts/dev.ts', '--port', String(port)], {
    cwd: root,
    env: { ...process.env, NODE_TEST_CONTEXT: '' },
    stdio: 'ignore',
  });
  t.after(() => dev.kill());
  const get = async (path: string): Promise<string> => {
    for (let tries = 0; ; tries++) {
      try {
        return await (await fetch(`http://localhost:${port}${site.path(path)}`)).text();
      } catch (error) {
        if (tries === 300 || dev.exitCode !== null) throw error;
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
    }
  };
  const home = await get('/');
  assert.match(home, /Not recorded[\s\S]*npm run record/);
  assert.ok(home.includes(`article.put ${slug}`));
  assert.ok((await get(`/a/${slug}/`)).includes(SENTENCE));

  writeFileSync(index, published.replace('status: published', 'status: draft'));
  assert.match(await get(`/a/${slug}/`), /Drafts, shown here only/);
});

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, 'localhost', () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });
}
