/** Sets numbers among words: grouped, with their noun, in a list. Pure; the browser uses it too. */
import { format } from '../measure/figure.ts';

/** `17,307` */
export function number(value: number): string {
  return format({ value, decimals: 0, unit: '' });
}

/** The noun alone, where the number stands by itself: `tool`, `tools`. */
export function noun(value: number, one: string, many = `${one}s`): string {
  return value === 1 ? one : many;
}

/** `1 tool`, `24 tools`; `many` where that is not `one` with an s. */
export function counted(value: number, one: string, many?: string): string {
  return `${number(value)} ${noun(value, one, many)}`;
}

/** The unit of a decimal as it is recorded, which is that of many: `tool` for `1`; what is no plain word stays. */
export function unitOf(value: string, unit: string): string {
  return value === '1' && /^[a-z]{3,}s$/.test(unit)
    ? unit.replace(/ies$/, 'ys').slice(0, -1)
    : unit;
}

/** A decimal as it is recorded, with its unit, as a reader sees it: `41,319 tokens`, `1 tool`, `41.9%`. */
export function quantity(value: string, unit: string): string {
  const decimals = value.split('.')[1]?.length ?? 0;
  const text = format({ value: Number(value), decimals, unit });
  return unit === '' || unit === '%' ? text : `${text} ${unitOf(value, unit)}`;
}

/** US dollars: `5`, `0.20`, `1,234.50`. At most `most` digits stand after the point. */
export function dollars(value: number, most = 6): string {
  const least = Number.isInteger(value) ? 0 : Math.min(2, most);
  return value.toLocaleString('en', { minimumFractionDigits: least, maximumFractionDigits: most });
}

/** `a`, `a and b`, `a, b and c` */
export function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
