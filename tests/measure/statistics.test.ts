import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WINDOW, windowShare } from '../../src/measure/context.ts';
import { bytesPerToken, reservedBytes } from '../../src/measure/memory.ts';
import { mean, pearson, quantile, spread } from '../../src/measure/statistics.ts';

const near = (actual: number, expected: number) =>
  assert.ok(Math.abs(actual - expected) < 1e-12 * Math.abs(expected), `${actual} ≠ ${expected}`);

test("gives Anscombe's correlations, and ±1 for a line", () => {
  const x = [10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5];
  near(
    pearson(x, [8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68]),
    0.81642051634484,
  );
  assert.equal(pearson([1, 2, 3], [2, 4, 6]), 1);
  assert.equal(pearson([1, 2, 3], [-2, -4, -6]), -1);
  near(pearson([1e9 + 1, 1e9 + 2, 1e9 + 3], [1, 2, 4]), 0.98198050606196574);
});

test('says NaN where there is no correlation, mean, quantile or spread', () => {
  for (const [xs, ys] of [
    [[], []],
    [[1], [2]],
    [
      [1, 1],
      [2, 3],
    ],
  ] as const) {
    assert.ok(Number.isNaN(pearson(xs, ys)));
  }
  for (const statistic of [mean, spread, (none: number[]) => quantile(none, 0.5)]) {
    assert.ok(Number.isNaN(statistic([])));
  }
  assert.throws(() => pearson([1], []), RangeError);
  assert.throws(() => quantile([1], 1.1), RangeError);
  assert.throws(() => quantile([1], Number.NaN), RangeError);
});

test('interpolates quantiles as R does by default (type 7), and leaves its input alone', () => {
  const values = [7, 1, 3, 10];
  assert.deepEqual(
    [0, 0.25, 0.5, 0.75, 1].map((p) => quantile(values, p)),
    [1, 2.5, 5, 7.75, 10],
  );
  assert.deepEqual(values, [7, 1, 3, 10]);
  assert.equal(mean(values), 5.25);
  assert.equal(spread(values), 10);
});

test("comes to the key-value cache that the seed post measured, for its model's layout", () => {
  const layout = {
    attentionLayers: 16,
    kvHeads: 4,
    headDim: 256,
    bytesPerNumber: 2,
    stepTokens: 256,
  };
  assert.equal(bytesPerToken(layout), 64 * 2 ** 10);
  assert.equal(reservedBytes(69, layout), 16 * 2 ** 20);
  assert.equal(reservedBytes(256, layout), 16 * 2 ** 20);
  assert.equal(reservedBytes(257, layout), 32 * 2 ** 20);
  assert.equal(reservedBytes(0, layout), 0);
  assert.equal((reservedBytes(51_530, layout) / 2 ** 30).toFixed(2), '3.16');
});

test('gives shares of a context window in per cent, over 100 when it overflows', () => {
  assert.equal(windowShare(WINDOW / 8), 12.5);
  assert.equal(windowShare(300, 200), 150);
});
