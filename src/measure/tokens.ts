/**
 * Counts text in the tokens of a byte-pair vocabulary, in Node and in the browser alike. Never
 * throws on special tokens (they are ordinary text here), never takes quadratic time on hostile text.
 */

/** A vocabulary: how text is cut into pieces, and in which order the parts of a piece merge. */
export interface Vocabulary {
  /**
   * Regular expressions (flags `u`), one after the other: each cuts what the one before it left,
   * into its matches and what lies between them. None: the text is one piece.
   */
  patterns: readonly string[];
  /**
   * Rank by token, lower ranks merge first. A token over bytes is a string with one character
   * (U+0000–U+00FF) for each byte, and its rank is its number.
   */
  ranks: ReadonlyMap<string, number>;
  /**
   * Given where pieces are merged from characters, not bytes: the tokens' numbers, which are not
   * their ranks there. A character without one is the tokens `<0xNN>` of its UTF-8 bytes.
   */
  characters?: ReadonlyMap<string, number>;
  /** Done to text before it is cut. */
  normalise?: (text: string) => string;
  /** Numbers of the tokens that are taken whole wherever they stand, before all else; the longest wins. */
  whole?: ReadonlyMap<string, number>;
}

export interface Tokenizer {
  /** As it stands in method ids: `o200k_base`, `qwen3`. */
  name: string;
  /** How many tokens `text` is. Throws RangeError on a run of millions of characters without a break. */
  count(text: string): number;
  /** The tokens' numbers, in order. Throws as `count` does. */
  encode(text: string): number[];
}

/** Reads ranks in js-tiktoken's text form: lines of `_ first-rank base64 base64 …`. */
export function parseRanks(text: string): Map<string, number> {
  const ranks = new Map<string, number>();
  for (const line of text.split('\n')) {
    const [, first, ...tokens] = line.split(' ');
    let rank = Number(first);
    for (const token of tokens) ranks.set(atob(token), rank++);
  }
  return ranks;
}

// Bounds of the piece cache: 65,536 pieces of at most 32 characters, some MB at worst.
const CACHED_PIECES = 65_536;
const CACHED_LENGTH = 32;

/** A tokenizer over `vocabulary`; about 50 ns a piece once the piece is cached. */
export function createTokenizer(vocabulary: Vocabulary, name: string): Tokenizer {
  const { normalise = (text: string) => text, whole = new Map<string, number>() } = vocabulary;
  const patterns = vocabulary.patterns.map((pattern) => new RegExp(pattern, 'uy'));
  const encodePiece =
    vocabulary.characters === undefined
      ? byteMerger(vocabulary.ranks)
      : characterMerger(vocabulary.ranks, vocabulary.characters);
  const wholeAt = finder(whole);
  const cache = new Map<string, readonly number[]>();

  function tokensOf(piece: string): readonly number[] {
    const known = cache.get(piece);
    if (known !== undefined) return known;
    const tokens = encodePiece(piece);
    if (piece.length <= CACHED_LENGTH) {
      if (cache.size >= CACHED_PIECES) cache.clear();
      cache.set(ownCopy(piece), tokens);
    }
    return tokens;
  }

  type Take = (tokens: readonly number[]) => void;

  function cut(text: string, stage: number, take: Take): void {
    const pattern = patterns[stage];
    if (pattern === undefined) {
      take(tokensOf(text));
      return;
    }
    let start = 0;
    for (let at = 0; at < text.length; ) {
      pattern.lastIndex = at;
      if (!matches(pattern, text)) {
        at += text.codePointAt(at)! > 0xffff ? 2 : 1;
        continue;
      }
      const end = pattern.lastIndex;
      if (start < at) cut(text.slice(start, at), stage + 1, take);
      cut(text.slice(at, end), stage + 1, take);
      start = at = end;
    }
    if (start < text.length) cut(text.slice(start), stage + 1, take);
  }

  function each(text: string, take: Take): void {
    let start = 0;
    const rest = (end: number) => {
      if (start < end) cut(normalise(text.slice(start, end)), 0, take);
    };
    for (let at = 0; whole.size > 0 && at < text.length; ) {
      const found = wholeAt(text, at);
      if (found === undefined) at++;
      else {
        rest(at);
        take([whole.get(found)!]);
        start = at += found.length;
      }
    }
    rest(text.length);
  }

  return {
    name,
    count(text) {
      let total = 0;
      each(text, (tokens) => {
        total += tokens.length;
      });
      return total;
    },
    encode(text) {
      const all: number[] = [];
      each(text, (tokens) => {
        for (const token of tokens) all.push(token);
      });
      return all;
    },
  };
}

/** `test` instead of `exec`: no array for each of a million pieces. */
function matches(pattern: RegExp, text: string): boolean {
  try {
    return pattern.test(text);
  } catch (cause) {
    // The engine's backtracking stack (64 MB in V8) ends at a few million characters of one class.
    throw new RangeError('a run of millions of characters without a break cannot be counted', {
      cause,
    });
  }
}

/** Tells which of `tokens`, the longest, begins at a place of a text. */
function finder(tokens: ReadonlyMap<string, number>) {
  const lengths = new Map<number, number[]>();
  for (const token of [...tokens.keys()].sort((a, b) => b.length - a.length)) {
    const known = lengths.get(token.charCodeAt(0)) ?? [];
    if (known.at(-1) !== token.length) known.push(token.length);
    lengths.set(token.charCodeAt(0), known);
  }
  return (text: string, at: number): string | undefined =>
    lengths
      .get(text.charCodeAt(at))
      ?.map((length) => text.slice(at, at + length))
      .find((slice) => tokens.has(slice));
}

