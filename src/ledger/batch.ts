/**
 * Entries in the making: each draft is given its number, link and leaf at once, so that the next may
 * name it. Pure; nothing is written here, and nothing is added that the verifier would refuse.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { canonical, parseLine } from './canonical.ts';
import type { Words } from './commitment.ts';
import { type BlobRef, complaints, type Draft, Entry } from './entry.ts';
import type { Fault, Fold, Receipt, Recorded } from './fold.ts';
import { hex, leafHash } from './tree.ts';

/** Who records, and when; an RFC 3339 time in UTC with milliseconds. One for all of a batch. */
export interface Stamp {
  actor: string;
  ts: string;
}

/** A draft that the ledger can't hold: `fault` says why. */
export class Refused extends Error {
  readonly fault: Fault;

  constructor(fault: Fault) {
    super(fault.message);
    this.name = 'Refused';
    this.fault = fault;
  }
}

export class Batch {
  /** As it stands after all that was added. */
  readonly fold: Fold;
  readonly #stamp: Stamp;
  readonly #recorded: Recorded[] = [];
  readonly #lines: Uint8Array[] = [];
  readonly #blobs = new Map<string, Uint8Array>();
  readonly #words = new Map<string, Words>();

  /** Begins after what `fold` holds; `fold` itself is left alone. */
  constructor(fold: Fold, stamp: Stamp) {
    this.fold = fold.fork();
    this.#stamp = stamp;
  }

  /** What was added, in order. */
  get recorded(): readonly Recorded[] {
    return this.#recorded;
  }
  /** The canonical line of each, without its newline. */
  get lines(): readonly Uint8Array[] {
    return this.#lines;
  }
  /** By SHA-256: what must be on disk before the lines are. */
  get blobs(): ReadonlyMap<string, Uint8Array> {
    return this.#blobs;
  }

  /** By id: words of posts that must be on disk before the lines are. */
  get words(): ReadonlyMap<string, Words> {
    return this.#words;
  }

  /** Adds a draft and returns its receipt. Throws Refused when the ledger can't hold it. */
  add(draft: Draft): Receipt {
    const { size: seq, head: prev } = this.fold;
    const refuse = (code: string, message: string): never => {
      throw new Refused({ code, seq, message: `${draft.type}: ${message}` });
    };
    const checked = Entry.safeParse({ ...this.#stamp, ...draft, seq, prev, v: 1 });
    if (!checked.success) return refuse('entry.schema', complaints(checked.error));
    const line = new TextEncoder().encode(canonical(checked.data));
    const read = parseLine(line);
    if (!read.ok) return refuse(read.code, read.message);
    const leaf = hex(leafHash(line));
    const fault = this.fold.apply(checked.data, leaf);
    if (fault !== null) return refuse(fault.code, fault.message);
    this.#lines.push(line);
    this.#recorded.push({ seq, leaf, ts: checked.data.ts, entry: checked.data });
    return { seq, leaf, ts: checked.data.ts };
  }

  /** Takes the words of a post that a draft commits to, to be stored before it. */
  keep(words: Words): void {
    this.#words.set(words.id, words);
  }

  /** Takes bytes that a draft names, to be stored before it. */
  blob(bytes: Uint8Array): BlobRef {
    const name = hex(sha256(bytes));
    this.#blobs.set(name, bytes);
    return { sha256: name, bytes: bytes.length };
  }
}
