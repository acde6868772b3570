/** Exact arithmetic on plain decimals as text, for money. It must never pass through a float. */

const sign = (decimal: string): string =>
  decimal.startsWith('-') ? decimal.slice(1) : `-${decimal}`;

/** The exact sum of plain decimals, with as many places as the longest of them has. */
export function sumOf(decimals: readonly string[]): string {
  const places = Math.max(0, ...decimals.map((text) => text.split('.')[1]?.length ?? 0));
  const sum = decimals
    .map((text) => {
      const [whole = '', fraction = ''] = text.split('.');
      return BigInt(whole + fraction.padEnd(places, '0'));
    })
    .reduce((a, b) => a + b, 0n);
  return written(sum, places);
}

/** The first less the second. */
export const less = (a: string, b: string): string => sumOf([a, sign(b)]);

/** What `count` things cost at `price` for a million of them. */
export function priced(count: number, price: string): string {
  const places = price.split('.')[1]?.length ?? 0;
  return written(BigInt(count) * BigInt(price.replace('.', '')), places + 6);
}

function written(scaled: bigint, places: number): string {
  const digits = `${scaled < 0n ? -scaled : scaled}`.padStart(places + 1, '0');
  const whole = digits.slice(0, digits.length - places);
  return `${scaled < 0n ? '-' : ''}${whole}${places > 0 ? `.${digits.slice(-places)}` : ''}`;
}
