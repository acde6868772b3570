import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diffCatalogues, type Mark, markTools } from '../../src/measure/diff.ts';
import { o200k } from '../../src/measure/o200k.ts';

const mark = (name: string, tokens: number, hash = 'a'): Mark => ({
  name,
  tokens,
  sha256: hash.repeat(64),
});

test('tells what is new, gone, larger, smaller, and what changed without growing', () => {
  const before = [mark('a', 1), mark('b', 2), mark('c', 3), mark('d', 4), mark('e', 5)];
  const after = [mark('a', 1), mark('b', 3, 'b'), mark('c', 2, 'b'), mark('d', 4, 'b')];
  assert.deepEqual(diffCatalogues(before, [...after, mark('f', 6)]), {
    changes: [
      { tool: 'b', change: 'grew', before: 2, after: 3 },
      { tool: 'c', change: 'shrank', before: 3, after: 2 },
      { tool: 'd', change: 'changed', before: 4, after: 4 },
      { tool: 'f', change: 'added', before: null, after: 6 },
      { tool: 'e', change: 'removed', before: 5, after: null },
    ],
    reordered: false,
  });
  assert.deepEqual(diffCatalogues(before, before), { changes: [], reordered: false });
});

test('sees another order of what stayed, and takes nothing new or gone for one', () => {
  const [a, b, c] = [mark('a', 1), mark('b', 1), mark('c', 1)];
  assert.equal(diffCatalogues([a, b], [b, a]).reordered, true);
  assert.equal(diffCatalogues([a, b, c], [a, c]).reordered, false);
  assert.equal(diffCatalogues([a, c], [b, a, c]).reordered, false);
});

test('compares tools of one name in turn', () => {
  const twice = [mark('a', 1), mark('a', 2)];
  assert.deepEqual(diffCatalogues(twice, [mark('a', 1), mark('a', 5)]).changes, [
    { tool: 'a', change: 'grew', before: 2, after: 5 },
  ]);
  assert.deepEqual(diffCatalogues(twice, twice.slice(0, 1)).changes, [
    { tool: 'a', change: 'removed', before: 2, after: null },
  ]);
});

test('marks fields that no model is sent, by hash alone', () => {
  const options = { shape: 'anthropic' as const, server: 's', tokenizer: o200k() };
  const tool = { name: 'a', description: 'x', inputSchema: {} };
  const [plain] = markTools([tool], options);
  const [hinted] = markTools([{ ...tool, annotations: { destructiveHint: true } }], options);
  assert.equal(plain!.tokens, hinted!.tokens);
  assert.notEqual(plain!.sha256, hinted!.sha256);
  assert.deepEqual(diffCatalogues([plain!], [hinted!]).changes[0]?.change, 'changed');
});
