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

/** Levels that the scanner follows; what is nested deeper the slow way decides. */
const MAX_DEPTH = 64;
/** Where the last key of each open object begins and ends; −1 for an array. Laid out once for all lines. */
const begins = new Int32Array(MAX_DEPTH);
const ends = new Int32Array(MAX_DEPTH);
const isDigit = (byte: number | undefined): boolean => (byte! ^ 0x30) < 10;

/**
 * Are these bytes, which are UTF-8 and which JSON.parse took, the canonical ones? Without a backslash
 * strings have one spelling each, and what is left to see is white space, the order of keys and how
 * numbers are written. Many times faster than to write the value anew; false says only "not seen".
 */
function isPlainCanonical(bytes: Uint8Array): boolean {
  const { length } = bytes;
  let depth = 0;
  let wantsKey = false;
  // The last key of the innermost object; the empty one before its first; in an array −1.
  let begin = -1;
  let end = -1;
  for (let at = 0; at < length; ) {
    const byte = bytes[at++]!;
    if (byte === 0x22 /* " */) {
      const start = at;
      for (let inner = bytes[at]!; inner !== 0x22; inner = bytes[++at]!) {
        if (inner === 0x5c /* \ */) return false;
      }
      if (wantsKey) {
        if (begin !== 0 && !isBefore(bytes, begin, end, start, at)) return false;
        begin = start;
        end = at;
        wantsKey = false;
      }
      at++;
    } else if (byte === 0x2c /* , */) {
      wantsKey = begin !== -1;
    } else if (byte === 0x7b /* { */ || byte === 0x5b /* [ */) {
      if (depth === MAX_DEPTH) return false;
      begins[depth] = begin;
      ends[depth++] = end;
      wantsKey = byte === 0x7b;
      begin = wantsKey ? 0 : -1;
    } else if (byte === 0x7d /* } */ || byte === 0x5d /* ] */) {
      begin = begins[--depth]!;
      end = ends[depth]!;
      wantsKey = false;
    } else if (byte === 0x74 /* true */ || byte === 0x6e /* null */) {
      at += 3;
    } else if (byte === 0x66 /* false */) {
      at += 4;
    } else if (byte === 0x2d /* - */ || isDigit(byte)) {
      const start = at - 1;
      while (isDigit(bytes[at])) at++;
      // A fraction, an exponent or white space is met by the next round, which knows none of them.
      if (at - start > 15 || (byte === 0x2d && bytes[start + 1] === 0x30)) return false;
    } else if (byte !== 0x3a /* : */) {
      return false;
    }
  }
  return true;
}

/** Does one key come before another, by their UTF-16 code units? False where bytes can't tell. */
function isBefore(bytes: Uint8Array, a: number, aEnd: number, b: number, bEnd: number): boolean {
  const shared = Math.min(aEnd - a, bEnd - b);
  for (let i = 0; i < shared; i++) {
    const [left, right] = [bytes[a + i]!, bytes[b + i]!];
    if (left !== right) return left < right && left < 0x80;
  }
  return aEnd - a < bEnd - b;
}

/** Are the bytes what `canonical(value)` would write? The slow way decides whatever the scanner did not see. */
function isCanonical(bytes: Uint8Array, text: string, value: unknown): boolean {
  if (isPlainCanonical(bytes)) return true;
  try {
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
  return isCanonical(bytes, text, value)
    ? { ok: true, value }
    : bad('line.canonical', 'JSON, but not the canonical bytes for what it says');
}
