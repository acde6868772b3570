/** Makes what can't be seen be seen, in text that somebody else wrote and a page or a file shows. Pure. */

/**
 * Controls but for line feed and tab, marks that turn the direction of what follows, separators and
 * tags: what could colour a terminal, reorder or hide words. Joiners within words and emoji are none.
 */
const UNSEEN =
  /[^\P{Cc}\n\t]|[\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]|\p{Cs}/gu;

/** `text` with each of them as `\u{202e}`. */
export const visible = (text: string): string =>
  text.replace(UNSEEN, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`);
