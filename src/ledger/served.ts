/**
 * Verifies a log as it is served, file by file, for a reader who has nothing but its address: bytes,
 * order, links, tree, signature, tiles, proofs and payloads. Pure; what is fetched comes in. It knows
 * no schemas, so that a browser can hold it: what entries mean is for verify.ts, and it never says
 * that it checked that.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { Broken } from './broken.ts';
import { parseLine } from './canonical.ts';
import { openCheckpoint } from './checkpoint.ts';
import { commitment, parseWords } from './commitment.ts';
import type { Head } from './consistency.ts';
import { FILE_LINES, fileLines, fileName } from './file.ts';
import { genesis } from './genesis.ts';
import { keysAt, openRotation, rotationsIn } from './key.ts';
import { noteText, parseVkey, type Vkey } from './note.ts';
import { parseProof, verifyProof } from './proof.ts';
import { TILE, TileReader, tilesOf } from './tile.ts';
import { type Hash, hex, leafHash, Tree, verifyInclusion } from './tree.ts';

export interface Served {
  /** The bytes at a path under the log's prefix, `entries/000.jsonl`; null where there are none (a 404). */
  get(path: string): Promise<Uint8Array | null>;
  /** The public key that the reader trusts, as text; without it, the one that is served. */
  vkey?: string;
  /** What the reader saw of this log before. */
  seen?: Head;
  hash?: Hash;
  /** Told as it goes on; `of` is null until it is known. */
  progress?: (done: number, of: number | null) => void;
}

/** Something that does not hold: `at` is the path at fault. */
export interface ServedFault {
  code: string;
  at: string;
  message: string;
}

export interface ServedVerdict {
  ok: boolean;
  origin: string;
  entries: number;
  /** Over all entries, signed or not. */
  root: Uint8Array;
  /** The checkpoint that was opened; null when nothing is signed, or it does not hold. */
  signed: Head | null;
  /** Which were read and hold. */
  tiles: number;
  proofs: number;
  blobs: number;
  /** The key as text; null where there is none. `given`: the reader had it from elsewhere. */
  key: { text: string; given: boolean } | null;
  faults: ServedFault[];
  limits: string[];
  /** The entries' files, for one who goes on to verify what they mean. */
  files: { name: string; bytes: Uint8Array }[];
  /** The note, as it is served. */
  checkpoint: Uint8Array | null;
}

const AT_ONCE = 8;
/** Most faults listed; memory stays flat whatever a hostile server sends. */
const MAX_FAULTS = 100;
const KEYS = 'actor,article,body,prev,seq,ts,type,v';

