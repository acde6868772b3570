import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { house } from '../sources/house.ts';

type Wanted = [id: string, path: string, quote: string | null, status: string];

/** A project with one article that cites pages of the house; `run` is `npm run sources` there. */
async function project(t: TestContext, wanted: Wanted[]) {
  const pages = await house();
  const root = mkdtempSync(join(tmpdir(), 'weighbridge-sources-'));
  t.after(async () => {
    await pages.close();
    rmSync(root, { recursive: true });
  });
  const folder = join(root, 'content/articles/cited');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'sources.yaml');
  const yaml = wanted.map(([id, path, quote, status]) => {
    const line = quote === null ? '' : `\n  quote: ${quote}`;
    const url = path.startsWith('/') ? pages.origin + path : path;
    return `- id: ${id}\n  type: hn\n  url: ${url}\n  title: T${line}\n  quote_status: ${status} # ${id}\n  summary: S.\n`;
  });
  writeFileSync(file, yaml.join(''));
  const run = async (...args: string[]) => {
    const child = spawn(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', resolve('scripts/sources.ts'), ...args],
      {
        cwd: root,
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { SITE_URL: 'https://me.example', BASE_PATH: '' },
      },
    );
    const code = new Promise<number | null>((done) => child.on('close', done));
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
    return { code: await code, out, err };
  };
  return {
    pages,
    run,
    read: () => readFileSync(file, 'utf8'),
    write: (yaml: string) => writeFileSync(file, yaml),
  };
}
const today = () => new Date().toISOString().slice(0, 10);

test('writes down what was found, asks each page once and never two of a host together', async (t) => {
  const { pages, run, read } = await project(t, [
    ['held', '/page', 'It costs 40 tokens.', 'unverified'],
    ['part', '/page#part', 'costs 40', 'verified'],
    ['other', '/to', 'It costs 41 tokens.', 'verified'],
    ['away', '/status/410', 'It costs 40 tokens.', 'verified'],
  ]);
  const before = read();
  const dry = await run('--dry-run', '--json');
  assert.deepEqual([dry.code, dry.err, read()], [1, '', before]);
  const { sources } = JSON.parse(dry.out) as { sources: { id: string; outcome: string }[] };
  assert.deepEqual(
    sources.map(({ id, outcome }) => `${id} ${outcome}`),
    ['held verified', 'part verified', 'other unverified', 'away gone'],
  );
  assert.deepEqual(
    pages.asked.map(({ path }) => path),
    ['/page', '/to', '/page', '/status/410'],
  );
  assert.equal(pages.most(), 1);
  assert.equal(pages.asked[0]?.agent, 'Weighbridge-sources (+https://me.example/)');

  const day = today();
  const { code, out } = await run();
  assert.equal(code, 1);
  assert.match(out, /^cited held: verified \(was unverified\)$/m);
  assert.match(
    out,
    /^cited other: unverified \(was verified\): \S+\/page was read and does not hold it$/m,
  );
  assert.match(out, /^2 verified, 1 unverified \(0 whose page could not be had\), 1 gone\.$/m);
  let meant = before;
  for (const [id, now] of [
    ['held', 'verified'],
    ['part', 'verified'],
    ['other', 'unverified'],
    ['away', 'gone'],
  ]) {
    meant = meant.replace(
      new RegExp(`quote_status: \\w+ # ${id}`),
      `quote_status: ${now} # ${id}\n  checked: ${day}`,
    );
  }
  assert.equal(read(), meant);
});

test('what could not be had stays as it was, is told with the reason, and is no success', async (t) => {
  const { run, read } = await project(t, [
    ['person', '/status/403', 'It costs 40 tokens.', 'verified'],
    ['down', 'http://127.0.0.1:1/', 'It costs 40 tokens.', 'gone'],
  ]);
  const before = read();
  const { code, out } = await run();
  assert.equal(code, 3);
  assert.match(
    out,
    /^cited person: unverified this time, because it answered 403; its file keeps verified$/m,
  );
  assert.match(
    out,
    /^cited down: unverified this time, because it could not be asked: .+; its file keeps gone$/m,
  );
  assert.match(out, /^0 verified, 2 unverified \(2 whose page could not be had\), 0 gone\.$/m);
  assert.equal(read(), before);
});

test('a page that is there and from which nothing is quoted is left alone and is no failure', async (t) => {
  const { run, read } = await project(t, [['link', '/page', null, 'unverified']]);
  const before = read();
  const { code, out } = await run('--only', 'cited');
  assert.equal(code, 0);
  assert.match(out, /^cited link: there; nothing is quoted from it$/m);
  assert.equal(read(), before);
});

test('a file that was changed while its pages were asked is not written over', async (t) => {
  const { pages, run, read, write } = await project(t, [['slow', '/slow', 'x', 'verified']]);
  const running = run();
  while (pages.asked.length === 0) await sleep(20);
  const edited = `${read()}# more\n`;
  write(edited);
  const { code, err } = await running;
  assert.equal(code, 1);
  assert.match(err, /\[sources\.moved\]/);
  assert.equal(read(), edited);
});

test('a file that can’t be read and a wrong slug are each said, and no page is asked', async (t) => {
  const { pages, run, read, write } = await project(t, [['one', '/page', 'x', 'verified']]);
  assert.equal((await run('--only', 'nothing')).code, 2);
  write(read().replace('type: hn', 'type: rumour'));
  const broken = await run();
  assert.equal(broken.code, 1);
  assert.match(broken.err, /^content\/articles\/cited\/sources\.yaml:2:9: .*\[yaml\.invalid\]/);
  assert.deepEqual(pages.asked, []);
});
