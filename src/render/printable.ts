/** Makes captured text safe to show, in a terminal and on a page. What it hides nobody must be able to smuggle through. */

/**
 * `text` with every control, format (bidirectional overrides, zero-width, tags), line-separating and
 * lone surrogate character as `\u{202e}`, so that nothing captured can move the cursor, change
 * colours or reorder what is read.
 */
export function printable(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`,
  );
}

/** As `printable`, but lines stay lines and tabs tabs: for a text that is shown whole. */
export function legible(text: string): string {
  return text
    .split(/\r?\n/)
    .map((line) => line.split('\t').map(printable).join('\t'))
    .join('\n');
}

/** The first line that says anything, cut to `longest` characters, with `…` where there is more. */
export function firstLine(text: string, longest: number): string {
  const line = text.split(/\r?\n/).find((one) => one.trim() !== '') ?? '';
  const shown = [...printable(line.trim().slice(0, 4 * longest))];
  const more = shown.length > longest || text.trim().length > line.trim().length;
  return `${shown.slice(0, longest).join('')}${more ? '…' : ''}`;
}
