import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { append } from '../../src/disk/append.ts';
import { noteFlight } from '../../src/disk/flight.ts';
import { openLedger, verifyLedger } from '../../src/disk/ledger.ts';
import { readPublished } from '../../src/disk/published.ts';
import { erasePost } from '../../src/disk/withdraw.ts';
import { getWords, putWords, wordsPath } from '../../src/disk/words.ts';
import { verifyServed } from '../../src/ledger/served.ts';
import { failed, receive, STAMP, WORDS } from '../ledger/drafts.ts';
import { ledgerFolder } from './folder.ts';

const { id } = WORDS;

const take = (dir: string) =>
  append(dir, STAMP, (batch) => {
    batch.add(receive());
    batch.keep(WORDS);
  });

test('words lie beside the entry that takes them, and go when they are erased, while the chain holds', async (t) => {
  const dir = ledgerFolder(t);
  await take(dir);
  assert.deepEqual(getWords(dir, id), WORDS);
  const served = async () => {
    const published = readPublished(dir);
    const verdict = await verifyServed({ get: (path) => published.get(path) });
    return verdict.faults.map(({ code }) => code).join();
  };
  assert.deepEqual([verifyLedger(dir).ok, await served()], [true, '']);
  writeFileSync(wordsPath(dir, id), readFileSync(wordsPath(dir, id), 'utf8').replace('not', 'now'));
  assert.equal(await served(), 'objection.altered');
  assert.equal(verifyLedger(dir).problems[0]?.code, 'objection.altered');
  const seq = await erasePost(dir, STAMP, { id, reason: 'asked for' });
  assert.deepEqual([seq, existsSync(wordsPath(dir, id)), verifyLedger(dir).ok], [1, false, true]);
  // Stopped between the entry and the file: the same command ends it, without a second entry.
  putWords(dir, WORDS);
  assert.deepEqual([verifyLedger(dir).ok, await served()], [false, 'objection.kept']);
  assert.equal(await erasePost(dir, STAMP, { id, reason: 'again' }), 1);
  assert.deepEqual([verifyLedger(dir).ok, await served()], [true, '']);
  assert.ok(!readFileSync(join(dir, 'entries/000.jsonl'), 'latin1').includes('somebody'));
  await assert.rejects(erasePost(dir, STAMP, { id: 'b'.repeat(32), reason: 'x' }), {
    code: 'ref.objection',
  });
});

test('words that a killed writer stored and never came to name are excused, then taken away', async (t) => {
  const dir = ledgerFolder(t);
  const { head } = openLedger(dir).fold;
  noteFlight(dir, { size: 0, head, end: 1, blobs: [], posts: [id] });
  putWords(dir, WORDS);
  assert.equal(verifyLedger(dir).ok, true);
  await append(dir, STAMP, (batch) => void batch.add(failed()));
  assert.equal(existsSync(wordsPath(dir, id)), false);
  putWords(dir, WORDS);
  assert.equal(verifyLedger(dir).problems[0]?.code, 'objection.orphan');
});

test('an append that can’t be written leaves no words behind', async (t) => {
  const dir = ledgerFolder(t);
  writeFileSync(join(dir, 'entries'), 'in the way');
  await assert.rejects(take(dir));
  assert.equal(existsSync(wordsPath(dir, id)), false);
});