/** Pieces merged from their UTF-8 bytes. A piece that is a token is that token. */
function byteMerger(ranks: ReadonlyMap<string, number>): (piece: string) => readonly number[] {
  // A piece begins as single bytes: their pairs come from a table, not from a string each.
  const bytePairs = new Int32Array(0x10000).fill(NONE);
  for (const [token, rank] of ranks) {
    if (token.length === 2) bytePairs[(token.charCodeAt(0) << 8) | token.charCodeAt(1)] = rank;
  }
  const merge = merger(
    ranks,
    (bytes, start) => bytePairs[(bytes.charCodeAt(start) << 8) | bytes.charCodeAt(start + 1)]!,
  );
  return (piece) => {
    const bytes = toBytes(piece);
    const rank = ranks.get(bytes);
    if (rank !== undefined) return [rank];
    const starts = Int32Array.from({ length: bytes.length + 1 }, (_, i) => i);
    return merge(bytes, starts).flatMap((part) => ranks.get(part) ?? []);
  };
}

/** Pieces merged from their characters; those that are no token become bytes at the end. */
function characterMerger(
  ranks: ReadonlyMap<string, number>,
  numbers: ReadonlyMap<string, number>,
): (piece: string) => readonly number[] {
  const merge = merger(ranks, (piece, start) => ranks.get(piece.slice(start, start + 2)) ?? NONE);
  return (piece) => {
    const starts = [0];
    for (const character of piece) starts.push(starts.at(-1)! + character.length);
    return merge(piece, Int32Array.from(starts)).flatMap(
      (part) =>
        numbers.get(part) ??
        Array.from(utf8.encode(part), (byte) => {
          const token = `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`;
          return numbers.get(token) ?? NONE;
        }),
    );
  };
}

/** No rank, no number. */
const NONE = -1;

/**
 * Merges the parts of one piece: of all neighbours that are a token together, the lowest rank
 * first, the leftmost among equals. A heap of (rank, place) makes that O(n log n). `starts`: where
 * the parts begin, and the end. `rankOfTwo`: the rank of the two units of text that begin there.
 */
function merger(
  ranks: ReadonlyMap<string, number>,
  rankOfTwo: (text: string, start: number) => number,
): (text: string, starts: Int32Array) => string[] {
  let longest = 0;
  for (const token of ranks.keys()) longest = Math.max(longest, token.length);
  // rank × 2³² + start of the left part: one number orders both, exactly (ranks are below 2²⁰).
  const PLACE = 2 ** 32;

  return (text, starts) => {
    const { length } = text;
    // Parts are a linked list over places; the rank of the pair that begins at a part.
    const next = new Int32Array(length + 1);
    const previous = new Int32Array(length + 1);
    const pairRank = new Int32Array(length).fill(NONE);
    const heap: number[] = [];
    for (let i = 0; i < starts.length; i++) {
      next[starts[i]!] = starts[i + 1] ?? length + 1;
      previous[starts[i]!] = starts[i - 1] ?? NONE;
    }

    const offer = (start: number): void => {
      const middle = next[start]!;
      const end = middle < length ? next[middle]! : Number.POSITIVE_INFINITY;
      let rank = NONE;
      if (end - start === 2) {
        rank = rankOfTwo(text, start);
      } else if (end - start <= longest) {
        rank = ranks.get(text.slice(start, end)) ?? NONE;
      }
      pairRank[start] = rank;
      if (rank !== NONE) push(heap, rank * PLACE + start);
    };

    for (let i = 0; i < starts.length - 1; i++) offer(starts[i]!);
    while (heap.length > 0) {
      const least = pop(heap);
      const rank = Math.floor(least / PLACE);
      const start = least - rank * PLACE;
      // An entry whose pair has changed since it was pushed is stale.
      if (pairRank[start] !== rank) continue;
      const gone = next[start]!;
      const end = next[gone]!;
      pairRank[gone] = NONE;
      next[start] = end;
      previous[end] = start;
      offer(start);
      if (start > 0) offer(previous[start]!);
    }

    const parts: string[] = [];
    for (let start = 0; start < length; start = next[start]!) {
      parts.push(text.slice(start, next[start]));
    }
    return parts;
  };
}

function push(heap: number[], value: number): void {
  let at = heap.length;
  heap.push(value);
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (heap[parent]! <= value) break;
    heap[at] = heap[parent]!;
    at = parent;
  }
  heap[at] = value;
}

/** Takes the least value off a heap that is not empty. */
function pop(heap: number[]): number {
  const least = heap[0]!;
  const last = heap.pop()!;
  const size = heap.length;
  if (size === 0) return least;
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= size) break;
    if (child + 1 < size && heap[child + 1]! < heap[child]!) child++;
    if (heap[child]! >= last) break;
    heap[at] = heap[child]!;
    at = child;
  }
  heap[at] = last;
  return least;
}

const utf8 = new TextEncoder();

/** The UTF-8 bytes of `text` as a string of one character a byte; a lone surrogate is U+FFFD. */
function toBytes(text: string): string {
  const bytes = utf8.encode(text);
  // Equal lengths: all ASCII, where the characters are the bytes.
  if (bytes.length === text.length) return text;
  let out = '';
  for (let i = 0; i < bytes.length; i += 8192) {
    out += String.fromCharCode(...bytes.subarray(i, i + 8192));
  }
  return out;
}

/** A copy that shares no memory: a slice as a cache key would keep its whole text alive. */
function ownCopy(piece: string): string {
  const units: number[] = [];
  for (let i = 0; i < piece.length; i++) units.push(piece.charCodeAt(i));
  return String.fromCharCode(...units);
}
