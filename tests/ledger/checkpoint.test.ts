import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toBase64 } from '../../src/ledger/base64.ts';
import {
  checkCheckpoints,
  formatCheckpoint,
  openCheckpoint,
  parseCheckpoint,
  signCheckpoint,
  signGrowth,
} from '../../src/ledger/checkpoint.ts';
import type { KeysAt } from '../../src/ledger/key.ts';
import { formatNote, makeSkey, sign } from '../../src/ledger/note.ts';
import { leafHash } from '../../src/ledger/tree.ts';
import { headOf, lines, OTHER, SKEY, sha256 } from './tiled.ts';

const ROOT = new Uint8Array(32).fill(3);
const VKEYS = [SKEY.vkey];

test('a checkpoint is written and read as origin, size, root and what may follow', () => {
  for (const extensions of [[], ['one', 'two words']]) {
    const checkpoint = { origin: 'any log at all', size: 20852163, root: ROOT, extensions };
    assert.deepEqual(parseCheckpoint(formatCheckpoint(checkpoint)), checkpoint);
  }
  assert.equal(
    formatCheckpoint({ origin: 'o', size: 0, root: ROOT, extensions: [] }),
    `o\n0\n${toBase64(ROOT)}\n`,
  );
});

test('a checkpoint that is spelled in any other way is refused', () => {
  const root = toBase64(ROOT);
  for (const text of [
    '',
    'o\n1\n',
    `o\n1\n${root}`,
    `\n1\n${root}\n`,
    `o\n01\n${root}\n`,
    `o\n-1\n${root}\n`,
    `o\n+1\n${root}\n`,
    `o\n1.0\n${root}\n`,
    `o\n1e3\n${root}\n`,
    `o\n\n${root}\n`,
    `o\n9007199254740992\n${root}\n`,
    `o\n1\n${root.replace('=', '')}\n`,
    `o\n1\n${root.slice(0, -2)}N=\n`,
    `o\n1\n${root} \n`,
    `o\n1\nAwM=\n`,
    `o\n1\n${root}\n\n`,
    `o\n1\n${root}\nx\n\n`,
  ]) {
    assert.throws(() => parseCheckpoint(text), { code: 'checkpoint.form' }, JSON.stringify(text));
  }
});

test('a checkpoint of another log is refused, though a trusted key signed it', () => {
  const text = formatCheckpoint({ origin: 'other.example', size: 1, root: ROOT, extensions: [] });
  const note = formatNote({ text, signatures: [sign(text, SKEY)] });
  assert.throws(() => openCheckpoint(note, VKEYS), { code: 'checkpoint.origin' });
});

const ALL = lines(12);
const rootAt = (some: readonly Uint8Array[]) => (size: number) =>
  size > some.length ? null : headOf(some.slice(0, size)).root;
const file = (size: number, key = SKEY, some: readonly Uint8Array[] = ALL) => ({
  name: String(size),
  bytes: new TextEncoder().encode(signCheckpoint(headOf(some.slice(0, size)), key)),
});
const check = (
  files: { name: string; bytes: Uint8Array }[],
  some = ALL,
  keys: KeysAt = () => VKEYS,
) => {
  const { problems, newest, ...rest } = checkCheckpoints(files, keys, some.length, rootAt(some));
  return { ...rest, newest: newest?.size ?? null, codes: problems.map(({ code }) => code) };
};

test('published checkpoints that hold are counted, and so are the entries after the newest', () => {
  assert.deepEqual(check([file(10), file(2), file(9)]), {
    held: 3,
    after: 2,
    newest: 10,
    codes: [],
  });
  assert.deepEqual(check([]), { held: 0, after: null, newest: null, codes: [] });
});

test('an entry that was changed after it was signed breaks the checkpoints over it, and no older one', () => {
  const changed = ALL.with(5, ALL[6]!).with(6, ALL[5]!);
  assert.deepEqual(check([file(3), file(6), file(12)], changed), {
    held: 1,
    after: null,
    newest: null,
    codes: ['checkpoint.root', 'checkpoint.root'],
  });
});

test('entries that were signed and cut off since are missed', () => {
  const { codes, held } = check([file(4), file(12)], ALL.slice(0, 11));
  assert.deepEqual({ codes, held }, { codes: ['checkpoint.cut'], held: 1 });
});

test('a checkpoint by another key, under another name, or not by its own size is each named', () => {
  assert.deepEqual(check([file(4, OTHER)]).codes, ['note.unsigned']);
  assert.deepEqual(check([{ ...file(4), name: '5' }]).codes, ['checkpoint.name']);
  assert.deepEqual(check([{ ...file(4), name: '04' }, file(5)]).codes, ['checkpoint.name']);
  assert.equal(check([{ ...file(4), name: 'x' }, file(5)]).newest, 5);
  assert.deepEqual(check([{ name: '4', bytes: Uint8Array.of(0xff) }]).codes, ['note.form']);
  const bytes = file(4).bytes.with(-20, 'A'.charCodeAt(0));
  assert.deepEqual(check([{ name: '4', bytes }]).codes, ['note.signature']);
});

test('after a hand-over the old key vouches for what it signed before, and for nothing after', () => {
  const keys: KeysAt = (entries) => (entries > 5 ? [OTHER.vkey] : VKEYS);
  assert.deepEqual(check([file(5), file(6, OTHER)], ALL, keys).codes, []);
  assert.deepEqual(check([file(5, OTHER), file(9)], ALL, keys).codes, [
    'note.unsigned',
    'note.unsigned',
  ]);
});

test('only a tree that begins with the last one signed is signed', () => {
  const leaves = ALL.map((line) => leafHash(line, sha256));
  const last = openCheckpoint(signGrowth(null, leaves.slice(0, 7), SKEY), VKEYS);
  assert.equal(openCheckpoint(signGrowth(last, leaves, SKEY), VKEYS).size, 12);
  assert.throws(() => signGrowth(last, leaves.with(6, leaves[7]!), SKEY), {
    code: 'checkpoint.fork',
  });
  assert.throws(() => signGrowth(last, leaves.slice(0, 6), SKEY), { code: 'checkpoint.stale' });
});

test('a key named after another log signs for that log alone', () => {
  const elsewhere = makeSkey('else.example', SKEY.seed);
  assert.throws(() => openCheckpoint(signCheckpoint(headOf(ALL), elsewhere), VKEYS), {
    code: 'note.unsigned',
  });
});
