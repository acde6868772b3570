/** What holds of any ledger, whatever is put into it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { nodeHash } from '../../src/disk/hash.ts';
import { Batch } from '../../src/ledger/batch.ts';
import { Fold, type Receipt } from '../../src/ledger/fold.ts';
import { genesis } from '../../src/ledger/genesis.ts';
import { histories } from '../../src/ledger/history.ts';
import { verify } from '../../src/ledger/verify.ts';
import { type Step, steps, take } from './any-entries.ts';
import { ORIGIN, STAMP } from './drafts.ts';

const empty = () => new Fold({ genesis: genesis(ORIGIN, nodeHash) });
const leaves = (standing: ReadonlyMap<string, { current: Receipt } | Receipt>) =>
  [...standing].map(([key, one]) => [key, 'current' in one ? one.current.leaf : one.leaf]).sort();
/** All that a fold says, to be compared. */
const said = (fold: Fold) => ({
  ...{ size: fold.size, head: fold.head },
  captures: [...fold.captures]
    .map(([key, { latest, captured }]) => [key, latest.leaf, captured?.leaf ?? null])
    .sort(),
  sources: leaves(fold.sources),
  claims: leaves(fold.claims),
  articles: leaves(fold.articles),
  retracted: leaves(fold.retracted),
  redacted: leaves(fold.redacted),
  objections: [...fold.objections].map(([id, { received, resolved, erased }]) => [
    id,
    ...[received, resolved, erased].map((one) => one?.leaf ?? null),
  ]),
});
function filled(all: readonly Step[]): Batch {
  const batch = new Batch(empty(), STAMP);
  for (const step of all) take(batch, step);
  return batch;
}
const check = (lines: readonly Uint8Array[]) =>
  verify({
    origin: ORIGIN,
    files: [
      { name: '000.jsonl', bytes: Buffer.concat(lines.flatMap((l) => [l, Buffer.from('\n')])) },
    ],
    blobs: [],
  });

test('a draft is taken whole or leaves everything as it was, and what was taken verifies', () => {
  let [taken, refused] = [0, 0];
  fc.assert(
    fc.property(steps, (all) => {
      const batch = new Batch(empty(), STAMP);
      for (const step of all) {
        const before = said(batch.fold);
        if (take(batch, step)) taken++;
        else {
          refused++;
          assert.deepEqual(said(batch.fold), before);
        }
      }
      const { problems, fold } = check(batch.lines);
      assert.deepEqual(problems, []);
      assert.deepEqual(said(fold), said(batch.fold));
    }),
    { numRuns: 150 },
  );
  assert.ok(taken > 20 && refused > 20, `${taken} taken, ${refused} refused: both must be tried`);
});

test('folding on from any point gives what folding all gives, and a fork leaves its origin alone', () => {
  fc.assert(
    fc.property(steps, fc.nat(40), (all, at) => {
      const { recorded, fold } = filled(all);
      const first = empty();
      for (const { entry, leaf } of recorded.slice(0, at))
        assert.equal(first.apply(entry, leaf), null);
      const then = said(first);
      const second = first.fork();
      for (const { entry, leaf } of recorded.slice(at))
        assert.equal(second.apply(entry, leaf), null);
      assert.deepEqual(said(second), said(fold));
      assert.deepEqual(said(first), then);
    }),
    { numRuns: 100 },
  );
});

test('no entry can be left out, doubled or moved without the verifier naming it', () => {
  fc.assert(
    fc.property(steps, fc.nat(), fc.nat(), (all, a, b) => {
      const { lines } = filled(all);
      fc.pre(lines.length > 2);
      const [from, to] = [a % (lines.length - 1), b % lines.length];
      const without = lines.toSpliced(from, 1);
      for (const altered of [without, lines.toSpliced(from, 0, lines[from]!)]) {
        assert.equal(check(altered).ok, false);
      }
      if (from !== to) assert.equal(check(without.toSpliced(to, 0, lines[from]!)).ok, false);
    }),
    { numRuns: 100 },
  );
});

test('what stands of a claim is the end of its history, and each version names the one before', () => {
  fc.assert(
    fc.property(steps, (all) => {
      const { recorded, fold } = filled(all);
      const lives = histories(recorded);
      for (const [key, { current }] of fold.claims) {
        let last: string | null = null;
        for (const { leaf, entry } of lives.get(key) ?? []) {
          const { body } = entry;
          assert.equal('claim' in body ? body.claim : body.replaces, last);
          if (entry.type === 'claim.put') last = leaf;
        }
        assert.equal(last, current.leaf);
      }
    }),
    { numRuns: 100 },
  );
});
