/**
 * Cuts a byte stream into lines without decoding it, so that what a server sent can be kept as it
 * came. It must never copy a byte more than once per line, nor hold more than one line.
 */

const LF = 0x0a;
const CR = 0x0d;

/** Thrown by `push` when one line grows past the limit; carries the limit in bytes. */
export class LineTooLong extends Error {
  readonly limit: number;
  constructor(limit: number) {
    super(`a line of more than ${limit} bytes`);
    this.name = 'LineTooLong';
    this.limit = limit;
  }
}

/**
 * An incremental splitter. Lines end with LF or CRLF and come back without either; empty lines
 * are left out. A lone CR is content: JSON allows it between tokens.
 */
export class Lines {
  readonly #limit: number;
  #parts: Uint8Array[] = [];
  #held = 0;

  /** `limit`: the longest line that is accepted, in bytes without its terminator. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The lines that this chunk completes. Throws LineTooLong. */
  *push(chunk: Uint8Array): Generator<Uint8Array> {
    let from = 0;
    for (let at = chunk.indexOf(LF); at !== -1; at = chunk.indexOf(LF, from)) {
      const line = this.#take(chunk.subarray(from, at));
      from = at + 1;
      if (line.length > 0) yield line;
    }
    if (from < chunk.length) this.#hold(chunk.subarray(from));
  }

  /** What stood after the last line end, if anything. */
  end(): Uint8Array | null {
    const line = this.#take(new Uint8Array(0));
    return line.length > 0 ? line : null;
  }

  #hold(part: Uint8Array): void {
    this.#held += part.length;
    // One byte of grace: it may be the CR of a CRLF.
    if (this.#held > this.#limit + 1) throw new LineTooLong(this.#limit);
    this.#parts.push(part);
  }

  #take(last: Uint8Array): Uint8Array {
    this.#hold(last);
    const whole = this.#parts.length === 1 ? last : Buffer.concat(this.#parts, this.#held);
    this.#parts = [];
    this.#held = 0;
    const line = whole.at(-1) === CR ? whole.subarray(0, -1) : whole;
    if (line.length > this.#limit) throw new LineTooLong(this.#limit);
    return line;
  }
}
