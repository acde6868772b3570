import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { append } from '../../src/disk/append.ts';
import { blobPath } from '../../src/disk/blobs.ts';
import { verifyLedger } from '../../src/disk/ledger.ts';
import { verifyWith } from '../../src/disk/verify.ts';
import { Batch } from '../../src/ledger/batch.ts';
import type { Entry } from '../../src/ledger/entry.ts';
import { essence } from '../../src/ledger/essence.ts';
import { FILE_LINES, fileName } from '../../src/ledger/file.ts';
import { Fold } from '../../src/ledger/fold.ts';
import { steps, take } from '../ledger/any-entries.ts';
import { capture, claim, STAMP, slots, source } from '../ledger/drafts.ts';
import { ledgerFolder } from './folder.ts';

test('with workers it is found what one thread finds, of a ledger that holds and of one that was altered', async (t) => {
  const dir = ledgerFolder(t);
  let sha256 = '';
  await append(dir, STAMP, (batch) => {
    const blob = batch.blob(Buffer.from('{}\n'));
    ({ sha256 } = blob);
    const { leaf } = batch.add(capture({ blob }));
    for (let i = 1; i < 12 * FILE_LINES + 9; i++) {
      batch.add(i % 2 ? source({ id: `s${i}` }) : claim({ id: `c${i}`, slots: slots(leaf) }));
    }
  });
  const same = async () => {
    const { fold: _, ...alone } = verifyLedger(dir);
    assert.deepEqual(await verifyWith(dir, 2, 0), alone);
    return alone.problems.map(({ code, seq }) => `${code} ${seq}`);
  };
  assert.deepEqual(await same(), []);
  const altered = async (path: string, change: (text: string) => string) => {
    const at = join(dir, path);
    const was = readFileSync(at, 'latin1');
    writeFileSync(at, change(was), 'latin1');
    const told = await same();
    writeFileSync(at, was, 'latin1');
    return told;
  };
  const file = (seq: number) => `entries/${fileName(seq)}`;
  const swapped = (text: string) => text.replace(/^(.*\n)(.*\n)/, '$2$1');
  assert.deepEqual(await altered(file(900), swapped), ['seq.reordered 768']);
  assert.deepEqual(await altered(file(300), (text) => text.replace('Docs', 'Dogs')), [
    'chain.prev 258',
  ]);
  assert.deepEqual(await altered(file(2000), (text) => text.replace('{', '{ ')), [
    'line.canonical 1792',
  ]);
  assert.deepEqual(await altered(file(2000), (text) => text.replace('"v":1', '"v":2')), [
    'entry.schema 1792',
  ]);
  assert.deepEqual(await altered(file(3072), (text) => text.slice(0, -3)), ['line.torn 3080']);
  const shard = blobPath('', sha256);
  assert.deepEqual(await altered(shard, () => '[]\n'), ['blob.altered 0']);
});

test('a file that a worker can not read is named', async (t) => {
  const dir = ledgerFolder(t);
  await append(dir, STAMP, (batch) => void batch.add(source()));
  mkdirSync(join(dir, 'entries/001.jsonl'));
  const told = { code: 'file.unreadable', at: join(dir, 'entries/001.jsonl') };
  await assert.rejects(verifyWith(dir, 2, 0), told);
});

test('the fold of essences is the fold of entries, whatever they are', () => {
  fc.assert(
    fc.property(steps, (all) => {
      const batch = new Batch(new Fold({ genesis: '0'.repeat(64) }), STAMP);
      for (const step of all) take(batch, step);
      const [whole, bare] = [0, 1].map(() => new Fold({ genesis: '0'.repeat(64) })) as [Fold, Fold];
      // Each entry, and each at every place where it may be refused.
      for (const { entry, leaf } of batch.recorded.flatMap((one) => [one, one])) {
        const copy = JSON.parse(JSON.stringify(essence(entry))) as Entry;
        assert.deepEqual(bare.apply(copy, leaf), whole.apply(entry, leaf));
        assert.deepEqual([bare.size, bare.head], [whole.size, whole.head]);
      }
    }),
    { numRuns: 150 },
  );
});
