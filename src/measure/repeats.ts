/**
 * Finds what a catalogue says more than once. Two values are equal when their compact JSON is equal
 * byte for byte, so the order of keys matters: that is what a client sends. Linear in the size of
 * the catalogue, and never recursive: a schema may be nested as deep as its author pleases.
 */

/** A maximal subtree that stands in two or more places. */
export interface Repeat {
  /** JSON Pointer to its first place in the value that was searched. */
  path: string;
  /** The first place, and every other that is not inside a larger copy. */
  copies: number;
  /** UTF-8 bytes of its compact JSON. */
  bytes: number;
}

export interface Repeats {
  /** Those that waste most first. */
  blocks: Repeat[];
  /** All copies but the first, nested repeats counted once: the sum of (copies - 1) × bytes. */
  redundantBytes: number;
}

/** Smaller repeats (`{"type":"string"}`) are the language of JSON Schema, not waste. */
const SMALLEST_REPEAT = 64;

/** The deepest nesting that is measured; JSON.stringify itself gives up at some thousands. */
export const DEEPEST = 1_000;

interface Node {
  value: unknown;
  /** Key in the parent, or index. */
  key: string | number;
  parent: Node | null;
  depth: number;
  children: readonly Node[];
  /** Equal for two nodes exactly when their compact JSON is equal. */
  id: number;
  bytes: number;
}

/**
 * The repeats in `root`, a JSON value. Throws RangeError when it is nested deeper than `DEEPEST`.
 */
export function findRepeats(root: unknown): Repeats {
  const seen = new Map<number, { first: Node; copies: number }>();
  const waiting = [intern(root)];
  while (waiting.length > 0) {
    const node = waiting.pop()!;
    if (node.bytes < SMALLEST_REPEAT) continue;
    const known = seen.get(node.id);
    if (known !== undefined) {
      known.copies++;
      continue;
    }
    seen.set(node.id, { first: node, copies: 1 });
    // Reversed, so that the stack gives them back in document order.
    for (let i = node.children.length - 1; i >= 0; i--) waiting.push(node.children[i]!);
  }
  const blocks = [...seen.values()]
    .filter(({ copies }) => copies > 1)
    .map(({ first, copies }) => ({ path: pointer(first), copies, bytes: first.bytes }))
    .sort((a, b) => (b.copies - 1) * b.bytes - (a.copies - 1) * a.bytes);
  const redundantBytes = blocks.reduce((sum, block) => sum + (block.copies - 1) * block.bytes, 0);
  return { blocks, redundantBytes };
}

/** A tree of nodes beside the value: equal subtrees get equal ids, sizes add up from below. */
function intern(root: unknown): Node {
  const ids = new Map<string, number>();
  const top = node(root, '', null);
  // Parents before children, so that the way back has every child ready before its parent.
  const all = [top];
  for (const here of all) {
    const { value } = here;
    if (typeof value !== 'object' || value === null) continue;
    if (here.depth >= DEEPEST) {
      throw new RangeError(
        `nested deeper than ${DEEPEST} levels at ${pointer(here).slice(0, 80)}…`,
      );
    }
    const children: Node[] = [];
    // Object.entries would make a string of every index of an array.
    for (const [key, child] of Array.isArray(value) ? value.entries() : Object.entries(value)) {
      const below = node(child, key, here);
      children.push(below);
      all.push(below);
    }
    here.children = children;
  }
  for (let i = all.length - 1; i >= 0; i--) {
    const here = all[i]!;
    let text: string;
    if (typeof here.value !== 'object' || here.value === null) {
      text = JSON.stringify(here.value);
      here.bytes = utf8Length(text);
    } else {
      const list = Array.isArray(here.value);
      // Two brackets, and commas between the children.
      here.bytes = 2 + Math.max(0, here.children.length - 1);
      text = list ? '[' : '{';
      // A child's id stands for all of it: the text is as long as the node is wide, not as deep.
      for (const child of here.children) {
        const label = list ? '' : `${JSON.stringify(child.key)}:`;
        here.bytes += utf8Length(label) + child.bytes;
        text += `${label}${child.id},`;
      }
    }
    here.id = ids.get(text) ?? ids.size;
    ids.set(text, here.id);
  }
  return top;
}

const NO_CHILDREN: readonly Node[] = [];

function node(value: unknown, key: string | number, parent: Node | null): Node {
  const depth = parent === null ? 0 : parent.depth + 1;
  return { value, key, parent, depth, children: NO_CHILDREN, id: -1, bytes: 0 };
}

function pointer(node: Node): string {
  const keys: string[] = [];
  for (let at = node; at.parent !== null; at = at.parent) {
    keys.push(`/${String(at.key).replaceAll('~', '~0').replaceAll('/', '~1')}`);
  }
  return keys.reverse().join('');
}

/** UTF-8 bytes of well-formed text, without encoding it. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    // Each half of a surrogate pair adds one: four bytes for two units.
    if (unit >= 0x80) bytes += unit >= 0x800 && (unit < 0xd800 || unit > 0xdfff) ? 2 : 1;
  }
  return bytes;
}

/** What stands at a JSON Pointer in `root`; undefined where nothing does. */
export function valueAt(root: unknown, path: string): unknown {
  return path
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>(
      (at, key) =>
        typeof at === 'object' && at !== null && Object.hasOwn(at, key)
          ? (at as Record<string, unknown>)[key]
          : undefined,
      root,
    );
}
