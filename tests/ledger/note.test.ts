import assert from 'node:assert/strict';
import { createPrivateKey, createPublicKey, sign as opensslSign, verify } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { toBase64 } from '../../src/ledger/base64.ts';
import {
  formatNote,
  formatSkey,
  makeSkey,
  noteText,
  openNote,
  parseNote,
  parseSkey,
  parseVkey,
  sign,
  verifyEd25519,
} from '../../src/ledger/note.ts';
import { OTHER, SKEY } from './tiled.ts';

const TEXT = 'Ten lines,\n\none blank.\n';
const signed = (...keys: (typeof SKEY)[]): string =>
  formatNote({ text: TEXT, signatures: keys.map((key) => sign(TEXT, key)) });
const STRANGER = makeSkey('stranger.example', new Uint8Array(32).fill(9));

test('a note that is signed opens with the key and gives its text, blank lines included', () => {
  assert.deepEqual(openNote(signed(SKEY), [SKEY.vkey]), { text: TEXT, signers: [SKEY.vkey] });
});

test('a signature is the one that OpenSSL makes, and OpenSSL verifies it', () => {
  const prefix = Buffer.from('302e020100300506032b657004220420', 'hex');
  const key = createPrivateKey({
    key: Buffer.concat([prefix, SKEY.seed]),
    format: 'der',
    type: 'pkcs8',
  });
  const { bytes } = sign(TEXT, SKEY);
  assert.deepEqual(Buffer.from(bytes), opensslSign(null, Buffer.from(TEXT), key));
  assert.ok(verify(null, Buffer.from(TEXT), createPublicKey(key), bytes));
});

test('keys survive being written and read, with one newline after them or none', () => {
  for (const end of ['', '\n']) {
    assert.deepEqual(parseVkey(SKEY.vkey.text + end), SKEY.vkey);
    assert.deepEqual(parseSkey(formatSkey(SKEY) + end), SKEY);
  }
});

test('each fault in a key is named, and a message never shows a secret key', () => {
  const { text, id, name } = SKEY.vkey;
  const at = text.lastIndexOf('+') + 1;
  const key = (bytes: number[]) => `${name}+${id}+${toBase64(Uint8Array.from(bytes))}`;
  const cases: [string, string][] = [
    ['', 'key.form'],
    [`${text}\n\n`, 'key.form'],
    [` ${text}`, 'key.form'],
    [`+${id}+AQ==`, 'key.form'],
    [text.replace(id, id.toUpperCase().replace(/\d/g, 'A')), 'key.form'],
    [text.replace(id, id.slice(1)), 'key.form'],
    [text.slice(0, at), 'key.type'],
    [text.slice(0, -1), 'key.form'],
    [key([2, ...SKEY.vkey.key]), 'key.type'],
    [key([1, ...SKEY.vkey.key, 0]), 'key.form'],
    [text.replace(id, '00000000'), 'key.id'],
    [text.replace(name, 'other.example'), 'key.id'],
    [`${text.slice(0, at)}${OTHER.vkey.text.slice(at)}`, 'key.id'],
    [formatSkey(SKEY), 'key.form'],
  ];
  for (const [vkey, code] of cases) assert.throws(() => parseVkey(vkey), { code }, vkey);
  const secret = formatSkey(SKEY).split('+').at(-1)!;
  for (const skey of [text, formatSkey(SKEY).replace(id, '00000000'), `${formatSkey(SKEY)}x`]) {
    assert.throws(
      () => parseSkey(skey),
      (error: Error) => 'code' in error && !error.message.includes(secret),
    );
  }
  assert.throws(() => makeSkey('two words', SKEY.seed), { code: 'key.form' });
});

test('signatures of unknown keys are ignored, as many as there are beside a known one', () => {
  assert.equal(openNote(signed(STRANGER, OTHER, SKEY), [SKEY.vkey]).signers.length, 1);
  assert.equal(openNote(signed(STRANGER, SKEY), [SKEY.vkey, STRANGER.vkey]).signers.length, 2);
  const stranger = sign(TEXT, STRANGER);
  const many = (count: number) =>
    formatNote({ text: TEXT, signatures: [...Array(count - 1).fill(stranger), sign(TEXT, SKEY)] });
  assert.equal(openNote(many(100), [SKEY.vkey]).text, TEXT);
  assert.throws(() => openNote(many(101), [SKEY.vkey]), { code: 'note.form' });
});

