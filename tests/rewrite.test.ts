import assert from 'node:assert/strict';
import { test } from 'node:test';
import { redirects, rewrite } from '../src/rewrite.ts';

test('what static hosts are told to rewrite is what the server rewrites', () => {
  const lines = redirects(['x', 'y-1'], '/sub').trimEnd().split('\n');
  assert.equal(lines.length, 16);
  for (const line of lines) {
    const [from = '', to = '', status] = line.split(' ');
    assert.equal(status, '200');
    assert.ok(from.startsWith('/sub/') && to.startsWith('/sub/'), line);
    assert.equal(rewrite(from.slice(4), new URLSearchParams()), to.slice(4), line);
    // Else a host that looks at the list before its files would go round in a circle.
    assert.equal(rewrite(to.slice(4), new URLSearchParams()), null, line);
  }
});

test('no other path is rewritten', () => {
  for (const path of [
    '/',
    '/api/articles',
    '/api/articles/',
    '/api/articles/x.json',
    '/api/articles/../x',
    '/api/articles/x/constructor',
    '/api/articles/x/skill/SKILL.md',
    '/a/x',
  ]) {
    assert.equal(rewrite(path, new URLSearchParams()), null, path);
  }
});
