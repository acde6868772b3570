/**
 * Cuts a byte stream into server-sent events by the rules of the WHATWG
 * (https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream). It must
 * never decode an event's data, which is kept as it came, nor hold more than one event.
 */
import { LineTooLong } from './lines.ts';

export type ServerEvent = {
  /** Its `event` field; `message` where it has none. */
  type: string;
  /** The values of its `data` fields, joined by line feeds. */
  data: Uint8Array;
};

const LF = 0x0a;
const CR = 0x0d;
const COLON = 0x3a;
const SPACE = 0x20;
const BOM = [0xef, 0xbb, 0xbf];

/** An incremental parser. Lines end with LF, CRLF or CR; an event that nothing ended is left out. */
export class Events {
  /** The `id` that was said last: where a stream that broke off can be taken up again. */
  lastId = '';
  /** What the server asks a client to wait before it comes back, in ms. */
  retryMs: number | undefined;
  readonly #limit: number;
  /** The pieces of the line that is under way. */
  #parts: Uint8Array[] = [];
  #data: Uint8Array[] = [];
  #type = '';
  /** Bytes of this event so far. */
  #held = 0;
  #afterCr = false;
  #first = true;

  /** `limit`: the longest event that is accepted, in bytes with its field names. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The events that this chunk completes. Throws LineTooLong. */
  *push(chunk: Uint8Array): Generator<ServerEvent> {
    let from = 0;
    // Looked for apart, and only once past the last find: each byte is seen at most twice.
    let lf = -1;
    let cr = -1;
    while (from < chunk.length) {
      if (this.#afterCr && chunk[from] === LF) from++;
      this.#afterCr = false;
      if (lf < from) lf = indexOr(chunk, LF, from);
      if (cr < from) cr = indexOr(chunk, CR, from);
      const end = Math.min(lf, cr);
      const part = chunk.subarray(from, end);
      this.#held += part.length;
      if (this.#held > this.#limit) throw new LineTooLong(this.#limit);
      if (part.length > 0) this.#parts.push(part);
      if (end === chunk.length) return;
      this.#afterCr = end === cr;
      from = end + 1;
      const event = this.#line();
      if (event !== undefined) yield event;
    }
  }

  #line(): ServerEvent | undefined {
    let line = this.#parts.length === 1 ? this.#parts[0]! : Buffer.concat(this.#parts);
    this.#parts = [];
    if (this.#first && BOM.every((byte, i) => line[i] === byte)) line = line.subarray(BOM.length);
    this.#first = false;
    if (line.length === 0) return this.#dispatch();
    const colon = indexOr(line, COLON, 0);
    const value = line.subarray(colon + (line[colon + 1] === SPACE ? 2 : 1));
    this.#field(text(line.subarray(0, colon)), value);
    return undefined;
  }

  /** A comment is a field without a name, and passed over like any that is not known. */
  #field(name: string, value: Uint8Array): void {
    if (name === 'data') this.#data.push(value);
    else if (name === 'event') this.#type = text(value);
    else if (name === 'id' && !value.includes(0)) this.lastId = text(value);
    else if (name === 'retry' && /^\d+$/.test(text(value))) this.retryMs = Number(text(value));
    // Keep-alives may come for ever, and are not kept.
    if (name === '' && this.#data.length === 0) this.#held = 0;
  }

  #dispatch(): ServerEvent | undefined {
    const data = this.#data.flatMap((line, i) => (i === 0 ? [line] : [Buffer.of(LF), line]));
    const type = this.#type === '' ? 'message' : this.#type;
    this.#data = [];
    this.#type = '';
    this.#held = 0;
    return data.length === 0
      ? undefined
      : { type, data: data.length === 1 ? data[0]! : Buffer.concat(data) };
  }
}

function indexOr(bytes: Uint8Array, byte: number, from: number): number {
  const at = bytes.indexOf(byte, from);
  return at === -1 ? bytes.length : at;
}

function text(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
}
