/**
 * Which runs of entries the hashes of a proof stand for, by size alone. Pure arithmetic: whoever has
 * the hashes (a list of leaves, a set of tiles) makes the same proof from the same ranges. It never
 * uses bit operators, which stop at 2^31.
 */

/** The entries from `start` up to, not including, `end`. */
export interface Range {
  start: number;
  end: number;
}

/** The largest power of two below `size`, where a tree of that many leaves splits (RFC 6962, 2.1). */
function split(size: number): number {
  let power = 1;
  while (power * 2 < size) power *= 2;
  return power;
}

/** Ranges of PATH(index, D[size]), from the leaf's sibling up (RFC 6962, 2.1.1). Throws RangeError. */
export function inclusionRanges(index: number, size: number): Range[] {
  if (!Number.isSafeInteger(index) || index < 0 || index >= size) {
    throw new RangeError(`no entry ${index} in a tree of ${size}`);
  }
  const path = ({ start, end }: Range): Range[] => {
    if (end - start === 1) return [];
    const middle = start + split(end - start);
    const left = { start, end: middle };
    const right = { start: middle, end };
    return index < middle ? [...path(left), right] : [...path(right), left];
  };
  return path({ start: 0, end: size });
}

/**
 * Ranges of PROOF(from, D[size]) (RFC 6962, 2.1.2). None from 0, which is the start of every tree,
 * and none from `size` itself. Throws RangeError when `from` is not a size up to `size`.
 */
export function consistencyRanges(from: number, size: number): Range[] {
  if (!Number.isSafeInteger(from) || from < 0 || from > size) {
    throw new RangeError(`no tree of ${from} within a tree of ${size}`);
  }
  const subproof = ({ start, end }: Range, known: boolean): Range[] => {
    if (end === from) return known ? [] : [{ start, end }];
    const middle = start + split(end - start);
    return from <= middle
      ? [...subproof({ start, end: middle }, known), { start: middle, end }]
      : [...subproof({ start: middle, end }, false), { start, end: middle }];
  };
  return from === 0 ? [] : subproof({ start: 0, end: size }, true);
}

/**
 * The full subtrees of a range, largest first: `index` counts subtrees of 2^height leaves from the
 * start of the log. The range must begin where a subtree of its size may, as those of proofs do.
 */
export function* peaks({ start, end }: Range): Generator<{ height: number; index: number }> {
  for (let at = start; at < end; ) {
    let height = 0;
    let leaves = 1;
    while (leaves * 2 <= end - at) {
      leaves *= 2;
      height++;
    }
    yield { height, index: at / leaves };
    at += leaves;
  }
}
