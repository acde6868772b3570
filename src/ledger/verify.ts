/**
 * Recomputes the whole ledger from bytes and names everything that does not hold. Pure: files and
 * blobs come in through readers. It keeps one file at a time, never stops at the first problem and
 * never says "ok" of something it did not read.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import type { LineCode } from './canonical.ts';
import { type CheckpointCode, checkCheckpoints } from './checkpoint.ts';
import { commitment, parseWords } from './commitment.ts';
import { type BlobRef, blobsOf } from './entry.ts';
import { FILE_LINES, fileName } from './file.ts';
import { type Flight, isFlying } from './flight.ts';
import { type Fault, type FaultCode, Fold, type Recorded } from './fold.ts';
import { genesis } from './genesis.ts';
import { keysAt } from './key.ts';
import type { Vkey } from './note.ts';
import { type Line, type ReadFile, readEntries } from './read.ts';
import { type Hash, hex, Tree } from './tree.ts';

export type VerifyCode =
  | LineCode
  | FaultCode
  | CheckpointCode
  | 'line.torn'
  | 'entry.schema'
  | 'seq.missing'
  | 'seq.reordered'
  | 'seq.duplicate'
  | 'chain.prev'
  | 'file.name'
  | 'file.short'
  | 'file.full'
  | 'blob.missing'
  | 'blob.altered'
  | 'blob.orphan'
  | 'blob.stray'
  | 'blob.kept'
  | 'objection.missing'
  | 'objection.altered'
  | 'objection.orphan'
  | 'objection.kept'
  | 'key.current'
  | 'append.note'
  | 'more';

/** What is verified, and how to read it. */
export interface Source {
  /** The log's name, from ledger/origin. */
  origin: string;
  /** All files of ledger/entries in the order of their numbers. */
  files: Iterable<{ name: string; bytes: Uint8Array }>;
  /** A blob's bytes by the SHA-256 it is named by; null when it is not there. Without it blobs are not checked. */
  blob?: (sha256: string) => Uint8Array | null;
  /** The name of every blob that is stored; of a file that stands where no blob does, its path. */
  blobs: Iterable<string>;
  /** The file of a post's words by its id; null when it is not there. Without it words are not checked. */
  words?: (id: string) => Uint8Array | null;
  /** The name of every file of words, less its `.json`. */
  posts?: Iterable<string>;
  /** A writer's note, where one is there. */
  flight?: Flight | 'malformed' | null;
  /** The published checkpoints by name, and the log's current key; null where there is none. */
  signed?: { checkpoints: readonly { name: string; bytes: Uint8Array }[]; vkey: Vkey | null };
  /** The platform's own SHA-256, where that is faster. */
  hash?: Hash;
  /** Given each entry that holds, in order. */
  each?: (recorded: Recorded) => void;
}

export interface Verdict {
  ok: boolean;
  /** Whole lines read. */
  entries: number;
  /** Tree root over them, lower-case hex. */
  root: string;
  /** Leaf of the last one, or the genesis hash. */
  head: string;
  /** Different blobs whose bytes were hashed and hold. */
  blobs: number;
  /** Blobs that are gone, and an entry says why. */
  redacted: number;
  /** Posts that were taken in, and those of them whose words are erased. */
  objections: { taken: number; erased: number };
  /** Blobs of an append that runs now or was cut off, which no entry names yet; `limits` says so too. */
  in_flight: number;
  /** How many hold; entries under the newest of them, and after it; null when the newest does not. */
  checkpoints: { held: number; newest: number | null; after: number | null };
  /** In order of `seq`, those about no entry last; after the first MAX_PROBLEMS only their number. */
  problems: Fault<VerifyCode>[];
  /** What this verdict can't know, in whole sentences. */
  limits: string[];
  /** What the entries add up to; only as far as the first problem in a line. */
  fold: Fold;
}

/** Problems listed one by one. A file that went through autocrlf has one a line; memory stays flat. */
export const MAX_PROBLEMS = 100;

const UNSIGNED =
  'Without a signed checkpoint nobody can tell whether whole entries were cut off at the end, or whether all of them were written anew. A cut capture is still told by the payload that it leaves behind.';

const KEYED =
  'The log has a key and no checkpoint: nothing was signed yet, or what was signed is taken away.';

const SIGNED =
  'Whoever holds the key can still write everything anew and sign that too: only a checkpoint kept elsewhere can tell.';
const unsigned = (after: number): string =>
  `No signature covers the last ${after} entries yet: they can be cut off or rewritten, and nobody could tell.`;

const flying = (blobs: number): string =>
  `An append was cut off or is running: ${blobs} ${blobs === 1 ? 'payload is' : 'payloads are'} not yet named. If none is running, the next append puts them aside; an unacknowledged entry that was cut off since would look the same.`;
