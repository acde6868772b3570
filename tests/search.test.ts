import assert from 'node:assert/strict';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { ArticleRecord } from '../src/articles/record.ts';
import { searched, writeSearch } from '../src/search.ts';

const page = (path: string, main: string) => ({
  ...{ path, title: `T ${path}`, description: 'D' },
  html: `<html><body><main>${main}</main></body></html>`,
});

test('claims, tools and articles are found by their words; tickets, lists and entries are left out', () => {
  const found = searched(
    [
      page(
        '/a/x/',
        '<h1>x</h1><p>one <a>two</a></p><ul class="tickets"><li>t</li></ul><nav>n</nav>',
      ),
      page('/a/x/claims/c1/', '<p>c</p>'),
      page('/ledger/7/', '<p>e</p>'),
      page('/', '<p>home</p>'),
    ],
    [],
  );
  assert.deepEqual(
    found.map(({ url, kind, content }) => [url, kind, content]),
    [
      ['/a/x/', 'article', 'D\nx one two'],
      ['/a/x/claims/c1/', 'claim', 'D\nc'],
    ],
  );
});

test('what a page says of itself is not said again where its text begins with it', () => {
  const [found] = searched([page('/a/x/claims/c1/', '<h1>D</h1><p>e</p>')], []);
  assert.equal(found?.content, 'D e');
});

test('a symptom is found by its words, without the marks of its code', () => {
  const symptom = { id: 's', symptom: 'No `defer` here', cause: '`a`', fix: 'b', client: 'c' };
  const article = { sources: [], symptoms: [{ ...symptom, source: null }] };
  const [found] = searched([], [article as unknown as ArticleRecord]);
  assert.deepEqual([found?.title, found?.content], ['No defer here', 'No defer here\na\nb\nc']);
});

test('the same pages give the same index, byte for byte, without Pagefind’s own interfaces', async (t) => {
  const found = searched([page('/a/x/', '<p>alpha beta</p>'), page('/a/y/', '<p>beta</p>')], []);
  const built: string[][] = [];
  for (let round = 0; round < 2; round++) {
    const dist = mkdtempSync(join(tmpdir(), 'weighbridge-search-'));
    t.after(() => rmSync(dist, { recursive: true }));
    await writeSearch(dist, found);
    const files = globSync('**/*.*', { cwd: dist }).sort();
    built.push(files.map((file) => `${file} ${readFileSync(join(dist, file)).toString('base64')}`));
    assert.ok(files.includes('pagefind/pagefind.js'));
    assert.ok(!files.some((file) => /pagefind-(?:ui|modular|component)/.test(file)), files.join());
  }
  assert.deepEqual(built[0], built[1]);
});
