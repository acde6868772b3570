import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeHash } from '../../src/disk/hash.ts';
import { Batch, Refused } from '../../src/ledger/batch.ts';
import { type Draft, Entry } from '../../src/ledger/entry.ts';
import { captureKey, Fold, postKey } from '../../src/ledger/fold.ts';
import { genesis } from '../../src/ledger/genesis.ts';
import {
  ARTICLE,
  article,
  capture,
  claim,
  failed,
  ORIGIN,
  STAMP,
  slots,
  source,
} from './drafts.ts';

const batch = () => new Batch(new Fold({ genesis: genesis(ORIGIN, nodeHash) }), STAMP);
const refusal = (act: () => unknown): string => {
  try {
    act();
  } catch (error) {
    if (error instanceof Refused) return error.fault.code;
    throw error;
  }
  return 'taken';
};
const L = 'a'.repeat(64);

test('a draft is sealed at once, so that the next can name its leaf', () => {
  const b = batch();
  const payload = capture();
  const c = b.add(payload);
  const s = b.add(source());
  const k = b.add(claim({ sources: [{ id: 's1', leaf: s.leaf }], slots: slots(c.leaf, s.leaf) }));
  const refs = { sources: [{ id: 's1', leaf: s.leaf }], claims: [{ id: 'c1', leaf: k.leaf }] };
  const a = b.add(article({ ...refs, figures: slots(c.leaf) }));
  assert.deepEqual(
    [c, s, k, a].map(({ seq }) => seq),
    [0, 1, 2, 3],
  );
  assert.equal(b.fold.size, 4);
  assert.equal(b.fold.head, a.leaf);
  assert.equal(b.fold.articles.get(postKey(ARTICLE, ARTICLE))?.current.leaf, a.leaf);
  assert.equal(b.recorded[1]?.entry.prev, c.leaf);
});

test('a batch leaves the fold that it began with alone', () => {
  const first = batch();
  first.add(capture());
  const second = new Batch(first.fold, STAMP);
  second.add(failed());
  assert.equal(first.fold.size, 1);
  assert.equal(second.recorded[0]?.seq, 1);
});

test('the last attempt and the last payload of a server are both known', () => {
  const b = batch();
  const blob = b.blob(new TextEncoder().encode('{}\n'));
  const key = captureKey('notion', '2.5.2');
  b.add(failed());
  assert.equal(b.fold.captures.get(key)?.captured, null);
  const first = b.add(capture({ blob }));
  b.add(capture({ blob, outcome: 'unchanged', unchanged_from: first.leaf }));
  const last = b.add(failed());
  assert.equal(b.fold.captures.get(key)?.captured?.leaf, first.leaf);
  assert.equal(b.fold.captures.get(key)?.latest.leaf, last.leaf);
});

test('what replaces must name what stands, what is first must name nothing', () => {
  const b = batch();
  assert.equal(
    refusal(() => b.add(source({ replaces: L }))),
    'ref.replaces',
  );
  const first = b.add(source());
  assert.equal(
    refusal(() => b.add(source())),
    'ref.replaces',
  );
  const second = b.add(source({ title: 'Newer', replaces: first.leaf }));
  assert.equal(
    refusal(() => b.add(source({ replaces: first.leaf }))),
    'ref.replaces',
  );
  assert.equal(b.fold.sources.get(postKey(ARTICLE, 's1'))?.current.leaf, second.leaf);
  assert.equal(b.fold.sources.get(postKey(ARTICLE, 's1'))?.revisions, 2);
});

test('a claim names sources of its own article as they stand', () => {
  const b = batch();
  const old = b.add(source());
  const now = b.add(source({ title: 'Newer', replaces: old.leaf }));
  const citing = (leaf: string) => claim({ sources: [{ id: 's1', leaf }] });
  assert.equal(
    refusal(() => b.add(citing(old.leaf))),
    'ref.source',
  );
  assert.equal(
    refusal(() => b.add(claim({ sources: [{ id: 's2', leaf: L }] }))),
    'ref.source',
  );
  const elsewhere = { ...citing(now.leaf), article: 'another' };
  assert.equal(
    refusal(() => b.add(elsewhere)),
    'ref.source',
  );
  assert.equal(
    refusal(() => b.add(citing(now.leaf))),
    'taken',
  );
});

