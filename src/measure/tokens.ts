/**
 * Counts text in the tokens of a byte-pair vocabulary, in Node and in the browser alike. Never
 * throws on special tokens (they are ordinary text here), never takes quadratic time on hostile text.
 */

/** A vocabulary: how text is cut into pieces, and in which order the bytes of a piece merge. */
export interface Vocabulary {
  /** A regular expression (flags `u`, sticky) that matches one piece; what it skips is no token. */
  pattern: string;
  /** Rank by token; a token is a string with one character (U+0000–U+00FF) for each byte. */
  ranks: ReadonlyMap<string, number>;
  /** Whether text is brought into Unicode's composed form first. */
  nfc?: boolean;
}

export interface Tokenizer {
  /** As it stands in method ids: `o200k_base`, `qwen3`. */
  name: string;
  /** How many tokens `text` is. Throws RangeError on a run of millions of characters without a break. */
  count(text: string): number;
  /** The tokens' ranks, in order. Throws as `count` does. */
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
  const { ranks } = vocabulary;
  const piecePattern = new RegExp(vocabulary.pattern, 'uy');
  const merge = merger(ranks);
  const cache = new Map<string, readonly number[]>();

  function tokensOf(piece: string): readonly number[] {
    const known = cache.get(piece);
    if (known !== undefined) return known;
    const bytes = toBytes(piece);
    const rank = ranks.get(bytes);
    const tokens = rank === undefined ? merge(bytes) : [rank];
    if (piece.length <= CACHED_LENGTH) {
      if (cache.size >= CACHED_PIECES) cache.clear();
      cache.set(ownCopy(piece), tokens);
    }
    return tokens;
  }

  function each(text: string, take: (tokens: readonly number[]) => void): void {
    const whole = vocabulary.nfc === true ? text.normalize('NFC') : text;
    let start = 0;
    while (start < whole.length) {
      piecePattern.lastIndex = start;
      if (matches(piecePattern, whole)) {
        take(tokensOf(whole.slice(start, piecePattern.lastIndex)));
        start = piecePattern.lastIndex;
      } else {
        start += whole.codePointAt(start)! > 0xffff ? 2 : 1;
      }
    }
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

/**
 * Merges the bytes of one piece: of all neighbours that are a token together, the lowest rank
 * first, the leftmost among equals. A heap of (rank, place) makes that O(n log n).
 */
function merger(ranks: ReadonlyMap<string, number>): (bytes: string) => number[] {
  const NONE = -1;
  let longest = 0;
  // A piece begins as single bytes: their pairs come from a table, not from a string each.
  const bytePairs = new Int32Array(0x10000).fill(NONE);
  for (const [token, rank] of ranks) {
    longest = Math.max(longest, token.length);
    if (token.length === 2) bytePairs[(token.charCodeAt(0) << 8) | token.charCodeAt(1)] = rank;
  }
  // rank × 2³² + start of the left part: one number orders both, exactly (ranks are below 2²⁰).
  const PLACE = 2 ** 32;

  return (bytes) => {
    const length = bytes.length;
    // Parts are a linked list over byte positions; the rank of the pair that begins at a part.
    const next = new Int32Array(length + 1);
    const previous = new Int32Array(length + 1);
    const pairRank = new Int32Array(length).fill(NONE);
    const heap: number[] = [];
    for (let i = 0; i <= length; i++) {
      next[i] = i + 1;
      previous[i] = i - 1;
    }

    const offer = (start: number): void => {
      const middle = next[start]!;
      const end = middle < length ? next[middle]! : Number.POSITIVE_INFINITY;
      let rank = NONE;
      if (end - start === 2) {
        rank = bytePairs[(bytes.charCodeAt(start) << 8) | bytes.charCodeAt(middle)]!;
      } else if (end - start <= longest) {
        rank = ranks.get(bytes.slice(start, end)) ?? NONE;
      }
      pairRank[start] = rank;
      if (rank !== NONE) push(heap, rank * PLACE + start);
    };

    for (let i = 0; i < length; i++) offer(i);
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

    const tokens: number[] = [];
    for (let start = 0; start < length; start = next[start]!) {
      const rank = ranks.get(bytes.slice(start, next[start]));
      if (rank !== undefined) tokens.push(rank);
    }
    return tokens;
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
