import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadTokenizer } from '../../src/packages/tokenizer.ts';

const root = join(import.meta.dirname, '../..');
const options = { cacheDir: join(root, '.cache/npm') };

test('refuses a tokenizer that it does not know and names those it does', async () => {
  await assert.rejects(loadTokenizer('gpt', options), {
    code: 'tokenizer.unknown',
    mend: /o200k_base, cl100k_base, qwen3/,
  });
});