test('a figure rests on a payload or a source, not on an attempt that brought none', () => {
  const b = batch();
  const c = b.add(capture());
  const again = b.add(capture({ outcome: 'unchanged', unchanged_from: c.leaf }));
  const lost = b.add(failed());
  for (const leaf of [again.leaf, lost.leaf, L]) {
    assert.equal(
      refusal(() => b.add(claim({ slots: slots(leaf) }))),
      'ref.input',
    );
    assert.equal(
      refusal(() => b.add(article({ figures: slots(leaf) }))),
      'ref.input',
    );
  }
  assert.equal(
    refusal(() => b.add(claim({ slots: slots(c.leaf) }))),
    'taken',
  );
});

test('unchanged names the last capture of the same server and version, with the same payload', () => {
  const b = batch();
  const unchanged = (from: string, more = {}) =>
    capture({ outcome: 'unchanged', unchanged_from: from, ...more });
  assert.equal(
    refusal(() => b.add(unchanged(L))),
    'ref.unchanged',
  );
  const c = b.add(capture());
  assert.equal(
    refusal(() => b.add(unchanged(c.leaf, { server: 'github' }))),
    'ref.unchanged',
  );
  const other = { blob: { sha256: '1'.repeat(64), bytes: 0 } };
  assert.equal(
    refusal(() => b.add(unchanged(c.leaf, other))),
    'ref.unchanged',
  );
  assert.equal(
    refusal(() => b.add(unchanged(c.leaf))),
    'taken',
  );
});

test('a retracted claim stays, is said to be retracted, and can be put again', () => {
  const b = batch();
  const retract = (leaf: string): Draft => ({
    type: 'claim.retract',
    article: ARTICLE,
    body: { id: 'c1', claim: leaf, reason: 'wrong', note: 'Counted twice.' },
  });
  assert.equal(
    refusal(() => b.add(retract(L))),
    'ref.retract',
  );
  const c = b.add(claim());
  b.add(retract(c.leaf));
  const key = postKey(ARTICLE, 'c1');
  assert.equal(b.fold.claims.get(key)?.current.leaf, c.leaf);
  assert.equal(b.fold.retracted.get(key)?.entry.body.reason, 'wrong');
  assert.equal(
    refusal(() => b.add(retract(c.leaf))),
    'ref.retract',
  );
  const naming = article({ claims: [{ id: 'c1', leaf: c.leaf }] });
  assert.equal(
    refusal(() => b.add(naming)),
    'ref.claim',
  );
  b.add(claim({ text: 'Counted once.', replaces: c.leaf }));
  assert.equal(b.fold.retracted.has(key), false);
});

test('an article is filed under its own name', () => {
  const b = batch();
  assert.equal(
    refusal(() => b.add({ ...article(), article: 'another' })),
    'ref.article',
  );
  const c = b.add(claim());
  assert.equal(
    refusal(() => b.add(article({ claims: [{ id: 'c1', leaf: L }] }))),
    'ref.claim',
  );
  assert.equal(
    refusal(() => b.add(article({ claims: [{ id: 'c1', leaf: c.leaf }] }))),
    'taken',
  );
});

test('what the schema or the line can not hold is refused, and nothing of it is kept', () => {
  const b = batch();
  assert.equal(
    refusal(() => b.add(claim({ text: 'e\u0301' }))),
    'entry.schema',
  );
  assert.equal(
    refusal(() => b.add(claim({ text: '\ud800' }))),
    'entry.schema',
  );
  assert.equal(
    refusal(() => b.add(claim({ status: [] }))),
    'entry.schema',
  );
  assert.equal(
    refusal(() => b.add(claim({ tokens: 2 ** 53 }))),
    'entry.schema',
  );
  assert.equal(
    refusal(() => b.add(capture({ outcome: 'failed' }))),
    'entry.schema',
  );
  const unknown = claim();
  assert.equal(
    refusal(() => b.add({ ...unknown, body: { ...unknown.body, ...{ extra: 1 } } })),
    'entry.schema',
  );
  assert.equal(
    refusal(() => b.add(claim({ why: 'x'.repeat(70_000) }))),
    'line.long',
  );
  assert.equal(b.recorded.length, 0);
  assert.equal(b.fold.size, 0);
});

test('the compiled schema gives the same issues as the one it was compiled from', () => {
  const b = batch();
  b.add(claim());
  const entry = b.recorded[0]?.entry;
  assert.ok(Entry.safeParse(entry).success);
  const wrong = Entry.safeParse({ ...entry, v: 2, extra: 1 });
  assert.deepEqual(
    wrong.error?.issues.map(({ path, code }) => [path.join('.'), code]),
    [
      ['v', 'invalid_value'],
      ['', 'unrecognized_keys'],
    ],
  );
});
