/**
 * Looks for a quote in a text. Pure. A quote is evidence, so what is forgiven is only what no reader
 * can see: how white space is laid out, where a line may break, how a letter is composed.
 */

/** White space of any kind and length is one space; invisible characters are none. */
function seen(text: string): string {
  return text
    .normalize('NFC')
    .replace(/[\u00ad\u200b-\u200d\u2060\ufeff]/g, '')
    .replace(/\s+/gu, ' ')
    .trim();
}

/** Typographic marks as a keyboard has them, one character for one, so that places stay the same. */
function plain(text: string): string {
  return text
    .replace(/[‘’‚‛′`]/gu, "'")
    .replace(/[“”„‟″«»]/gu, '"')
    .replace(/[‐‑‒–—―−]/gu, '-');
}

export interface Found {
  exact: boolean;
  /** Where only quotation marks, dashes or capitals differ: the words as they stand there. */
  near: string | null;
}

/**
 * Curly marks are not taken for straight ones: the page's own characters are told instead, to be
 * copied, so that what the ledger holds as a quote is one.
 */
export function findQuote(texts: readonly string[], quote: string): Found {
  const wanted = seen(quote);
  for (const text of texts) if (seen(text).includes(wanted)) return { exact: true, near: null };
  const loosely = lower(plain(wanted));
  for (const text of texts) {
    const there = seen(text);
    const at = lower(plain(there)).indexOf(loosely);
    if (at !== -1) return { exact: false, near: there.slice(at, at + wanted.length) };
  }
  return { exact: false, near: null };
}

/** Lower case where that keeps the length. */
const lower = (text: string): string =>
  text.replace(/\p{Lu}/gu, (letter) => {
    const small = letter.toLowerCase();
    return small.length === letter.length ? small : letter;
  });
