import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { append } from '../../src/disk/append.ts';
import { failed, ORIGIN, STAMP } from '../ledger/drafts.ts';

test('from a new key to a signed ledger, with each refusal on the way said in one line', async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'weighbridge-sign-'));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  const ledger = join(dir, 'project/ledger');
  const key = join(dir, 'ledger.skey');
  const script = (name: string, args: string[], file: string) => {
    const run = spawnSync(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', `scripts/${name}.ts`, '--ledger', ledger, ...args],
      { env: { LEDGER_KEY_FILE: file }, encoding: 'utf8' },
    );
    return { code: run.status, out: run.stdout, err: run.stderr };
  };
  const sign = (args: string[], file = key) => script('sign', args, file);
  const make = (file: string) => script('new', ['key', file], '');
  const grow = (by: number) =>
    append(ledger, STAMP, (batch) => {
      for (let i = 0; i < by; i++) batch.add(failed());
    });

  mkdirSync(ledger, { recursive: true });
  writeFileSync(join(ledger, 'origin'), `${ORIGIN}\n`);
  assert.match(make(join(dir, 'project/ledger.skey')).err, /\[new\.inside\]/);
  const made = make(key);
  assert.equal(made.code, 0, made.err);
  assert.equal(statSync(key).mode & 0o777, 0o600);
  const vkey = readFileSync(join(ledger, 'vkey'), 'utf8');
  assert.equal(made.out.split('\n')[0], vkey.trimEnd());
  const secret = readFileSync(key, 'utf8');
  assert.ok(
    !made.out.includes(secret.trim().split('+').slice(4).join('+')),
    'the secret half is not shown',
  );
  assert.match(make(key).err, /\[new\.exists\]/);
  assert.equal(readFileSync(key, 'utf8'), secret, 'a key is never written over');

  assert.match(sign([]).out, /^Nothing to sign: the ledger is empty\./);
  await grow(2);
  assert.match(sign(['--dry-run']).out, /^Would sign 2 entries, the first checkpoint: /);
  assert.match(sign([]).out, /^Signed 2 entries, the first checkpoint: /);
  assert.match(sign([]).out, /^Nothing to sign: all 2 entries are signed\./);
  await grow(1);
  assert.match(
    sign([]).out,
    /^Signed 3 entries, proven to begin with the 2 before: .*\n\ntest\.ex/,
  );

  const other = join(dir, 'other.skey');
  assert.match(make(other).out, /not put in/);
  assert.equal(readFileSync(join(ledger, 'vkey'), 'utf8'), vkey, 'nor is a public one');
  const refused = sign([], other);
  assert.deepEqual([refused.code, refused.out], [1, '']);
  assert.match(refused.err, /\[sign\.key\]\n {2}Name the key of /);
  assert.equal(sign([], '').code, 2);
  assert.match(sign(['--help']).out, /^usage: /);
});