/** What this needs of an entry; no more of it is believed. */
interface Envelope {
  prev: unknown;
  seq: unknown;
  type: unknown;
  body: Record<string, unknown>;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Payloads that an entry stands on, as blobsOf of entry.ts has it. */
export function blobRefs(
  type: unknown,
  body: Record<string, unknown>,
): { sha256: string; bytes: number }[] {
  const { blob, files } = body;
  const found =
    type === 'capture.add'
      ? [blob]
      : type === 'article.put' && isObject(files)
        ? Object.values(files)
        : [];
  return found.flatMap((one) =>
    isObject(one) && typeof one['sha256'] === 'string' && /^[0-9a-f]{64}$/.test(one['sha256'])
      ? { sha256: one['sha256'], bytes: Number(one['bytes']) }
      : [],
  );
}

/** Verifies all of it. Rejects only as `get` does: what does not hold is in the verdict. */
export async function verifyServed(served: Served): Promise<ServedVerdict> {
  const hash = served.hash ?? sha256;
  const faults: ServedFault[] = [];
  const report = (code: string, at: string, message: string): void => {
    if (faults.length < MAX_FAULTS) faults.push({ code, at, message });
  };
  let done = 0;
  let of: number | null = null;
  const get = async (path: string): Promise<Uint8Array | null> => {
    const bytes = await served.get(path);
    served.progress?.(++done, of);
    return bytes;
  };
  const text = async (path: string): Promise<string | null> => {
    const bytes = await get(path);
    return bytes && new TextDecoder().decode(bytes);
  };

  const named = await text('origin');
  if (named === null) report('log.missing', 'origin', 'is not there: no log is served here');
  const origin = (named ?? '').replace(/\n$/, '');
  const given = served.vkey !== undefined;
  const keyText = (served.vkey ?? (await text('vkey')))?.trim();
  const checkpoint = await get('checkpoint');
  // Who brings a key wants what it signed; a copy that leaves the signature out may have changed the rest.
  if (checkpoint === null && (given || served.seen !== undefined)) {
    report('checkpoint.missing', 'checkpoint', 'is not there: nothing shows what was signed');
  }

  const files: ServedVerdict['files'] = [];
  const lines: Uint8Array[] = [];
  for (let full = true; full; ) {
    const name = fileName(lines.length);
    const bytes = await get(`entries/${name}`);
    if (bytes === null) break;
    const own = fileLines(bytes);
    if (bytes.length > 0 && bytes.at(-1) !== 10) {
      report('line.torn', `entries/${name}`, 'its last bytes end without a newline');
    }
    if (own.length > FILE_LINES) report('file.full', `entries/${name}`, `has ${own.length} lines`);
    files.push({ name, bytes });
    lines.push(...own);
    full = own.length === FILE_LINES;
  }

  const tree = new Tree(hash);
  const claimed = Number(checkpoint && new TextDecoder().decode(checkpoint).split('\n')[1]);
  const wanted = new Set([claimed, served.seen?.size]);
  const roots = new Map<number, Uint8Array>([[0, tree.root()]]);
  const leaves: Uint8Array[] = [];
  const blobs = new Map<string, number>();
  const redacted = new Set<string>();
  /** Posts by id, with what was committed to; null once erased. */
  const posts = new Map<string, string | null>();
  let prev = genesis(origin, hash);
  for (const [seq, line] of lines.entries()) {
    const at = `entries/${fileName(seq)}`;
    const leaf = leafHash(line, hash);
    leaves.push(leaf);
    tree.push(leaf);
    if (wanted.has(tree.size)) roots.set(tree.size, tree.root());
    const read = parseLine(line);
    if (!read.ok) report(read.code, at, `entry ${seq}: ${read.message}`);
    else if (
      !isObject(read.value) ||
      Object.keys(read.value).join() !== KEYS ||
      !isObject(read.value['body'])
    ) {
      report('entry.schema', at, `entry ${seq} has not the fields of an entry`);
    } else {
      const entry = read.value as unknown as Envelope;
      if (entry.seq !== seq)
        report('seq.reordered', at, `entry ${entry.seq} stands in the place of ${seq}`);
      else if (entry.prev !== prev) {
        const before =
          seq === 0 ? `the genesis hash of ${origin}` : `the hash of entry ${seq - 1} as it stands`;
        report(
          'chain.prev',
          at,
          `prev of entry ${seq} is not ${before}: one of the two was altered`,
        );
      }
      for (const blob of blobRefs(entry.type, entry.body)) blobs.set(blob.sha256, blob.bytes);
      if (entry.type === 'blob.redact') redacted.add(String(entry.body['sha256']));
      const id = String(entry.body['id']);
      if (entry.type === 'objection.receive') posts.set(id, String(entry.body['commit']));
      if (entry.type === 'erase') posts.set(id, null);
    }
    prev = hex(leaf);
  }

  /** Runs `act`; what it finds broken is a fault at `at`. */
  const guarded = async <T>(at: string, act: () => T | Promise<T>): Promise<T | null> => {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof Broken)) throw error;
      report(error.code, at, error.message);
      return null;
    }
  };

  const vkey = keyText === undefined ? null : await guarded('vkey', () => parseVkey(keyText));
  const keysOf = await guarded('entries/', () => keysBy(vkey, faults.length > 0 ? [] : lines));
  let signed: Head | null = null;
  let note = '';
  if (checkpoint !== null && keysOf !== null) {
    await guarded('checkpoint', () => {
      note = noteText(checkpoint);
      const opened = openCheckpoint(note, keysOf(claimed));
      signed = opened;
      const root = roots.get(opened.size);
      if (opened.origin !== origin) {
        report(
          'checkpoint.origin',
          'origin',
          `is ${origin}, the checkpoint is of ${opened.origin}`,
        );
      }
      if (root === undefined) {
        report(
          'checkpoint.cut',
          'entries/',
          `${opened.size} entries were signed, ${lines.length} are there`,
        );
      } else if (hex(root) !== hex(opened.root)) {
        report(
          'checkpoint.root',
          'entries/',
          `the first ${opened.size} entries are not those that were signed`,
        );
      }
    });
  }
  const head = signed as Head | null;
  if (served.seen !== undefined) {
    const { size, root } = served.seen;
    const now = roots.get(size);
    if (now === undefined || (head !== null && head.size < size)) {
      report(
        'checkpoint.stale',
        'checkpoint',
        `this browser saw ${size} signed entries before; fewer are there now`,
      );
    } else if (hex(now) !== hex(root)) {
      report(
        'checkpoint.fork',
        'entries/',
        `the first ${size} entries are not those that were seen before`,
      );
    }
  }

  const kept = [...blobs].filter(([name]) => !redacted.has(name));
  const bundles = head === null ? 0 : Math.ceil(head.size / TILE);
  of =
    done +
    (head === null ? 0 : [...tilesOf(head.size)].length + head.size) +
    kept.length +
    redacted.size +
    posts.size;
  let [tiles, proofs, held] = [0, 0, 0];
  if (head !== null) {
    const reader = new TileReader(
      async (path) => {
        const bytes = await get(path);
        if (bytes !== null) tiles++;
        return bytes;
      },
      head,
      hash,
    );
    for (let index = 0; index < bundles; index++) {
      await guarded('tile/', async () => {
        for (const [at, entry] of (await reader.bundle(index)).entries()) {
          const seq = index * TILE + at;
          const line = lines[seq];
          if (line !== undefined && hex(leafHash(line, hash)) !== hex(leafHash(entry, hash))) {
            report(
              'entry.altered',
              `entries/${fileName(seq)}`,
              `entry ${seq} is not the one that was signed`,
            );
          }
        }
      });
    }
    await each(
      Array.from({ length: Math.min(head.size, lines.length) }, (_, seq) => seq),
      async (seq) => {
        const at = `proof/${seq}.tlog-proof`;
        const bytes = await get(at);
        if (bytes === null) return report('proof.missing', at, 'is not there');
        await guarded(at, () => {
          const proof = noteText(bytes);
          const { index, hashes, checkpoint: under, extra } = parseProof(proof);
          const leaf = leaves[seq]!;
          // The note was verified once; only under another one is its signature looked at again.
          if (under !== note) verifyProof(proof, keysOf?.(head.size) ?? [], lines[seq]!, hash);
          if (
            index !== seq ||
            (extra !== null && hex(leafHash(extra, hash)) !== hex(leaf)) ||
            !verifyInclusion({ index, ...head, leaf }, hashes, hash)
          ) {
            throw new Broken('proof.altered', `does not lead from entry ${seq} to the signed root`);
          }
          proofs++;
        });
      },
    );
  }
  await each(kept, async ([name, bytes]) => {
    const at = `blobs/sha256/${name.slice(0, 2)}/${name}`;
    const found = await get(at);
    if (found === null) report('blob.missing', at, 'is not there');
    else if (found.length !== bytes || hex(hash(found)) !== name) {
      report('blob.altered', at, 'holds other bytes than its name and length say');
    } else held++;
  });
  await each([...redacted], async (name) => {
    const at = `blobs/sha256/${name.slice(0, 2)}/${name}`;
    if ((await get(at)) !== null) report('blob.kept', at, 'was redacted, and is still there');
  });

  await each([...posts], async ([id, commit]) => {
    const at = `objections/${id}.json`;
    const found = await get(at);
    if (commit === null) {
      if (found !== null) report('objection.kept', at, 'was erased, and is still there');
      return;
    }
    if (found === null) return report('objection.missing', at, 'is not there');
    const words = parseWords(found);
    const body = new TextEncoder().encode(words?.body);
    if (words?.id !== id || commitment(words.salt, body, hash) !== commit) {
      report('objection.altered', at, 'is not what was committed to');
    }
  });

  return {
    ok: faults.length === 0,
    origin,
    entries: lines.length,
    root: tree.root(),
    signed: head,
    tiles,
    proofs,
    blobs: held,
    key: keyText === undefined ? null : { text: keyText, given },
    faults,
    limits: limits(head, lines.length, given),
    files,
    checkpoint,
  };
}

