import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { append } from '../../src/disk/append.ts';
import { contents, ledgerFolder } from '../disk/folder.ts';
import { STAMP, source } from '../ledger/drafts.ts';

const SCRIPT = join(import.meta.dirname, '../../scripts/verify.ts');
const verify = (...args: string[]) =>
  spawnSync(process.execPath, [SCRIPT, ...args], { encoding: 'utf8' });

test('verify says that a ledger holds, in words and in JSON, and changes nothing', async (t) => {
  const dir = ledgerFolder(t);
  const [added] = await append(dir, STAMP, (batch) => void batch.add(source()));
  const before = contents(dir);
  const json = verify('--json', '--ledger', dir);
  assert.equal(json.status, 0, json.stderr);
  const { limits, ...verdict } = JSON.parse(json.stdout) as Record<string, unknown>;
  assert.deepEqual(verdict, {
    ok: true,
    entries: 1,
    root: added?.leaf,
    head: added?.leaf,
    blobs: 0,
    problems: [],
  });
  assert.ok(Array.isArray(limits));
  const words = verify('--ledger', dir);
  assert.equal(words.status, 0);
  assert.match(words.stdout, /The ledger holds/);
  assert.match(words.stdout, /signed checkpoint/);
  assert.deepEqual(contents(dir), before);
});

test('verify exits with 1 and names what is wrong', async (t) => {
  const dir = ledgerFolder(t);
  await append(dir, STAMP, (batch) => {
    batch.add(source());
    batch.add(source({ id: 's2' }));
  });
  const path = join(dir, 'entries/000.jsonl');
  writeFileSync(path, readFileSync(path, 'utf8').replace('Docs', 'Dogs'));
  const words = verify('--ledger', dir);
  assert.equal(words.status, 1);
  assert.match(words.stdout, /entry 1: .*\[chain\.prev\]/);
  const json = verify('--json', '--ledger', dir);
  assert.equal(json.status, 1);
  assert.equal((JSON.parse(json.stdout) as { ok: boolean }).ok, false);
});

test('verify exits with 2 on a word it does not know, and with 1 where there is no ledger', (t) => {
  assert.equal(verify('--jsn').status, 2);
  const none = verify('--ledger', join(ledgerFolder(t), 'none'));
  assert.equal(none.status, 1);
  assert.match(none.stderr, /ledger\.origin/);
  assert.match(verify('--help').stdout, /usage/);
});
