import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DEEPEST, findRepeats, type Repeat, utf8Length } from '../../src/measure/repeats.ts';
import { milliseconds } from './oracle.ts';

const long = (letter: string) => letter.repeat(70);
/** Compact JSON of a long string: the characters and two quotes. */
const LONG = 72;

/** What the definition says, taken literally: serialise every subtree and look it up. */
function naive(root: unknown): { blocks: Map<string, number>; redundantBytes: number } {
  const blocks = new Map<string, number>();
  const seen = new Set<string>();
  let redundantBytes = 0;
  const walk = (value: unknown): void => {
    const text = JSON.stringify(value);
    const bytes = Buffer.byteLength(text);
    if (bytes < 64) return;
    if (seen.has(text)) {
      redundantBytes += bytes;
      blocks.set(text, (blocks.get(text) ?? 1) + 1);
      return;
    }
    seen.add(text);
    if (typeof value === 'object' && value !== null) Object.values(value).forEach(walk);
  };
  walk(root);
  return { blocks, redundantBytes };
}

function at(root: unknown, path: string): unknown {
  return path
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((value, key) => (value as Record<string, unknown>)[key], root);
}

test('reports a repeated block once, with its first place, copies and bytes', () => {
  const found = findRepeats([{ 'a/b~': long('x') }, { c: long('x') }, { d: [long('x')] }]);
  assert.deepEqual(found, {
    blocks: [{ path: '/0/a~1b~0', copies: 3, bytes: LONG }],
    redundantBytes: 2 * LONG,
  });
});

test('counts a repeat inside a repeat once', () => {
  const outer = { inner: [long('x')], other: long('y') };
  const bytes = JSON.stringify(outer).length;
  assert.deepEqual(findRepeats([outer, outer, outer]), {
    blocks: [{ path: '/0', copies: 3, bytes }],
    redundantBytes: 2 * bytes,
  });
  // Alone as well: that copy is redundant too, wherever it stands.
  for (const list of [
    [long('x'), outer, outer],
    [outer, long('x'), outer],
    [outer, outer, long('x')],
  ]) {
    const { blocks, redundantBytes } = findRepeats(list);
    assert.equal(redundantBytes, bytes + LONG);
    assert.deepEqual(
      blocks.map((block) => [block.copies, block.bytes]),
      [
        [2, bytes],
        [2, LONG],
      ],
    );
  }
});

test('takes blocks of 64 bytes and none smaller, in UTF-8', () => {
  const twice = (text: string) => findRepeats([text, text]).redundantBytes;
  assert.equal(twice('x'.repeat(61)), 0);
  assert.equal(twice('x'.repeat(62)), 64);
  assert.equal(twice('中'.repeat(20)), 0);
  assert.equal(twice('中'.repeat(21)), 65);
});

test('tells apart what differs in the order of keys or in kind only', () => {
  const pad = long('p');
  for (const [a, b] of [
    [
      { x: 1, pad },
      { pad, x: 1 },
    ],
    [
      [1, `${pad}a`],
      ['1', `${pad}a`],
    ],
    [{ 0: `${pad}b` }, [`${pad}b`]],
    [
      [[], `${pad}c`],
      [{}, `${pad}c`],
    ],
    [
      [null, `${pad}d`],
      [0, `${pad}d`],
    ],
  ]) {
    const whole = JSON.stringify(a).length;
    assert.ok(!findRepeats([a, b]).blocks.some(({ bytes }) => bytes >= whole), JSON.stringify(a));
  }
});

const value = fc.letrec((tie) => ({
  node: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.constantFrom(1, 1.5e300, null, true, 'x', 'é', long('y'), long('中'), '\ud800'.repeat(20)),
    fc.array(tie('node'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom('a', 'b', '/', '~', '__proto__', 'é"'), tie('node'), {
      maxKeys: 4,
    }),
  ),
})).node;

test('agrees with the definition taken literally on random catalogues', () => {
  fc.assert(
    fc.property(fc.array(value, { maxLength: 6 }), (root) => {
      const expected = naive(root);
      const { blocks, redundantBytes } = findRepeats(root);
      assert.equal(redundantBytes, expected.redundantBytes);
      const texts = new Map(
        blocks.map(({ path, copies }: Repeat) => [JSON.stringify(at(root, path)), copies]),
      );
      assert.deepEqual(texts, expected.blocks);
      for (const { path, bytes } of blocks) {
        assert.equal(bytes, Buffer.byteLength(JSON.stringify(at(root, path))));
      }
    }),
    { numRuns: 400 },
  );
});

test('gives the length of UTF-8 without encoding', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      assert.equal(utf8Length(text), Buffer.byteLength(text));
    }),
  );
});

function nested(depth: number): unknown {
  let inner: unknown = [];
  for (let i = 1; i < depth; i++) inner = i % 2 ? { in: inner } : [inner];
  return inner;
}

test('measures nesting to its limit and refuses deeper, with the place, instead of crashing', () => {
  assert.equal(findRepeats(nested(DEEPEST)).redundantBytes, 0);
  for (const depth of [DEEPEST + 1, 100_000]) {
    assert.throws(() => findRepeats(nested(depth)), {
      name: 'RangeError',
      message:
        /nested deeper than 1000 levels at \/in\/0|nested deeper than 1000 levels at \/0\/in/,
    });
  }
});

test('takes time in proportion to the size of a catalogue, whatever its form', () => {
  const wide = (n: number) =>
    Array.from({ length: n }, (_, i) => ({ type: 'string', i, d: `d${i}` }));
  const deep = (n: number) => Array.from({ length: n / 500 }, () => nested(900));
  const same = (n: number) => Array.from({ length: n }, () => ({ type: 'string', of: long('z') }));
  for (const make of [wide, deep, same]) {
    const [small, large] = [make(10_000), make(60_000)];
    const ratio = milliseconds(() => findRepeats(large)) / milliseconds(() => findRepeats(small));
    assert.ok(ratio < 24, `six times the size took ${ratio} times as long (${make.name})`);
  }
});
