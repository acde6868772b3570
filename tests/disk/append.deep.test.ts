import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { append } from '../../src/disk/append.ts';
import { openLedger, verifyLedger } from '../../src/disk/ledger.ts';
import { STAMP, source } from '../ledger/drafts.ts';
import { ledgerFolder } from './folder.ts';
import { tear } from './tear.ts';

const WRITER = join(import.meta.dirname, 'writer.ts');

test('forty writers at once give out each number once', async (t) => {
  const dir = ledgerFolder(t);
  const run = promisify(execFile);
  const done = await Promise.all(
    Array.from({ length: 40 }, (_, i) => run(process.execPath, [WRITER, dir, `writer-${i}`, '3'])),
  );
  const leaves = done.flatMap(({ stdout }) => stdout.trim().split('\n'));
  assert.deepEqual(verifyLedger(dir).problems, []);
  assert.equal(leaves.length, 120);
  assert.deepEqual(
    openLedger(dir)
      .entries.map(({ leaf }) => leaf)
      .sort(),
    leaves.sort(),
  );
});

test('of what was acknowledged before a SIGKILL nothing is lost, and the next append mends the rest', async (t) => {
  const dir = ledgerFolder(t);
  const KILLS = 40;
  const acknowledged: string[] = [];
  let torn = 0;
  for (let i = 0; i < KILLS; i++) {
    const child = spawn(process.execPath, [WRITER, dir, `killed-${i}`, '10000', '20000'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let out = '';
    child.stdout.on('data', (chunk: Buffer) => {
      out += chunk.toString();
    });
    await once(child.stdout, 'data');
    await sleep(Math.random() * 40);
    child.kill('SIGKILL');
    await once(child, 'close');
    acknowledged.push(...out.split('\n').slice(0, -1)); // a line without its end was not said
    const found = verifyLedger(dir).problems.map(({ code }) => code);
    torn += found.length;
    assert.ok(
      found.every((code) => code === 'line.torn'),
      found.join(),
    );
    await append(dir, STAMP, (batch) => void batch.add(source({ id: `after-${i}` })));
    assert.deepEqual(verifyLedger(dir).problems, []);
  }
  const leaves = new Set(openLedger(dir).entries.map(({ leaf }) => leaf));
  assert.deepEqual(
    acknowledged.filter((leaf) => !leaves.has(leaf)),
    [],
  );
  t.diagnostic(`${KILLS} kills, ${acknowledged.length} acknowledged, 0 lost, ${torn} torn tails`);
});

test('a tail torn at any byte is cut off, kept aside, and the next entry stands on its own line', async (t) => {
  await tear(ledgerFolder(t), 1);
});
