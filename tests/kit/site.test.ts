import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type TestContext, test } from 'node:test';
import { newSite, type Wish } from '../../src/kit/site.ts';
import { load } from '../../src/load.ts';
import { node } from '../checkout.ts';

const root = resolve(import.meta.dirname, '../..');

function place(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'weighbridge-kit-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
}
const wish = (dir: string, more: Partial<Wish> = {}): Wish => ({
  dir,
  name: 'Mine',
  url: null,
  origin: null,
  key: null,
  random: '0a1b2c3d',
  ...more,
});

test('a new site has its own name, log, key and address, and nothing of ours', async (t) => {
  const folder = place(t);
  const dir = join(folder, 'my site');
  const key = join(folder, 'skey');
  const url = new URL('https://me.example/weights/');
  const name = `Ann's "{weights};"`;
  assert.equal(newSite(root, wish(dir, { name, url, key })), 'me.example/weights/ledger');
  assert.deepEqual(readdirSync(join(dir, 'ledger')).sort(), [
    '.gitattributes',
    '.gitignore',
    'origin',
    'vkey',
  ]);
  assert.deepEqual(readdirSync(join(dir, 'content/articles')), ['first-article']);
  const served = readdirSync(join(root, 'public')).filter((file) => file !== 'screenshot.png');
  assert.deepEqual(readdirSync(join(dir, 'public')).sort(), served.sort(), 'but its picture');
  assert.match(readFileSync(join(dir, 'ledger/vkey'), 'utf8'), /^me\.example\/weights\/ledger\+/);
  assert.match(readFileSync(key, 'utf8'), /^PRIVATE\+KEY\+me\.example\/weights\/ledger\+/);
  const { code, output } = await node(dir, [
    '--input-type=module',
    '-e',
    'const { site } = await import("./src/site.ts"); console.log(JSON.stringify([site.name, site.url("/a/")]));',
  ]);
  assert.equal(code, 0, output);
  assert.ok(output.includes(JSON.stringify([name, 'https://me.example/weights/a/'])), output);
  const { problems, resolved, unread } = await load({ root: dir });
  assert.deepEqual([problems.map(String), unread], [[], []]);
  assert.deepEqual(
    resolved.map(({ record }) => record.status),
    ['draft'],
  );
});

test('without a URL the log has a name that nobody else has', (t) => {
  const dir = join(place(t), 'my + site');
  assert.equal(newSite(root, wish(dir)), 'my-site-0a1b2c3d/ledger');
});

test('a new site is made in a repository without a file, and over nothing else', (t) => {
  const dir = place(t);
  mkdirSync(join(dir, '.git'));
  newSite(root, wish(dir));
  assert.throws(() => newSite(root, wish(dir)), { code: 'new.exists', at: dir });
});

const REFUSED: [string, string, (folder: string) => void][] = [
  ['inside the clone', 'new.inside', () => newSite(root, wish(join(root, 'content/mine')))],
  ['with a name of two lines', 'new.name', (dir) => newSite(root, wish(dir, { name: 'a\nb' }))],
  [
    'whose log has a name with a space',
    'new.origin',
    (dir) => newSite(root, wish(dir, { origin: 'a b' })),
  ],
  ['from what is no clone', 'new.clone', (dir) => newSite(join(root, 'src'), wish(dir))],
];
for (const [what, code, act] of REFUSED) {
  test(`refuses a site ${what} before anything is written`, (t) => {
    const dir = join(place(t), 'site');
    assert.throws(() => act(dir), { code });
    assert.ok(!existsSync(dir) && !existsSync(join(root, 'content/mine')));
  });
}

test('says how the verb is used where it is used wrongly', async () => {
  for (const args of [
    [],
    ['site'],
    ['article', 'Not A Slug'],
    ['ring', 'x'],
    ['site', '/tmp/x', '--url', 'me.example'],
  ]) {
    const { code, output } = await node(root, ['scripts/new.ts', ...args]);
    assert.equal(code, 2, output);
    assert.match(output, /usage: weighbridge new/);
  }
});

test('a secret key that goes into the new site is refused, and one that is there stays', (t) => {
  const folder = place(t);
  const key = join(folder, 'skey');
  writeFileSync(key, 'mine');
  for (const [at, code] of [
    [join(folder, 'a/skey'), 'new.inside'],
    [key, 'new.exists'],
  ] as const) {
    assert.throws(() => newSite(root, wish(join(folder, 'a'), { key: at })), { code });
    assert.ok(!existsSync(join(folder, 'a')), 'nothing is written');
  }
  assert.equal(readFileSync(key, 'utf8'), 'mine');
});
