import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { append } from '../../src/disk/append.ts';
import { readCheckpoints, readVkey } from '../../src/disk/checkpoints.ts';
import { verifyLedger } from '../../src/disk/ledger.ts';
import { rotateKey, signLedger } from '../../src/disk/sign.ts';
import { openCheckpoint, signCheckpoint } from '../../src/ledger/checkpoint.ts';
import { makeSkey } from '../../src/ledger/note.ts';
import { failed, ORIGIN, STAMP } from '../ledger/drafts.ts';
import { headOf, OTHER } from '../ledger/tiled.ts';

const SKEY = makeSkey(ORIGIN, new Uint8Array(32).fill(1));

async function ledger(t: TestContext, entries: number): Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), 'weighbridge-sign-'));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  writeFileSync(join(dir, 'origin'), `${ORIGIN}\n`);
  writeFileSync(join(dir, 'vkey'), `${SKEY.vkey.text}\n`);
  await grow(dir, entries);
  return dir;
}
const grow = (dir: string, by: number) =>
  append(dir, STAMP, (batch) => {
    for (let i = 0; i < by; i++) batch.add(failed());
  });
const published = (dir: string): string[] => readdirSync(join(dir, 'checkpoints')).sort();
const entriesOf = (dir: string) => join(dir, 'entries/000.jsonl');
const linesOf = (dir: string) => readFileSync(entriesOf(dir), 'utf8').trimEnd().split('\n');

test('a ledger is signed as it stands, again as it grew, and not again as it stands', async (t) => {
  const dir = await ledger(t, 3);
  const first = await signLedger(dir, SKEY);
  assert.deepEqual([first.size, first.before], [3, null]);
  assert.equal((await signLedger(dir, SKEY)).note, null);
  await grow(dir, 2);
  const second = await signLedger(dir, SKEY);
  assert.deepEqual([second.size, second.before], [5, 3]);
  assert.deepEqual(published(dir), ['3', '5']);

  const note = readFileSync(join(dir, 'checkpoints/5'), 'utf8');
  assert.equal(note, second.note);
  const lines = linesOf(dir).map((line) => new TextEncoder().encode(line));
  const { root } = openCheckpoint(note, [readVkey(join(dir, 'vkey'))]);
  assert.deepEqual(Buffer.from(root), Buffer.from(headOf(lines).root));
});

test('a dry run proves and shows, and writes nothing', async (t) => {
  const dir = await ledger(t, 2);
  const { note } = await signLedger(dir, SKEY, { dryRun: true });
  assert.equal(note, (await signLedger(dir, SKEY)).note);
  await grow(dir, 1);
  await signLedger(dir, SKEY, { dryRun: true });
  assert.deepEqual(published(dir), ['2']);
});

test('an empty ledger has nothing to sign', async (t) => {
  const dir = await ledger(t, 0);
  assert.equal((await signLedger(dir, SKEY)).note, null);
});

test('a key that is not the published one, or is named after another log, signs nothing', async (t) => {
  const dir = await ledger(t, 2);
  await assert.rejects(signLedger(dir, makeSkey(ORIGIN, new Uint8Array(32).fill(2))), {
    code: 'sign.key',
  });
  const elsewhere = makeSkey('else.example/ledger', SKEY.seed);
  writeFileSync(join(dir, 'vkey'), elsewhere.vkey.text);
  await assert.rejects(signLedger(dir, elsewhere), { code: 'sign.origin' });
  writeFileSync(join(dir, 'vkey'), 'nonsense');
  await assert.rejects(signLedger(dir, SKEY), { code: 'key.form' });
  rmSync(join(dir, 'vkey'));
  await assert.rejects(signLedger(dir, SKEY), { code: 'key.missing' });
  assert.deepEqual(readCheckpoints(dir), []);
});

test('entries that do not verify are not signed', async (t) => {
  const dir = await ledger(t, 3);
  const [a, b, c] = linesOf(dir);
  writeFileSync(entriesOf(dir), `${a}\n${c}\n${b}\n`);
  await assert.rejects(signLedger(dir, SKEY), { code: /^(seq|chain)\./ });
  assert.deepEqual(readCheckpoints(dir), []);
});

test('a history other than the one that was signed is refused, however well it verifies', async (t) => {
  const dir = await ledger(t, 3);
  await signLedger(dir, SKEY);
  rmSync(entriesOf(dir));
  await append(dir, { ...STAMP, actor: 'somebody else' }, (batch) => {
    for (let i = 0; i < 4; i++) batch.add(failed());
  });
  await assert.rejects(signLedger(dir, SKEY), { code: 'checkpoint.root' });
  writeFileSync(entriesOf(dir), `${linesOf(dir).slice(0, 2).join('\n')}\n`);
  await assert.rejects(signLedger(dir, SKEY), { code: 'checkpoint.cut' });
  assert.deepEqual(published(dir), ['3']);
});

