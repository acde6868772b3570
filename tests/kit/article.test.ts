import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { articleFiles } from '../../src/kit/article.ts';
import { writeArticle } from '../../src/kit/site.ts';
import { loadSite } from '../../src/load.ts';
import { FILES, project } from '../articles/fixture.ts';

for (const [what, weighed] of [
  ['before anything is weighed', null],
  ['as soon as a server is', 'copies'],
] as const) {
  for (const status of ['draft', 'published']) {
    test(`a new article passes every check ${what}, ${status}`, async (t) => {
      const { root, write, edit, remove } = await project();
      t.after(remove);
      if (weighed === null) write('servers.yaml', '[]');
      for (const path of Object.keys(FILES)) {
        if (path.startsWith('articles/')) write(path, null);
      }
      writeArticle(root, 'mine', weighed);
      if (status === 'published')
        edit('articles/mine/index.mdx', 'status: draft', 'status: published');
      const { articles, problems, unrecorded } = await loadSite({ root });
      assert.deepEqual(problems.map(String), []);
      const [article] = articles;
      assert.equal(article?.status, status);
      assert.equal(article.tables['servers']?.rows.length, weighed === null ? 0 : 2);
      assert.equal(article.claims.length, weighed === null ? 1 : 2);
      assert.equal(unrecorded.length, status === 'draft' ? 0 : weighed === null ? 3 : 4);
    });
  }
}

test('a new article is not written over another', (t) => {
  const root = mkdtempSync(join(tmpdir(), 'weighbridge-kit-'));
  t.after(() => rmSync(root, { recursive: true }));
  const file = join(root, writeArticle(root, 'mine', null), 'skill.md');
  writeFileSync(file, 'mine');
  assert.throws(() => writeArticle(root, 'mine', null), { code: 'new.exists' });
});

test('a skeleton is written as the formatter would', () => {
  for (const weighed of [null, 'memory']) {
    for (const [name, text] of Object.entries(articleFiles(weighed))) {
      assert.match(text, /[^\n]\n$/, name);
      assert.doesNotMatch(text, /\n{3}|[ \t]\n|TODO|lorem/i, name);
    }
  }
});
