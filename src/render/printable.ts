/** Makes captured text safe to show in a terminal. What it hides nobody must be able to smuggle through. */

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
