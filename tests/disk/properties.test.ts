/** What holds of any way of appending. */
import assert from 'node:assert/strict';
import { appendFileSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { append } from '../../src/disk/append.ts';
import { openLedger, verifyLedger } from '../../src/disk/ledger.ts';
import { steps, take } from '../ledger/any-entries.ts';
import { STAMP } from '../ledger/drafts.ts';
import { contents, ledgerFolder } from './folder.ts';

test('one append or many, with torn tails between them, leave the same bytes', async (t) => {
  await fc.assert(
    fc.asyncProperty(
      steps,
      fc.array(fc.nat(39), { maxLength: 4 }),
      fc.uint8Array({ minLength: 1, maxLength: 30 }).filter((bytes) => !bytes.includes(10)),
      async (all, cuts, junk) => {
        const [one, many] = [ledgerFolder(t), ledgerFolder(t)];
        // Steps that name the first of a batch would differ, so that none is stale here.
        const fresh = all.map((step) => ({ ...step, stale: false }));
        const added = await append(one, STAMP, (batch) => {
          for (const step of fresh) take(batch, step);
        });
        const ends = [...new Set([...cuts, fresh.length])].sort((a, b) => a - b);
        let from = 0;
        for (const to of ends) {
          await append(many, STAMP, (batch) => {
            for (const step of fresh.slice(from, to)) take(batch, step);
          });
          from = Math.max(from, to);
          const file = join(many, 'entries/000.jsonl');
          if (existsSync(file) && to !== ends.at(-1)) appendFileSync(file, junk);
        }
        await append(many, STAMP, () => {});
        assert.deepEqual(openLedger(many).entries, added);
        const redacted = new Set(openLedger(one).fold.redacted.keys());
        const kept = (dir: string) =>
          Object.entries(contents(dir)).filter(([name]) => !redacted.has(name.slice(-64)));
        assert.deepEqual(kept(many), kept(one));
        const codes = verifyLedger(many).problems.map(({ code }) => code);
        assert.ok(
          codes.every((code) => code === 'blob.kept' || code === 'objection.kept'),
          codes.join(),
        );
        for (const dir of [one, many]) rmSync(dir, { recursive: true });
      },
    ),
    { numRuns: 15 }, // each waits for the disk some twenty times
  );
});
