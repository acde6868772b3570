/** Statistics over a few numbers; never rounds, and says NaN where there is no answer. */

/** Arithmetic mean; NaN for none. */
export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Largest over smallest; NaN for none. */
export function spread(values: readonly number[]): number {
  return values.length === 0 ? Number.NaN : Math.max(...values) / Math.min(...values);
}

/**
 * The `p` quantile (0 to 1) by linear interpolation between the order statistics at (n - 1) p:
 * Hyndman and Fan's type 7, the default of R, NumPy and spreadsheets. NaN for none. Throws
 * RangeError when `p` is outside 0 to 1.
 */
export function quantile(values: readonly number[], p: number): number {
  if (!(p >= 0 && p <= 1)) throw new RangeError(`a quantile's p is from 0 to 1, not ${p}`);
  if (values.length === 0) return Number.NaN;
  const sorted = values.toSorted((a, b) => a - b);
  const place = (sorted.length - 1) * p;
  const below = sorted[Math.floor(place)]!;
  const above = sorted[Math.ceil(place)]!;
  return below + (above - below) * (place - Math.floor(place));
}

/**
 * Pearson's r of paired values, from -1 to 1; NaN when either side does not vary or there are fewer
 * than two pairs. Throws RangeError when the lengths differ.
 */
export function pearson(xs: readonly number[], ys: readonly number[]): number {
  if (xs.length !== ys.length) throw new RangeError('pairs need two lists of one length');
  const [meanX, meanY] = [mean(xs), mean(ys)];
  let xx = 0;
  let yy = 0;
  let xy = 0;
  // Two passes: sums of squares of the raw values would lose digits to cancellation.
  for (let i = 0; i < xs.length; i++) {
    const [dx, dy] = [xs[i]! - meanX, ys[i]! - meanY];
    xx += dx * dx;
    yy += dy * dy;
    xy += dx * dy;
  }
  return xx === 0 || yy === 0 ? Number.NaN : Math.max(-1, Math.min(1, xy / Math.sqrt(xx * yy)));
}
