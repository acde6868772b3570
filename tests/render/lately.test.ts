import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Recorded } from '../../src/ledger/fold.ts';
import { lately } from '../../src/render/lately.ts';

const entry = (seq: number, ts: string, type: string, body: object, article?: string): Recorded =>
  ({
    ...{ seq, ts, leaf: String(seq) },
    entry: { type, article: article ?? null, body },
  }) as unknown as Recorded;
const list = (server: string, outcome = 'captured') => ({ kind: 'tools_list', server, outcome });

test('appends are told the newest first, each kind once, with who was asked and what failed', () => {
  const entries = [
    entry(0, 'a', 'capture.add', list('one')),
    entry(1, 'b', 'capture.add', list('one')),
    entry(2, 'b', 'capture.add', list('two', 'failed')),
    entry(3, 'b', 'capture.add', list('three')),
    entry(4, 'b', 'capture.add', list('four')),
    entry(5, 'c', 'claim.put', { id: 'x', replaces: null }, 'slug'),
    entry(6, 'c', 'claim.put', { id: 'y', replaces: 'leaf' }, 'slug'),
    entry(7, 'c', 'later.kind', {}),
  ];
  assert.deepEqual(lately(entries, 2), [
    { ts: 'c', first: 5, last: 7, what: ['slug: 1 claim, 1 claim said anew', '1 later.kind'] },
    {
      ...{ ts: 'b', first: 1, last: 4 },
      what: ['4 lists of tools of one, two, three and 1 more, 1 failed'],
    },
  ]);
  assert.equal(lately(entries, 9).length, 3);
  assert.deepEqual(lately([], 3), []);
});
