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
  // All at once: to start workers takes longer than to verify with them.
  const alter = (path: string, change: (text: string) => string) => {
    const at = join(dir, path);
    writeFileSync(at, change(readFileSync(at, 'latin1')), 'latin1');
  };
  const file = (seq: number) => `entries/${fileName(seq)}`;
  alter(file(300), (text) => text.replace('Docs', 'Dogs'));
  alter(file(900), (text) => text.replace(/^(.*\n)(.*\n)/, '$2$1'));
  alter(file(2000), (text) => text.replace('{', '{ '));
  alter(file(2400), (text) => text.replace('"v":1', '"v":2'));
  alter(file(3072), (text) => text.slice(0, -3));
  alter(blobPath('', sha256), () => '[]\n');
  assert.deepEqual(await same(), [
    ...['blob.altered 0', 'chain.prev 258', 'seq.reordered 768'],
    ...['line.canonical 1792', 'entry.schema 2304', 'line.torn 3080'],
  ]);
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
