/** Splits text at its `{figure.id}` slots. Pure; knows nothing of what the figures are. */

export type Piece = { text: string; index: number } | { figure: string; index: number };

/** A slot as it stands in text. */
export const SLOT = /\{([a-z0-9][a-z0-9_.-]*)\}/g;

/** The pieces of a text in order, each with its index in it; empty pieces are left out. */
export function splitSlots(text: string): Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (const match of text.matchAll(SLOT)) {
    if (match.index > from) pieces.push({ text: text.slice(from, match.index), index: from });
    pieces.push({ figure: match[1]!, index: match.index });
    from = match.index + match[0].length;
  }
  if (from < text.length) pieces.push({ text: text.slice(from), index: from });
  return pieces;
}
