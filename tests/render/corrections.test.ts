import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Recorded } from '../../src/ledger/fold.ts';
import { relate } from '../../src/ledger/relations.ts';
import { correctionNews, corrections } from '../../src/render/corrections.ts';
import { renderFeed } from '../../src/render/feed.ts';
import { address } from '../../src/site.ts';

const site = address({ SITE_URL: 'https://example.org', BASE_PATH: '/sub' });
const leaf = (seq: number) => String(seq).padStart(64, '0');

/** Entries as the fold would have taken them in, with what these functions read. */
function recorded(seq: number, type: 'claim.put' | 'claim.retract', body: object): Recorded {
  const ts = `2026-01-0${seq + 1}T00:00:00.000Z`;
  const entry = { actor: 'a', article: 'x', prev: leaf(seq), seq, ts, type, v: 1, body };
  return { seq, leaf: leaf(seq), ts, entry } as unknown as Recorded;
}
const put = (seq: number, text: string, replaces: number | null) =>
  recorded(seq, 'claim.put', {
    id: 'c1',
    text,
    slots: {},
    sources: [],
    replaces: replaces === null ? null : leaf(replaces),
  });
const life = [
  put(0, 'It is <one> & two.', null),
  put(1, 'It is <one> & two.', 0),
  put(2, 'It is three.', 1),
  recorded(3, 'claim.retract', { id: 'c1', claim: leaf(2), reason: 'wrong', note: 'It is four.' }),
];

test('a claim put again with other words is superseded, one with the same words is not', () => {
  assert.deepEqual(
    corrections(life).map(({ seq, kind, before, after }) => [seq, kind, before, after]),
    [
      [3, 'retracted', 'It is three.', null],
      [2, 'superseded', 'It is <one> & two.', 'It is three.'],
    ],
  );
  assert.deepEqual(corrections(life.slice(0, 2)), []);
});

test('the feed escapes what claims say, and dates itself by the ledger', () => {
  const all = corrections(life);
  const entries = correctionNews(all, () => '/a/x/claims/c1/');
  const about = { title: 'corrections', path: '/corrections.xml', page: '/corrections/' };
  const feed = renderFeed({ ...about, entries, updated: '2026-02-01T00:00:00.000Z' }, site);
  assert.match(feed, /<updated>2026-01-04T00:00:00\.000Z<\/updated>/);
  assert.match(feed, /Before: It is &#60;one&#62; &#38; two\./);
  assert.match(feed, /href="https:\/\/example\.org\/sub\/a\/x\/claims\/c1\/"/);
  assert.equal(feed.match(/<entry>/g)?.length, 2);
  const empty = renderFeed({ ...about, entries: [], updated: '2026-02-01T00:00:00.000Z' }, site);
  assert.match(empty, /<updated>2026-02-01/);
  const long = renderFeed({ ...about, entries: Array(80).fill(entries[0]), updated: '' }, site);
  assert.equal(long.match(/<entry>/g)?.length, 50);
});

test('an entry is told what it replaces, and what replaced or retracted it', () => {
  const { namedBy, naming } = relate(life);
  assert.deepEqual(namedBy(2), [{ how: 'replaces', from: 2, to: 1 }]);
  assert.deepEqual(naming(2), [{ how: 'retracts', from: 3, to: 2 }]);
  assert.deepEqual(naming(3), []);
});