test('a published checkpoint that does not hold stops the next one', async (t) => {
  const dir = await ledger(t, 3);
  mkdirSync(join(dir, 'checkpoints'));
  writeFileSync(join(dir, 'checkpoints/2'), signCheckpoint(headOf([]), OTHER));
  await assert.rejects(signLedger(dir, SKEY), { code: 'note.unsigned' });
  writeFileSync(join(dir, 'checkpoints/2'), signCheckpoint(headOf([]), SKEY));
  await assert.rejects(signLedger(dir, SKEY), { code: 'checkpoint.name' });
});

test('what a killed writer left half done is not taken for a checkpoint', async (t) => {
  const dir = await ledger(t, 2);
  await signLedger(dir, SKEY);
  writeFileSync(join(dir, 'checkpoints/3.99.tmp'), 'test.ex');
  assert.deepEqual(
    readCheckpoints(dir).map(({ name }) => name),
    ['2'],
  );
});

test('verify names a signed ledger that was cut, a changed signature, and a key that is not its own', async (t) => {
  const dir = await ledger(t, 3);
  await signLedger(dir, SKEY);
  await grow(dir, 1);
  const codes = () => verifyLedger(dir).problems.map(({ code }) => code);
  const restore = (path: string) => {
    const bytes = readFileSync(join(dir, path));
    return () => writeFileSync(join(dir, path), bytes);
  };
  const { ok, checkpoints, limits } = verifyLedger(dir);
  assert.deepEqual([ok, checkpoints], [true, { held: 1, newest: 3, after: 1 }]);
  assert.match(limits.join(' '), /the last 1 entries .* holds the key/);
  const note = restore('checkpoints/3');
  rmSync(join(dir, 'checkpoints/3'));
  assert.match(
    verifyLedger(dir).limits[0]!,
    /nothing was signed yet, or what was signed is taken away/,
  );
  note();

  const whole = restore('entries/000.jsonl');
  writeFileSync(entriesOf(dir), `${linesOf(dir).slice(0, 2).join('\n')}\n`);
  assert.deepEqual(codes(), ['checkpoint.cut']);
  rmSync(entriesOf(dir));
  await append(dir, { ...STAMP, actor: 'somebody else' }, (batch) => {
    for (let i = 0; i < 4; i++) batch.add(failed());
  });
  assert.deepEqual(codes(), ['checkpoint.root']);
  whole();

  const signature = restore('checkpoints/3');
  const head = headOf(linesOf(dir).map((line) => new TextEncoder().encode(line)));
  writeFileSync(join(dir, 'checkpoints/3'), signCheckpoint(head, SKEY));
  assert.deepEqual(codes(), ['checkpoint.name']);
  signature();

  const elsewhere = makeSkey('else.example/ledger', SKEY.seed).vkey.text;
  writeFileSync(join(dir, 'vkey'), elsewhere);
  assert.deepEqual(codes(), ['note.unsigned', 'checkpoint.origin']);
  rmSync(join(dir, 'vkey'));
  assert.deepEqual(codes(), ['note.unsigned']);
});

test('a log is handed over to a new key; the old one vouches for what it signed and signs no more', async (t) => {
  const dir = await ledger(t, 2);
  const next = makeSkey(ORIGIN, new Uint8Array(32).fill(2));
  const { size } = await rotateKey(dir, SKEY, next, STAMP);
  assert.equal(size, 3);
  assert.deepEqual(published(dir), ['2', '3']);
  assert.equal(readVkey(join(dir, 'vkey')).text, next.vkey.text);
  await assert.rejects(signLedger(dir, SKEY), { code: 'sign.key' });
  await grow(dir, 1);
  await signLedger(dir, next);
  const codes = () => verifyLedger(dir).problems.map(({ code }) => code);
  assert.deepEqual(codes(), []);

  const head = headOf(linesOf(dir).map((line) => new TextEncoder().encode(line)));
  writeFileSync(join(dir, 'checkpoints/4'), signCheckpoint(head, SKEY));
  assert.deepEqual(codes(), ['note.unsigned'], 'a stolen old key signs nothing new');
  writeFileSync(join(dir, 'checkpoints/4'), signCheckpoint(head, next));
  writeFileSync(join(dir, 'vkey'), SKEY.vkey.text);
  assert.deepEqual(codes(), ['key.current']);
  await assert.rejects(signLedger(dir, SKEY), { code: 'key.current' });
  await rotateKey(dir, SKEY, next, STAMP);
  assert.deepEqual(codes(), [], 'one that stopped half way is taken up, with no second entry');
  assert.equal(linesOf(dir).length, 4);
  await assert.rejects(rotateKey(dir, next, makeSkey('else.example', next.seed), STAMP), {
    code: 'key.form',
  });
});
