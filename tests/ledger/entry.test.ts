import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SourceBody, shownOf, slotsOf } from '../../src/ledger/entry.ts';
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

test('the figures of an article name their inputs once, and are read back as they were', () => {
  const [a, b, c] = ['a', 'b', 'c'].map((letter) => letter.repeat(64)) as [string, string, string];
  const slot = (inputs: string[]) => ({ value: '1', unit: '', method: 'm@1', inputs });
  const slots = { one: slot([a, b]), two: slot([b, c]), none: slot([]) };
  const shown = shownOf(slots);
  assert.deepEqual(shown.inputs, [a, b, c]);
  assert.deepEqual(shown.figures['two']?.inputs, [1, 2]);
  const body = { id: 'x', title: '', summary: '', tags: [], files: {}, claims: [], sources: [] };
  assert.deepEqual(slotsOf({ ...body, replaces: null, ...shown }), slots);
  // The first entries named each leaf; a place outside the list is no entry at all.
  assert.deepEqual(slotsOf({ ...body, replaces: null, figures: slots }), slots);
  const astray = { one: { ...slot([]), inputs: [7] } };
  assert.deepEqual(slotsOf({ ...body, replaces: null, figures: astray })['one']?.inputs, ['']);
});
