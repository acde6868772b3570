import assert from 'node:assert/strict';
import { test } from 'node:test';
import { markdownPath } from '../../src/render/forms.ts';
import { LONGEST, renderLlms, renderSitemap } from '../../src/render/llms.ts';
import { address } from '../../src/site.ts';

const site = address({ SITE_URL: 'https://x.test', BASE_PATH: '/sub' });
const page = (path: string, title = path, description = 'About it.') => ({
  path,
  title,
  description,
});
const claims = (count: number) =>
  Array.from({ length: count }, (_, i) =>
    page(`/a/x/claims/c${i}/`, `Claim c${i}`, 'w'.repeat(150)),
  );

test('llms.txt begins with its one title, quotes what the site is, and links markdown', () => {
  const files = renderLlms([page('/', 'Site', 'What it is'), page('/a/x/', 'X')], site);
  const text = files.get('/llms.txt')!;
  assert.ok(text.startsWith('# Weighbridge\n\n> What it is\n'));
  assert.equal(text.match(/^# /gm)?.length, 1);
  assert.match(text, /## Articles\n\n- \[X\]\(https:\/\/x\.test\/sub\/a\/x\.md\): About it\.\n/);
  assert.match(text, /\(https:\/\/x\.test\/sub\/index\.md\)/);
  assert.match(text, /\(https:\/\/x\.test\/sub\/llms\/articles\.txt\)/);
});

test('no file of the list is too long, however many pages there are, and every page is in one', () => {
  const all = [
    page('/'),
    ...claims(2_000),
    ...Array.from({ length: 800 }, (_, i) => page(`/a/x${i}/`, 'T', 'd'.repeat(300))),
  ];
  const files = renderLlms(all, site);
  const whole = [...files.values()].join('');
  for (const [path, text] of files) assert.ok(text.length < LONGEST, `${path}: ${text.length}`);
  for (const { path } of all) assert.ok(whole.includes(`(${site.url(markdownPath(path))})`), path);
  assert.ok(files.has('/llms/claims-2.txt'));
});

test('a title or description can’t end its link or begin markup', () => {
  const files = renderLlms([page('/a/x/', 'x](javascript:1) [y', '<b>\n# z')], site);
  const line = files
    .get('/llms/articles.txt')!
    .split('\n')
    .find((one) => one.startsWith('- '));
  assert.equal(line, '- [x\\](javascript:1) \\[y](https://x.test/sub/a/x.md): \\<b\\> # z');
});

test('the sitemap holds the pages that are for lists, and no entries of the ledger', () => {
  const text = renderSitemap([page('/'), page('/ledger/'), page('/ledger/7/')], site);
  assert.deepEqual(
    [...text.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, url]) => url),
    ['https://x.test/sub/', 'https://x.test/sub/ledger/'],
  );
});
