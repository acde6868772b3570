/**
 * A stranger's text as it may be shown: every character that could hide, move or turn others is
 * written out, and nothing in it becomes a link or markup. Pure.
 */

/** Controls, formats (bidirectional overrides, zero width), separators and halves, but for plain line ends and tabs. */
const HIDDEN = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** `text` with each hidden character as `\u{202e}`; line ends and tabs stay. Still to be escaped for HTML. */
export const shown = (text: string): string =>
  text.replace(HIDDEN, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`);
