/** What changed between two states of one catalogue, tool by tool. Pure; it judges nothing. */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { Tool } from './figure.ts';
import { type Shape, serialise, shapeTools } from './shape.ts';
import type { Tokenizer } from './tokens.ts';

/** What is kept of a tool so that a later state can be compared with it. */
export interface Mark {
  /** As listed. */
  name: string;
  /** Of its own compact JSON in the shape. */
  tokens: number;
  /** Of the compact JSON of the tool as listed, fields that no model is sent included. */
  sha256: string;
}

/** One tool that is not as it was. `before` and `after` in tokens, null where there is no such tool. */
export interface Change {
  tool: string;
  /** `changed`: another definition of the same size. */
  change: 'added' | 'removed' | 'grew' | 'shrank' | 'changed';
  before: number | null;
  after: number | null;
}

export interface Difference {
  /** As the newer catalogue lists them, removed tools at the end. */
  changes: Change[];
  /** Tools of both states stand in another order, which empties a client's prompt cache. */
  reordered: boolean;
}

/** The marks of a catalogue, in the order listed. */
export function markTools(
  tools: readonly Tool[],
  { shape, server, tokenizer }: { shape: Shape; server: string; tokenizer: Tokenizer },
): Mark[] {
  return shapeTools(tools, shape, server).map(({ listed, sent }, i) => ({
    name: listed,
    tokens: tokenizer.count(serialise(sent)),
    // JSON.parse may give lone surrogates, which UTF-8 has not: both sides of a comparison lose them alike.
    sha256: bytesToHex(sha256(utf8ToBytes(serialise(tools[i])))),
  }));
}

/** Compares by name; where a name is listed more than once, the first with the first, and so on. */
export function diffCatalogues(before: readonly Mark[], after: readonly Mark[]): Difference {
  const old = numbered(before);
  const now = numbered(after);
  const changes: Change[] = [];
  for (const [key, mark] of now) {
    const was = old.get(key);
    if (was === undefined) {
      changes.push({ tool: mark.name, change: 'added', before: null, after: mark.tokens });
    } else if (was.tokens !== mark.tokens || was.sha256 !== mark.sha256) {
      const grown = mark.tokens - was.tokens;
      changes.push({
        tool: mark.name,
        change: grown > 0 ? 'grew' : grown < 0 ? 'shrank' : 'changed',
        before: was.tokens,
        after: mark.tokens,
      });
    }
  }
  for (const [key, mark] of old) {
    if (now.has(key)) continue;
    changes.push({ tool: mark.name, change: 'removed', before: mark.tokens, after: null });
  }
  const kept = [...old.keys()].filter((key) => now.has(key));
  const order = [...now.keys()].filter((key) => old.has(key));
  return { changes, reordered: kept.some((key, i) => key !== order[i]) };
}

/** Marks by name and, for a name that comes again, how often it came. */
function numbered(marks: readonly Mark[]): Map<string, Mark> {
  const seen = new Map<string, number>();
  return new Map(
    marks.map((mark) => {
      const times = seen.get(mark.name) ?? 0;
      seen.set(mark.name, times + 1);
      return [JSON.stringify([mark.name, times]), mark];
    }),
  );
}
