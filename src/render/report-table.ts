/** Sets numbers and columns in plain text, for a terminal or a log. */
import { format } from '../measure/figure.ts';
import { number } from './counted.ts';

/** The first column to the left, the others to the right, two spaces between. */
export function table(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]!.map((_, column) =>
    Math.max(...rows.map((row) => Array.from(row[column]!).length)),
  );
  return rows.map((row) => {
    const cells = row.map((cell, column) => {
      const space = ' '.repeat(widths[column]! - Array.from(cell).length);
      return column === 0 ? cell + space : space + cell;
    });
    return `  ${cells.join('  ')}`.trimEnd();
  });
}

/** Sections of lines with an empty line between, `\n` at the end; those without lines are left out. */
export function sections(...all: readonly (readonly string[])[]): string {
  return `${all
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

/** `42.1%`, of per cent. */
export function percent(value: number): string {
  return format({ value, decimals: 1, unit: '%' });
}

/** `+1,204`, `−3`, `±0` */
export function signed(value: number): string {
  return value === 0 ? '±0' : `${value > 0 ? '+' : ''}${number(value)}`;
}

/** `16.0 MiB`, `3.16 GiB` */
export function memory(bytes: number): string {
  const [unit, size] = bytes >= 2 ** 30 ? ['GiB', 2 ** 30] : ['MiB', 2 ** 20];
  return `${format({ value: bytes / size, decimals: unit === 'GiB' ? 2 : 1, unit: '' })} ${unit}`;
}