const OUTGROWN =
  'An append was cut off after it had written its entries (.append is still there): they stand, and the next append takes its note away.';

export function verify(source: Source): Verdict {
  const verifier = startVerifying(source);
  for (const { name, bytes } of source.files) {
    verifier.file(name, readEntries(bytes, source.hash));
  }
  return verifier.finish();
}

/** A verification under way: files are given to it in their order, read as readEntries does. */
export interface Verifier {
  file(name: string, read: ReadFile): void;
  /** To be called once, after the last file: blobs and checkpoints are checked here. */
  finish(): Verdict;
}

export function startVerifying(source: Omit<Source, 'files'>): Verifier {
  const hash = source.hash ?? sha256;
  const tree = new Tree(hash);
  const fold = new Fold({ genesis: genesis(source.origin, hash) });
  const problems: Fault<VerifyCode>[] = [];
  let more = 0;
  const report = (code: VerifyCode, seq: number | null, message: string): void => {
    if (problems.length < MAX_PROBLEMS) problems.push({ code, seq, message });
    else more++;
  };

  /** Blobs by name, with the entry that named each first. */
  const named = new Map<string, BlobRef & { seq: number }>();
  /** Sequence numbers passed over so far: either still to come (reordered) or missing. */
  const skipped = new Set<number>();
  /** Payloads that are no longer kept, with the entry that says so. */
  const redacted = new Map<string, number>();
  const { checkpoints, vkey } = source.signed ?? { checkpoints: [], vkey: null };
  /** Roots over as many lines as each checkpoint is named by, caught while they are read. */
  const roots = new Map<number, Uint8Array | null>(
    checkpoints.map(({ name }) => [Number(name), null]),
  );
  roots.set(0, tree.root());
  let head = fold.head;
  const flight = typeof source.flight === 'object' ? source.flight : null;
  /** The head when the ledger was as long as the writer's note says. */
  let departed = flight?.size === 0 ? head : undefined;
  let next = 0;
  /** Does the entry before stand where it should? Only then does this one's `prev` say something new. */
  let inOrder = true;
  /** References can be checked only while every line so far holds. */
  let whole = true;

  function line(read: Line, leafBytes: Uint8Array): void {
    const leaf = hex(leafBytes);
    const before = head;
    tree.push(leafBytes);
    if (roots.has(tree.size)) roots.set(tree.size, tree.root());
    head = leaf;
    if (tree.size === flight?.size) departed = leaf;
    const fail = (code: VerifyCode, seq: number, message: string): void => {
      whole = false;
      report(code, seq, message);
    };

    if ('code' in read) {
      fail(read.code, next, read.message);
      inOrder = false;
      if (read.code !== 'line.blank') next++; // a blank line stands in no entry's place
      return;
    }
    const { entry } = read;
    for (const blob of blobsOf(entry)) {
      const seen = named.get(blob.sha256);
      if (seen === undefined) named.set(blob.sha256, { ...blob, seq: entry.seq });
      else if (seen.bytes !== blob.bytes) {
        fail('blob.altered', entry.seq, `gives blob ${blob.sha256} another length`);
      }
    }
    if (entry.type === 'blob.redact') redacted.set(entry.body.sha256, entry.seq);
    if (entry.seq !== next) {
      inOrder = false;
      if (entry.seq > next) {
        whole = false; // reported at the end, when it is known which of them never came
        // The gap may be as wide as an attacker likes; what is kept of it may not.
        for (let seq = next; seq < entry.seq && skipped.size <= MAX_PROBLEMS; seq++) {
          skipped.add(seq);
        }
        next = entry.seq + 1;
      } else if (skipped.delete(entry.seq)) {
        fail('seq.reordered', entry.seq, `stands after entry ${next - 1}`);
      } else {
        fail('seq.duplicate', entry.seq, 'the sequence number was given out before');
      }
      return;
    }
    next++;
    if (inOrder && entry.prev !== before) {
      const what =
        entry.seq === 0
          ? `is not the genesis hash of ${source.origin}`
          : `is not the hash of entry ${entry.seq - 1} as it stands: one of the two was altered`;
      fail('chain.prev', entry.seq, `prev ${what}`);
    }
    inOrder = true;
    if (!whole) return;
    const fault = fold.apply(entry, leaf);
    if (fault !== null) fail(fault.code, entry.seq, fault.message);
    else source.each?.({ seq: entry.seq, leaf, ts: entry.ts, entry });
  }

  let files = 0;
  let short: string | null = null;
  function file(name: string, { lines, leaves, torn }: ReadFile): void {
    const want = fileName(files * FILE_LINES);
    if (name !== want) report('file.name', null, `entries/${name} stands where ${want} should`);
    if (short !== null)
      report('file.short', null, `entries/${short} is not full but ${name} follows`);
    for (const [at, read] of lines.entries()) line(read, leaves.slice(at * 32, at * 32 + 32));
    if (torn > 0) {
      const message = `the last ${torn} bytes of entries/${name} end without a newline`;
      report('line.torn', next, message);
    }
    if (lines.length > FILE_LINES)
      report('file.full', null, `entries/${name} has ${lines.length} lines of ${FILE_LINES}`);
    short = lines.length < FILE_LINES ? name : null;
    files++;
  }

  function finish(): Verdict {
    for (const seq of skipped) report('seq.missing', seq, 'the entry is not there');

    let held = 0;
    const { blob: read } = source;
    for (const { sha256: name, bytes, seq } of named.values()) {
      if (read === undefined) break;
      const found = read(name);
      if (redacted.has(name)) {
        if (found !== null) report('blob.kept', redacted.get(name)!, `blob ${name} is still there`);
      } else if (found === null) report('blob.missing', seq, `blob ${name} is not there`);
      else if (found.length !== bytes || hex(hash(found)) !== name) {
        report('blob.altered', seq, `blob ${name} holds other bytes than its name and length say`);
      } else held++;
    }
    const stored = new Set(
      flight !== null && isFlying(flight, tree.size, departed) ? flight.blobs : [],
    );
    let inFlight = 0;
    for (const name of source.blobs) {
      if (named.has(name)) continue;
      // With what a killed writer left of a blob that it had not written to its end.
      const [, of = null] = /([0-9a-f]{64})(?:\.\d+\.tmp)?$/.exec(name) ?? [];
      if (of !== null && stored.has(of)) inFlight += of === name ? 1 : 0;
      else if (of === name) {
        report('blob.orphan', null, `no entry names blob ${name}: was the entry that did cut off?`);
      } else report('blob.stray', null, `blobs/${name} is no blob, and nothing else belongs there`);
    }
    for (const [id, { received, erased }] of whole ? fold.objections : []) {
      if (source.words === undefined) break;
      const bytes = source.words(id);
      const { seq } = received;
      if (erased !== null) {
        if (bytes !== null)
          report('objection.kept', erased.seq, `the words of ${id} are still there`);
      } else if (bytes === null) {
        report('objection.missing', seq, `objections/${id}.json is not there`);
      } else {
        const words = parseWords(bytes);
        const { commit } = received.entry.body;
        if (
          words?.id !== id ||
          commitment(words.salt, new TextEncoder().encode(words.body), hash) !== commit
        ) {
          report('objection.altered', seq, `objections/${id}.json is not what was committed to`);
        }
      }
    }
    const arriving = new Set(
      flight !== null && isFlying(flight, tree.size, departed) ? flight.posts : [],
    );
    for (const name of whole ? (source.posts ?? []) : []) {
      // With what a killed writer left of a file that it had not written to its end.
      const id = name.slice(0, 32);
      if (fold.objections.has(name) || arriving.has(id)) continue;
      report('objection.orphan', null, `no entry took in objections/${name}.json`);
    }
    if (source.flight === 'malformed') {
      report('append.note', null, '.append is no note of a writer; the next append puts it aside');
    }

    const published = checkCheckpoints(
      checkpoints,
      keysAt(vkey, fold.keys),
      tree.size,
      (size) => roots.get(size) ?? null,
    );
    for (const { code, message } of published.problems) report(code, null, message);
    if (vkey !== null) {
      const { name, id, text } = vkey;
      if (name !== source.origin) {
        report('checkpoint.origin', null, `the key signs for ${name}, the log is ${source.origin}`);
      }
      const now = fold.keys.at(-1);
      if (whole && now !== undefined && now.entry.body.vkey !== text) {
        report('key.current', now.seq, `${name}+${id} is not the key that signs since this entry`);
      }
    }
    const { newest, held: signatures, after } = published;
    const limits =
      after === null
        ? [...(vkey !== null && checkpoints.length === 0 ? [KEYED] : []), UNSIGNED]
        : after === 0
          ? [SIGNED]
          : [unsigned(after), SIGNED];
    if (inFlight > 0) limits.unshift(flying(inFlight));
    else if (flight !== null && departed === flight.head && tree.size >= flight.end) {
      limits.unshift(OUTGROWN);
    }

    problems.sort((a, b) => (a.seq ?? Infinity) - (b.seq ?? Infinity) || 0);
    if (more > 0) problems.push({ code: 'more', seq: null, message: `and ${more} more` });
    return {
      ok: problems.length === 0,
      entries: tree.size,
      root: hex(tree.root()),
      head,
      blobs: held,
      redacted: redacted.size,
      objections: {
        taken: fold.objections.size,
        erased: [...fold.objections.values()].filter(({ erased }) => erased !== null).length,
      },
      in_flight: inFlight,
      checkpoints: { held: signatures, newest: newest?.size ?? null, after },
      problems,
      limits,
      fold,
    };
  }
  return { file, finish };
}
