import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { wordDiff } from '../../src/render/words.ts';

const told = (kind: 'gone' | 'new', before: string, after: string) =>
  wordDiff(before, after)
    .filter((piece) => piece.kind !== kind)
    .map(({ text }) => text)
    .join('');

test('only the words that changed are gone or new', () => {
  assert.deepEqual(wordDiff('ten servers take 17,307 tokens', 'ten servers take 18,000 tokens'), [
    { kind: 'same', text: 'ten servers take ' },
    { kind: 'gone', text: '17,307' },
    { kind: 'new', text: '18,000' },
    { kind: 'same', text: ' tokens' },
  ]);
});

test('the pieces give back both texts, whatever they are', () => {
  const text = fc
    .array(fc.constantFrom('a', 'b', ' ', '\n', 'é', 'word'))
    .map((all) => all.join(''));
  fc.assert(
    fc.property(text, text, (before, after) => {
      assert.equal(told('new', before, after), before);
      assert.equal(told('gone', before, after), after);
    }),
  );
});

test('texts too long to compare are shown whole', () => {
  const [before, after] = ['a '.repeat(3000), 'b '.repeat(3000)];
  assert.deepEqual(
    wordDiff(before, after).map(({ kind }) => kind),
    ['gone', 'new'],
  );
});
