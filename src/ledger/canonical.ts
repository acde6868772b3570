/**
 * The one way a ledger line is written, and the strict way it is read back. Pure. It never repairs:
 * bytes that are not exactly what `canonical` would write are refused, not normalised.
 */

/** Longest line in bytes, its newline included: what a C2SP entry bundle can frame. */
export const MAX_LINE = 65_535;

/** Throws TypeError with the JSON pointer of what has no canonical form. */
type WriteNumber = (value: number, at: string) => string;

const safeInteger: WriteNumber = (value, at) => {
  if (Number.isSafeInteger(value)) return String(value);
  throw new TypeError(`${at || '/'}: ${value} is not an integer within ±(2^53 - 1)`);
};
const finite: WriteNumber = (value, at) => {
  if (Number.isFinite(value)) return String(value);
  throw new TypeError(`${at || '/'}: ${value} is not a finite number`);
};

function string(value: string, at: string): string {
  if (value.isWellFormed()) return JSON.stringify(value);
  throw new TypeError(`${at || '/'}: text with a lone surrogate`);
}

function write(value: unknown, number: WriteNumber, at: string): string {
  if (typeof value === 'string') return string(value, at);
  if (typeof value === 'number') return number(value, at);
  if (value === null || value === true || value === false) return String(value);
  if (Array.isArray(value)) {
    let out = '';
    for (let i = 0; i < value.length; i++) {
      out += `${i === 0 ? '[' : ','}${write(value[i], number, `${at}/${i}`)}`;
    }
    return out === '' ? '[]' : `${out}]`;
  }
  if (typeof value === 'object') {
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype === Object.prototype || prototype === null) {
      let out = '';
      // RFC 8785 3.2.3: by UTF-16 code units, which is what sort() does when given no comparison.
      for (const key of Object.keys(value).sort()) {
        const inner = `${at}/${key}`;
        const member = write((value as Record<string, unknown>)[key], number, inner);
        out += `${out === '' ? '{' : ','}${string(key, inner)}:${member}`;
      }
      return out === '' ? '{}' : `${out}}`;
    }
  }
  throw new TypeError(`${at || '/'}: ${Object.prototype.toString.call(value)} has no JSON form`);
}

/**
 * RFC 8785 text of a value under the ledger's stricter rule that every number is a safe integer
 * (what a float loses between hashing and storing can't be told later; money and shares are text).
 * Throws TypeError for anything without an exact JSON form: undefined, holes, Date, Map, functions,
 * lone surrogates, floats.
 */
export const canonical = (value: unknown): string => write(value, safeInteger, '');

/** RFC 8785 text of a value with any finite numbers, as the RFC itself allows. Throws as `canonical`. */
export const jcs = (value: unknown): string => write(value, finite, '');

export type LineCode =
  | 'line.blank'
  | 'line.bom'
  | 'line.crlf'
  | 'line.long'
  | 'line.utf8'
  | 'line.json'
  | 'line.canonical';
export type Line = { ok: true; value: unknown } | { ok: false; code: LineCode; message: string };

// The default decoder strips a BOM in silence and turns bad bytes into U+FFFD.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const bad = (code: LineCode, message: string): Line => ({ ok: false, code, message });

/** Are all keys in order and all numbers safe integers? Only for what JSON.parse made. */
function inOrder(value: unknown): boolean {
  if (typeof value === 'number') return Number.isSafeInteger(value);
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every(inOrder);
  let last: string | undefined;
  for (const key in value) {
    if (last !== undefined && !(last < key)) return false;
    if (!inOrder((value as Record<string, unknown>)[key])) return false;
    last = key;
  }
  return true;
}

/**
 * Is `text` what `canonical(value)` would write? JSON.parse keeps the order of keys, so for a line
 * that is in order the engine's own JSON.stringify, several times faster, gives the same bytes; the
 * slow way decides whatever that can't (`\ud…` may be a lone surrogate, which it writes back as is).
 */
function isCanonical(text: string, value: unknown): boolean {
  try {
    if (!text.includes('\\ud') && JSON.stringify(value) === text && inOrder(value)) return true;
    return canonical(value) === text;
  } catch {
    return false; // no canonical form, or nested deeper than the stack
  }
}

/** Reads one line's bytes, without its newline. Never throws. */
export function parseLine(bytes: Uint8Array): Line {
  if (bytes.length === 0) return bad('line.blank', 'a blank line');
  if (bytes.length >= MAX_LINE) {
    return bad('line.long', `${bytes.length + 1} bytes; a line has at most ${MAX_LINE}`);
  }
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
    return bad('line.bom', 'begins with a byte order mark');
  }
  if (bytes.at(-1) === 0x0d) return bad('line.crlf', 'ends with CR LF instead of LF');
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    return bad('line.utf8', 'bytes that are not UTF-8');
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return bad('line.json', `not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  return isCanonical(text, value)
    ? { ok: true, value }
    : bad('line.canonical', 'JSON, but not the canonical bytes for what it says');
}
