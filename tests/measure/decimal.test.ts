import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { less, priced, sumOf } from '../../src/measure/decimal.ts';

test('sums and differences of decimals are exact, with the places of the longest', () => {
  assert.equal(sumOf(['0.1', '0.2', '-1']), '-0.7');
  assert.equal(sumOf(['-0.05', '0.05']), '0.00');
  assert.equal(sumOf([]), '0');
  assert.equal(less('0.02852109', '0.00443075'), '0.02409034');
  assert.equal(less('1', '-0.5'), '1.5');
});

test('they are what integers say, of any size and with any places', () => {
  const part = fc.tuple(fc.bigInt(-(10n ** 20n), 10n ** 20n), fc.nat(9));
  const text = ([value, places]: [bigint, number]) => {
    const digits = `${value < 0n ? -value : value}`.padStart(places + 1, '0');
    const at = digits.length - places;
    return `${value < 0n ? '-' : ''}${digits.slice(0, at)}${places > 0 ? `.${digits.slice(at)}` : ''}`;
  };
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 5 }), (parts) => {
      const most = Math.max(...parts.map(([, places]) => places));
      const whole = parts.map(([value, places]) => value * 10n ** BigInt(most - places));
      const sum = whole.reduce((a, b) => a + b, 0n);
      assert.equal(sumOf(parts.map(text)), text([sum, most]));
    }),
  );
});

test('a price is for a million', () => {
  assert.equal(priced(12, '0.25'), '0.00000300');
  assert.equal(priced(1_000_000, '5'), '5.000000');
  assert.equal(priced(0, '0'), '0.000000');
});
