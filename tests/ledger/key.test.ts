import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Batch } from '../../src/ledger/batch.ts';
import { Fold } from '../../src/ledger/fold.ts';
import { keysAt, openRotation, rotate, rotationsIn } from '../../src/ledger/key.ts';
import { formatNote, makeSkey, parseNote, sign } from '../../src/ledger/note.ts';
import { failed, ORIGIN, STAMP } from './drafts.ts';

const key = (seed: number, name = ORIGIN) => makeSkey(name, new Uint8Array(32).fill(seed));
const [A, B, C] = [key(1), key(2), key(3)];
const draft = (body: ReturnType<typeof rotate>) =>
  ({ type: 'key.put', article: null, body }) as const;

test('a hand-over holds with both signatures, and lacks either by name', () => {
  const body = rotate(A, B);
  const { from, to } = openRotation(body);
  assert.deepEqual([from.text, to.text], [A.vkey.text, B.vkey.text]);
  const { text, signatures } = parseNote(body.note);
  for (const [at, missing] of [A, B].entries()) {
    const note = formatNote({ text, signatures: signatures.toSpliced(at, 1) });
    assert.throws(() => openRotation({ ...body, note }), {
      code: 'note.unsigned',
      message: new RegExp(missing.vkey.id),
    });
  }
  const forged = formatNote({ text, signatures: [sign(`${text}x\n`, A), sign(text, B)] });
  assert.throws(() => openRotation({ ...body, note: forged }), { code: 'note.signature' });
});

test('a note that hands over other keys, or is a checkpoint, hands over nothing', () => {
  const body = rotate(A, B);
  assert.throws(() => openRotation({ ...body, note: rotate(A, C).note }), {
    code: 'note.form',
  });
  const text = `${ORIGIN}\n3\n${'A'.repeat(43)}=\n`;
  const note = formatNote({ text, signatures: [sign(text, A), sign(text, B)] });
  assert.throws(() => openRotation({ ...body, note }), { code: 'note.form' });
  assert.throws(() => rotate(A, A), { code: 'key.form' });
  assert.throws(() => rotate(A, key(2, 'else.example/ledger')), { code: 'key.form' });
});

test('keys follow one another in the order of their entries, and only from the current one', () => {
  const batch = new Batch(new Fold({ genesis: '0'.repeat(64) }), STAMP);
  batch.add(failed());
  batch.add(draft(rotate(A, B)));
  assert.throws(() => batch.add(draft(rotate(A, C))), { message: /not the current one/ });
  batch.add(failed());
  batch.add(draft(rotate(B, C)));
  const forged = { ...rotate(C, A), note: rotate(C, B).note };
  assert.throws(() => batch.add(draft(forged)), { message: /hands over other keys/ });

  for (const rotations of [batch.fold.keys, rotationsIn(batch.lines)]) {
    const at = keysAt(C.vkey, rotations);
    const ids = [0, 1, 2, 3, 4, 99].map((size) =>
      at(size)
        .map(({ id }) => id)
        .join(),
    );
    const [a, b, c] = [A, B, C].map(({ vkey }) => vkey.id);
    assert.deepEqual(ids, [a, a, b, b, c, c]);
  }
  assert.deepEqual(keysAt(A.vkey, [])(7), [A.vkey]);
  assert.deepEqual(keysAt(null, [])(7), []);
});
