import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cacheBreak, cacheCost, type Digest, loadingOf } from '../../src/measure/request.ts';

const tool = (name: string, sha256 = name, tokens: number | null = 10) => ({
  ...{ name, namespace: null, sha256, tokens, bytes: 40 },
});
const digest = (more: Partial<Digest> = {}): Digest => ({
  body_bytes: 1000,
  tools: { count: 2, deferred: 0, namespaces: 0, bytes: 80, tokens: 20 },
  tool_list: [tool('Read'), tool('mcp__memory__read')],
  named: [],
  system: { bytes: 20, tokens: 5, sha256: 's' },
  cache: [],
  prefix: { bytes: 100, tokens: 25, sha256: 'p' },
  ...more,
});
const mark = (at: string, sha256: string, tokens: number) => ({ at, sha256, tokens, bytes: 4 });

test('how a server’s tools are loaded is told by definitions, then by names', () => {
  const loading = (servers: string[], more: Partial<Digest>) =>
    loadingOf({ servers, digest: digest(more) }).loading;
  assert.equal(loading([], {}), 'none');
  assert.equal(loading(['memory@1.0.0'], {}), 'upfront');
  assert.equal(loading(['memory@1.0.0'], { named: ['mcp__memory__read'] }), 'upfront');
  assert.equal(loading(['memory@1.0.0', 'files@1.0.0'], { named: ['mcp__files__x'] }), 'part');
  assert.equal(loading(['files@1.0.0'], { named: ['mcp__files__x'] }), 'deferred');
  assert.equal(loading(['files@1.0.0'], { named: ['mcp__filesystem__x'] }), 'absent');
});

test('with marks, a cache serves up to the last mark that has an equal hash', () => {
  const before = digest({ cache: [mark('/system/1', 'a', 20), mark('/system/2', 'b', 25)] });
  const after = digest({
    tool_list: [tool('Read'), tool('mcp__memory__read')],
    cache: [mark('/system/1', 'a', 20), mark('/system/2', 'c', 40)],
  });
  assert.deepEqual(cacheBreak(before, after), {
    ...{ whole: 40, kept: 20, broken: 20, tool: null, by: 'marks' },
  });
  const other = digest({
    tool_list: [tool('Read', 'changed')],
    cache: [mark('/system/1', 'x', 9)],
  });
  assert.deepEqual(cacheBreak(before, other), {
    ...{ whole: 9, kept: 0, broken: 9, tool: 'Read', by: 'marks' },
  });
});

test('without marks, the leading tools that are equal are kept, and all of an equal prefix', () => {
  const longer = digest({
    tool_list: [tool('Read'), tool('mcp__files__x'), tool('mcp__memory__read')],
    prefix: { bytes: 140, tokens: 35, sha256: 'q' },
  });
  assert.deepEqual(cacheBreak(digest(), longer), {
    ...{ whole: 35, kept: 10, broken: 25, tool: 'mcp__files__x', by: 'tools' },
  });
  assert.equal(cacheBreak(longer, digest())?.tool, 'mcp__memory__read');
  assert.equal(cacheBreak(digest(), digest())?.broken, 0);
});

test('what could not be counted has no cost', () => {
  const uncounted = digest({
    tool_list: [tool('Read', 'Read', null), tool('x')],
    prefix: { bytes: 1, tokens: 9, sha256: 'q' },
  });
  assert.equal(cacheBreak(uncounted, uncounted)?.broken, 0, 'equal as a whole');
  assert.equal(
    cacheBreak(uncounted, { ...uncounted, prefix: { bytes: 1, tokens: 9, sha256: 'r' } }),
    null,
  );
});

test('a broken token costs a write less the read that it would have been', () => {
  assert.equal(cacheCost(1_000_000, { write: 5, read: 0.2 }), 4.8);
  assert.equal(cacheCost(0, { write: 5, read: 0.2 }), 0);
});
