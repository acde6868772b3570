import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareVersions, rangeOf, within } from '../../src/measure/versions.ts';

test('versions are put in order by number, and what is left out of one is zero', () => {
  const versions = ['2.1.304', '2.1.9', '2.1.165', '2.1', '2.1.0', '10.0.0'];
  assert.deepEqual(versions.sort(compareVersions), [
    '2.1',
    '2.1.0',
    '2.1.9',
    '2.1.165',
    '2.1.304',
    '10.0.0',
  ]);
});

test('a range includes both of its ends, and one that is not said excludes nothing', () => {
  const range = { since: '2.1.9', until: '2.1.303' };
  assert.deepEqual(
    ['2.1.8', '2.1.9', '2.1.303', '2.1.304'].map((version) => within(version, range)),
    [false, true, true, false],
  );
  assert.ok(within('0.0.1', { since: null, until: null }));
  assert.deepEqual(
    [range, { since: '1.0.0', until: null }, { since: '1.0.0', until: '1.0.0' }].map(rangeOf),
    ['2.1.9 to 2.1.303', 'from 1.0.0', '1.0.0'],
  );
});
