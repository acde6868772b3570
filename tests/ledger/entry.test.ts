import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SourceBody } from '../../src/ledger/entry.ts';
import { source } from './drafts.ts';

test('a source from before there were checks holds, one with its day too, and no third form does', () => {
  const { body } = source();
  assert.ok(!('checked' in body));
  assert.deepEqual(SourceBody.parse(body), body);
  assert.deepEqual(SourceBody.parse({ ...body, checked: '2026-11-30' }).checked, '2026-11-30');
  for (const checked of [
    null,
    undefined,
    '',
    '30 November 2026',
    '2026-11-31',
    '2026-11-30T00:00:00Z',
  ]) {
    assert.equal(SourceBody.safeParse({ ...body, checked }).success, false, String(checked));
  }
});
