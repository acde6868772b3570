/** What changed between two texts, word by word, for a reader. Pure. */

export interface Piece {
  kind: 'same' | 'gone' | 'new';
  text: string;
}

/** Longest texts compared word by word, in words; longer ones are shown whole, old and new. */
const MAX_WORDS = 2000;

/** Pieces that give the old text without `new` and the new text without `gone`; neighbours are joined. */
export function wordDiff(before: string, after: string): Piece[] {
  const a = before.match(/\s+|\S+/g) ?? [];
  const b = after.match(/\s+|\S+/g) ?? [];
  const pieces: Piece[] = [];
  const put = (kind: Piece['kind'], text: string): void => {
    const last = pieces.at(-1);
    if (text === '') return;
    if (last?.kind === kind) last.text += text;
    else pieces.push({ kind, text });
  };
  if (a.length > MAX_WORDS || b.length > MAX_WORDS) {
    put('gone', before);
    put('new', after);
    return pieces;
  }
  // Length of the longest common subsequence of a from i and b from j.
  const width = b.length + 1;
  const longest = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      longest[i * width + j] =
        a[i] === b[j]
          ? longest[(i + 1) * width + j + 1]! + 1
          : Math.max(longest[(i + 1) * width + j]!, longest[i * width + j + 1]!);
    }
  }
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      put('same', a[i++]!);
      j++;
    } else if (
      i < a.length &&
      (j === b.length || longest[(i + 1) * width + j]! >= longest[i * width + j + 1]!)
    ) {
      put('gone', a[i++]!);
    } else put('new', b[j++]!);
  }
  return pieces;
}
