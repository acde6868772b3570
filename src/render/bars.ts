/**
 * Draws parts of a whole as bars, at build time. Pure. A bar is an SVG whose places are in per cent of
 * its width, and what is written beside it is text of the page: it fits any screen while the text
 * keeps its size, and needs no style attribute.
 */
import { number } from './counted.ts';

/** What the columns of the same numbers as a table are called. */
export interface BarColumns {
  rows: string;
  whole: string;
}

export interface BarRow {
  label: string;
  /** From 0 on, drawn one after the other; their colours follow their order. */
  parts: readonly number[];
  /** What stands at the end of the bar. */
  text: string;
}

/** Per cent of the width that the longest bar takes; the rest is for its text. */
const LONGEST = 80;

const escaped = (text: string) =>
  text.replace(/[&<>"]/g, (character) => `&#${character.codePointAt(0)};`);
const share = (value: number, of: number) => Number(((100 * value) / Math.max(1, of)).toFixed(2));

/** One bar alone, beside the same numbers in text; `largest` is what would fill the whole width. */
export function bar(parts: readonly number[], largest: number): string {
  return `<svg class="strip" aria-hidden="true" width="100%" height="10">${rects(parts, largest, 10)}</svg>`;
}

function rects(
  parts: readonly number[],
  whole: number,
  height: number,
  legend: readonly string[] = [],
): string {
  let sum = 0;
  return parts
    .map((part, i) => {
      const title = legend[i] && `<title>${escaped(legend[i])} ${number(part)}</title>`;
      const x = share(sum, whole);
      sum += part;
      const rect = `<rect x="${x}%" width="${share(part, whole)}%" height="${height}"`;
      return title ? `${rect}>${title}</rect>` : `${rect}/>`;
    })
    .join('');
}

/**
 * All on one scale from 0. `finding` is what a reader who sees no picture is told; the title of a part
 * is its number, from which the markdown of a page makes a table (page.ts).
 */
export function bars(
  rows: readonly BarRow[],
  finding: string,
  legend: readonly string[],
  columns: BarColumns,
): string {
  const sum = (parts: readonly number[]) => parts.reduce((so, part) => so + part, 0);
  const whole = (100 / LONGEST) * Math.max(1, ...rows.map(({ parts }) => sum(parts)));
  const drawn = rows.map(
    ({ label, parts, text }) =>
      `<span>${escaped(label)}</span><svg class="strip" width="100%" height="16">${rects(parts, whole, 16, legend)}` +
      `<text x="${share(sum(parts), whole)}%" dx="6" y="12.5">${escaped(text)}</text></svg>`,
  );
  const key = legend.map((word) => `<b>${escaped(word)}</b>`).join(' ');
  return `<div class="bars" role="img" aria-label="${escaped(finding)}" data-rows="${escaped(columns.rows)}" data-whole="${escaped(columns.whole)}">${drawn.join('')}${key && `<span></span><p>${key}</p>`}</div>`;
}
