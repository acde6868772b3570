import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { canonical, jcs, MAX_LINE, parseLine } from '../../src/ledger/canonical.ts';
import vectors from '../vectors/ledger.json' with { type: 'json' };

const bytes = (text: string) => new TextEncoder().encode(text);
const code = (line: string | Uint8Array) => {
  const read = parseLine(typeof line === 'string' ? bytes(line) : line);
  return read.ok ? 'ok' : read.code;
};

test('canonical text equals what Python worked out', (t) => {
  for (const { json, canonical: want } of vectors.canonical) {
    assert.equal(canonical(JSON.parse(json)), want);
    assert.equal(code(want), 'ok');
  }
  t.diagnostic(`canonical: ${vectors.canonical.length} of ${vectors.canonical.length}`);
});

test('doubles are written as ECMA-262 says, by jcs only', (t) => {
  for (const { ieee, text } of vectors.doubles) {
    const value = Buffer.from(ieee, 'hex').readDoubleBE();
    assert.equal(jcs(value), text);
  }
  t.diagnostic(`doubles: ${vectors.doubles.length} of ${vectors.doubles.length}`);
});

test('what JSON.stringify lets through without an exact form is refused, with its pointer', () => {
  const cases: [unknown, RegExp][] = [
    [undefined, /^TypeError: \/: /],
    [{ a: { b: undefined } }, /\/a\/b: /],
    [new Array(2), /\/0: /],
    [new Date(0), /Date/],
    [{ at: new Map() }, /\/at: .*Map/],
    [() => 1, /Function/],
    [1n, /BigInt/],
    ['\ud800', /lone surrogate/],
    [{ '\udc00': 1 }, /lone surrogate/],
    [0.5, /not an integer/],
    [2 ** 53, /not an integer/],
    [Number.NaN, /not an integer/],
    [new Number(1), /Number/],
  ];
  for (const [value, message] of cases) {
    assert.throws(
      () => canonical(value),
      (error) => error instanceof TypeError && message.test(String(error)),
    );
  }
  assert.throws(() => jcs(Number.POSITIVE_INFINITY), TypeError);
});

test('each way in which a line can be wrong has its own code', () => {
  const cases: [string | Uint8Array, string][] = [
    ['', 'line.blank'],
    ['\ufeff{}', 'line.bom'],
    ['{}\r', 'line.crlf'],
    [new Uint8Array([0x22, 0xe2, 0x82, 0x22]), 'line.utf8'],
    [new Uint8Array([0x22, 0xed, 0xa0, 0x80, 0x22]), 'line.utf8'],
    ['{', 'line.json'],
    ['{}{}', 'line.json'],
    ['{"a":1,"a":1}', 'line.canonical'],
    ['{"b":1,"a":1}', 'line.canonical'],
    ['{"10":1,"9":1}', 'ok'],
    ['{"9":1,"10":1}', 'line.canonical'],
    ['{ "a":1}', 'line.canonical'],
    ['"\\u0041"', 'line.canonical'],
    ['"\\ud800"', 'line.canonical'],
    ['"\\\\ud800"', 'ok'],
    ['"\\/"', 'line.canonical'],
    ['1.0', 'line.canonical'],
    ['1e6', 'line.canonical'],
    ['-0', 'line.canonical'],
    ['[-1,0,10,-9007199254740991]', 'ok'],
    ['[-0]', 'line.canonical'],
    ['[1,2.0]', 'line.canonical'],
    ['[1,100000000000000000000]', 'line.canonical'],
    ['[true,false,null,[],{},"",""]', 'ok'],
    ['[1, 2]', 'line.canonical'],
    ['{"":1,"a":{"z":[{"b":2}],"zz":1},"b":0}', 'ok'],
    ['{"a":{"b":1},"a":2}', 'line.canonical'],
    ['{"a":[{"c":1,"b":2}]}', 'line.canonical'],
    ['{"ab":1,"a":2}', 'line.canonical'],
    // By UTF-16 code units U+1F600 comes before U+FF5E; by bytes, or by code points, it does not.
    ['{"\u{1f600}":1,"\uff5e":2}', 'ok'],
    ['{"\uff5e":1,"\u{1f600}":2}', 'line.canonical'],
    ['{"a\u00e9":1,"b":"\u00e9"}', 'ok'],
    ['0.5', 'line.canonical'],
    ['9007199254740991', 'ok'],
    ['9007199254740992', 'line.canonical'],
    [`"${'x'.repeat(MAX_LINE - 3)}"`, 'ok'],
    [`"${'x'.repeat(MAX_LINE - 2)}"`, 'line.long'],
    ['['.repeat(30_000) + ']'.repeat(30_000), 'line.canonical'],
  ];
  for (const [line, want] of cases) assert.equal(code(line), want, String(line).slice(0, 40));
});

const json = fc.letrec((tie) => ({
  any: fc.oneof(
    fc.constant(null),
    fc.boolean(),
    fc.maxSafeInteger(),
    fc.string({ unit: 'grapheme' }),
    fc.array(tie('any'), { maxLength: 4 }),
    fc.dictionary(fc.string({ unit: 'binary', maxLength: 3 }), tie('any'), { maxKeys: 5 }),
  ),
})).any;

test('any JSON with safe integers comes back as it was, and no other bytes are accepted for it', () => {
  fc.assert(
    fc.property(json, (value) => {
      const line = canonical(value);
      const read = parseLine(bytes(line));
      assert.ok(read.ok);
      assert.equal(canonical(read.value), line);
      const plain = JSON.stringify(value);
      if (plain !== line) assert.equal(code(plain), 'line.canonical');
    }),
    { numRuns: 300 },
  );
});

test('a line is accepted if it is what would be written of its value, and only then, whatever was done to it', () => {
  const piece = fc.constantFrom(
    ...' -0.,:[]{}"\\e19aé',
    '"a":',
    '{}',
    '\u{1f600}',
    '1234567890123456',
  );
  const slowly = (text: string) => {
    try {
      return canonical(JSON.parse(text)) === text;
    } catch {
      return false;
    }
  };
  let valid = 0;
  fc.assert(
    fc.property(json, fc.nat(), fc.nat(2), piece, (value, place, length, put) => {
      const line = canonical(value);
      const at = place % (line.length + 1);
      const text = line.slice(0, at) + put + line.slice(at + length);
      fc.pre(text.isWellFormed() && text !== '' && !/^\ufeff|\r$/.test(text));
      valid += Number(slowly(text));
      assert.equal(code(text) === 'ok', slowly(text), text);
    }),
    { numRuns: 2000 },
  );
  assert.ok(valid > 50, `${valid} were canonical`);
});