/**
 * The key in force over so many entries, by hand-overs that lead, signature by signature, to the key
 * that is trusted. Throws Broken: whoever could slip one in would be believed ever after.
 */
function keysBy(vkey: Vkey | null, lines: readonly Uint8Array[]): ReturnType<typeof keysAt> {
  const rotations = rotationsIn(lines);
  let last: string | undefined;
  for (const { seq, entry } of rotations) {
    const { from, to } = openRotation(entry.body);
    if (last !== undefined && from.text !== last) {
      throw new Broken('note.unsigned', `entry ${seq} hands over from a key that was not in force`);
    }
    last = to.text;
  }
  if (last !== undefined && last !== vkey?.text) {
    throw new Broken(
      'note.unsigned',
      'the log was handed over to another key than the one trusted',
    );
  }
  return keysAt(vkey, rotations);
}

function limits(signed: Head | null, entries: number, given: boolean): string[] {
  const after = entries - (signed?.size ?? 0);
  return [
    ...(signed === null
      ? ['Nothing is signed: entries can be cut off or all written anew, and nobody could tell.']
      : [
          ...(after > 0 ? [`No signature covers the last ${after} entries yet.`] : []),
          ...(given
            ? []
            : [
                'The key came from the site itself: another key, and another history, would look the same.',
              ]),
          'Whoever holds the key can write everything anew and sign that too: only a checkpoint kept elsewhere can tell.',
        ]),
    'A payload that no entry names any more is not looked for.',
  ];
}

/** Some at once, in order of their start. */
async function each<T>(all: readonly T[], act: (one: T) => Promise<void>): Promise<void> {
  const rest = all[Symbol.iterator]();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const one of rest) await act(one);
    }),
  );
}
