import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeHash } from '../../src/disk/hash.ts';
import { Batch, Refused } from '../../src/ledger/batch.ts';
import { commitment, formatWords, parseWords } from '../../src/ledger/commitment.ts';
import { Fold } from '../../src/ledger/fold.ts';
import { genesis } from '../../src/ledger/genesis.ts';
import { verify } from '../../src/ledger/verify.ts';
import { claim, erase, ORIGIN, receive, resolve, STAMP, WORDS } from './drafts.ts';

const batch = () => new Batch(new Fold({ genesis: genesis(ORIGIN, nodeHash) }), STAMP);
const refused = (act: () => unknown, code: string) =>
  assert.throws(act, (error) => error instanceof Refused && error.fault.code === code);

test('a post is taken in once, answered in a chain of answers, and erased once', () => {
  const to = batch();
  refused(() => to.add(resolve()), 'ref.objection');
  refused(() => to.add(erase()), 'ref.objection');
  refused(() => to.add(receive({ claim: { id: 'c1', leaf: '0'.repeat(64) } })), 'ref.claim');
  const put = to.add(claim());
  const taken = to.add(receive({ claim: { id: 'c1', leaf: put.leaf } })).leaf;
  refused(() => to.add(receive()), 'ref.objection');
  refused(() => to.add(resolve({ receive: put.leaf })), 'ref.objection');
  refused(() => to.add({ ...resolve({ receive: taken }), article: 'another' }), 'ref.objection');
  refused(() => to.add(resolve({ receive: taken, replaces: taken })), 'ref.replaces');
  refused(() => to.add(resolve({ receive: taken, claim: { id: 'c1', leaf: taken } })), 'ref.claim');
  refused(() => to.add(resolve({ receive: taken, answer: '' })), 'entry.schema');
  const first = to.add(resolve({ receive: taken, outcome: 'declined' })).leaf;
  refused(() => to.add(resolve({ receive: taken })), 'ref.replaces');
  to.add(resolve({ receive: taken, replaces: first, claim: { id: 'c1', leaf: put.leaf } }));
  to.add(erase({ receive: taken }));
  refused(() => to.add(erase({ receive: taken })), 'ref.objection');
  const [post] = to.fold.objections.values();
  assert.deepEqual([post?.received.seq, post?.resolved?.seq, post?.erased?.seq], [1, 3, 4]);
  refused(() => to.add({ ...receive({ id: 'b'.repeat(32) }), article: null }), 'ref.objection');
});

test('a commitment binds words and salt, and its file has one form', () => {
  const body = new TextEncoder().encode(WORDS.body);
  const { commit } = receive().body;
  assert.notEqual(commitment(WORDS.salt.with(0, 8), body), commit);
  assert.notEqual(commitment(WORDS.salt, body.with(3, 0)), commit);
  assert.throws(() => commitment(WORDS.salt.slice(1), body), RangeError);
  const file = formatWords(WORDS);
  const bytes = (text: string) => new TextEncoder().encode(text);
  assert.deepEqual(parseWords(bytes(file)), WORDS);
  for (const other of [
    file.trim(),
    ` ${file}`,
    file.replace('"id"', '"ID"'),
    file.replace('0909', '09'),
    '[]\n',
    '{}\n',
    'x',
  ]) {
    assert.equal(parseWords(bytes(other)), null, other);
  }
  assert.equal(parseWords(new Uint8Array([0xef, 0xbb, 0xbf, ...bytes(file)])), null);
});

test('the verifier misses words that are gone, altered, too many, or still there though erased', () => {
  const to = batch();
  const { leaf } = to.add(receive());
  const file = new TextEncoder().encode(formatWords(WORDS));
  const codes = (words: Uint8Array | null, posts: string[], lines = to.lines) => {
    const bytes = new Uint8Array(Buffer.concat(lines.flatMap((line) => [line, Buffer.from('\n')])));
    const { problems, objections } = verify({
      origin: ORIGIN,
      files: [{ name: '000.jsonl', bytes }],
      blobs: [],
      words: (id) => (id === WORDS.id ? words : null),
      posts,
    });
    return [problems.map(({ code }) => code).join(), objections.taken, objections.erased];
  };
  const { id } = WORDS;
  assert.deepEqual(codes(file, [id]), ['', 1, 0]);
  assert.deepEqual(codes(null, []), ['objection.missing', 1, 0]);
  const other = { ...WORDS, body: WORDS.body.replace('not', 'now') };
  assert.deepEqual(codes(new TextEncoder().encode(formatWords(other)), [id]), [
    'objection.altered',
    1,
    0,
  ]);
  assert.deepEqual(codes(new TextEncoder().encode('{}'), [id]), ['objection.altered', 1, 0]);
  assert.deepEqual(codes(file, [id, 'b'.repeat(32)]), ['objection.orphan', 1, 0]);
  assert.deepEqual(codes(file, [id, `${id}.12.tmp`]), ['objection.orphan', 1, 0]);
  to.add(erase({ receive: leaf }));
  assert.deepEqual(codes(null, []), ['', 1, 1]);
  assert.deepEqual(codes(file, [id]), ['objection.kept', 1, 1]);
});
