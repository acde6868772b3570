/** Puts text that somebody else wrote into markdown as code, where nothing in it is markup. Pure. */
import { legible, printable } from './printable.ts';

/** A fence longer than every run of backticks in `text`, and no shorter than `least`. */
function fence(text: string, least: number): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  return '`'.repeat(Math.max(least, longest + 1));
}

/** In a line; it can hold neither markup nor a mention. */
export function code(text: string): string {
  const shown = printable(text);
  const mark = fence(shown, 1);
  return mark.length === 1 ? `${mark}${shown}${mark}` : `${mark} ${shown} ${mark}`;
}

/** In the cell of a table, where a bar would end it. */
export const cellCode = (text: string): string => code(text).replaceAll('|', '\\|');

/** As a block of its own. */
export function codeBlock(text: string, language = ''): string {
  const shown = legible(text);
  const mark = fence(shown, 3);
  return `${mark}${language}\n${shown}\n${mark}`;
}
