import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { project } from '../articles/fixture.ts';

const script = join(import.meta.dirname, '../../scripts/lint-numbers.ts');
const INDEX = 'articles/what-fixtures-cost/index.mdx';

test('an article that cannot be read is no article without unbound numbers', async (t) => {
  const made = await project();
  t.after(() => made.remove());
  made.edit(INDEX, '\n## ', '\n<Fig id=\n\n## ');
  const broken = spawnSync(process.execPath, [script], { cwd: made.root, encoding: 'utf8' });
  assert.deepEqual([broken.status, broken.stdout], [1, '']);
  assert.match(
    broken.stderr,
    /^content\/articles\/.*\/index\.mdx:\d+:\d+: .* \[mdx\.syntax\]\n {2}\S/,
  );
});