test('a note that only unknown keys signed does not open, and the message says who did', () => {
  assert.throws(() => openNote(signed(STRANGER), [SKEY.vkey]), {
    code: 'note.unsigned',
    message: /signed by stranger\.example\+\w{8}, but trusted is test\.example/,
  });
  assert.throws(() => openNote(signed(OTHER), [SKEY.vkey]), { code: 'note.unsigned' });
  assert.throws(() => openNote(signed(SKEY), []), { code: 'note.unsigned' });
});

test('a known key whose signature fails condemns the note, though another one holds', () => {
  const good = sign(TEXT, STRANGER);
  for (const bytes of [sign('else\n', SKEY).bytes, sign(TEXT, SKEY).bytes.subarray(1)]) {
    const note = formatNote({ text: TEXT, signatures: [good, { ...SKEY.vkey, bytes }] });
    assert.throws(() => openNote(note, [STRANGER.vkey, SKEY.vkey]), { code: 'note.signature' });
    assert.equal(openNote(note, [STRANGER.vkey]).text, TEXT);
  }
});

test('a note that is not exactly of the form is refused before any key is tried', () => {
  const note = signed(SKEY);
  const line = note.slice(note.lastIndexOf('\n\n') + 2);
  for (const bad of [
    '',
    '\n\n',
    TEXT,
    `${TEXT}\n`,
    note.slice(0, -1),
    `${note}\n`,
    note.replaceAll('\n', '\r\n'),
    note.replace('Ten', 'T\ten'),
    note.replace('\u2014', '-'),
    note.replace('\u2014 ', '\u2014  '),
    `${note.slice(0, -1)} \n`,
    note.replace(/=*\n$/, '\n'),
    `${TEXT}\n${line}${line.replace(SKEY.vkey.name, 'a+b')}`,
    `${TEXT}\n${line}${line.replace(SKEY.vkey.name, 'a\u00a0b')}`,
    `${TEXT}\n${line}\u2014 short AAAAAA==\n`,
    note.replace('Ten', '\ud800'),
  ]) {
    assert.throws(() => openNote(bad, [SKEY.vkey]), { code: 'note.form' }, JSON.stringify(bad));
  }
  assert.throws(() => noteText(Uint8Array.of(0xc3, 0x0a)), { code: 'note.form' });
});

test('what is written is what is read, for any text and any number of signatures', () => {
  const text = fc.string({ unit: 'grapheme' }).filter((s) => !/[\p{Cc}\p{Cs}]/u.test(s));
  const name = text.filter((s) => /^[^\p{White_Space}+]+$/u.test(s));
  const id = fc
    .uint8Array({ minLength: 4, maxLength: 4 })
    .map((b) => Buffer.from(b).toString('hex'));
  const bytes = fc.uint8Array({ minLength: 1, maxLength: 80 });
  fc.assert(
    fc.property(
      fc.array(text),
      fc.array(fc.record({ name, id, bytes }, { noNullPrototype: true }), {
        minLength: 1,
        maxLength: 16,
      }),
      (rows, signatures) => {
        const note = { text: rows.map((row) => `${row}\n`).join('') || '\n', signatures };
        assert.deepEqual(parseNote(formatNote(note)), note);
      },
    ),
  );
});

test('one changed bit anywhere in a note is noticed', () => {
  const bytes = new TextEncoder().encode(signed(SKEY));
  for (let bit = 0; bit < bytes.length * 8; bit += 5) {
    const copy = Uint8Array.from(bytes);
    copy[bit >> 3]! ^= 1 << (bit & 7);
    assert.throws(() => openNote(noteText(copy), [SKEY.vkey]), { name: 'Broken' }, `bit ${bit}`);
  }
});

test('a key of small order, under which one signature fits every message, vouches for nothing', () => {
  const identity = new Uint8Array(32).with(0, 1);
  const forged = new Uint8Array(64).with(0, 1);
  for (const text of ['a', 'b']) {
    assert.ok(!verifyEd25519(forged, new TextEncoder().encode(text), identity));
  }
});
