/**
 * A ledger's folder as the static files that it is served as: the log that C2SP tlog-tiles clients
 * read, a proof for each entry, and the entries and payloads as they stand. It reads only, and never
 * gives out a checkpoint or a proof that the entries do not bear out.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Checkpoint, checkCheckpoints } from '../ledger/checkpoint.ts';
import { fileLines } from '../ledger/file.ts';
import { keysAt, rotationsIn } from '../ledger/key.ts';
import { proveEntry } from '../ledger/proof.ts';
import { TiledLog, TileReader } from '../ledger/tile.ts';
import { leafHash, Tree } from '../ledger/tree.ts';
import { Problem } from '../problem.ts';
import { readCheckpoints, readVkey } from './checkpoints.ts';
import { nodeHash } from './hash.ts';
import { entryFiles, readOrigin } from './ledger.ts';

export interface Published {
  origin: string;
  /** The public key as text; null for a ledger that has none. */
  vkey: string | null;
  /** Entries that stand in the ledger, signed or not. */
  size: number;
  /** The newest checkpoint and its note; null while nothing is signed. */
  signed: (Checkpoint & { note: string }) | null;
  /** Sizes of all published checkpoints, the oldest first. */
  sizes: readonly number[];
  /** Every path under `/ledger/` that has bytes, sorted. */
  paths: readonly string[];
  /** The bytes at a path under `/ledger/`; null where there are none. */
  get(path: string): Promise<Uint8Array | null>;
}

/** `proof/12.tlog-proof`: where the proof of an entry is served. */
export const proofPath = (seq: number): string => `proof/${seq}.tlog-proof`;
const PROOF = /^proof\/(0|[1-9]\d*)\.tlog-proof$/;
/** What is served as it stands in the folder. */
const FILES = [
  'origin',
  'vkey',
  'checkpoints/*',
  'entries/*.jsonl',
  'blobs/sha256/*/*',
  'objections/*.json',
];

/** Reads what is to be served. Throws Problem with the verifier's code for a checkpoint that does not hold. */
export function readPublished(dir: string): Published {
  const lines = entryFiles(dir).flatMap((name) =>
    fileLines(readFileSync(join(dir, 'entries', name))),
  );
  const log = new TiledLog(lines, nodeHash);
  const vkey = existsSync(join(dir, 'vkey')) ? readVkey(join(dir, 'vkey')) : null;

  const files = readCheckpoints(dir);
  const roots = rootsAt(lines, new Set(files.map(({ name }) => Number(name))));
  const { newest, problems } = checkCheckpoints(
    files,
    keysAt(vkey, rotationsIn(lines)),
    lines.length,
    (size) => roots.get(size) ?? null,
  );
  for (const { code, message } of problems) {
    throw new Problem(code, message, {
      at: dir,
      mend: 'What was published can be neither changed nor taken back; restore it from git.',
    });
  }
  const note = newest && readFileSync(join(dir, 'checkpoints', String(newest.size)), 'utf8');
  const signed = newest && note !== null ? { ...newest, note } : null;
  const sizes = files.map(({ name }) => Number(name)).sort((a, b) => a - b);
  const reader = signed && new TileReader(async (path) => log.get(path), signed, nodeHash);

  const stored = new Set(
    globSync(FILES, { cwd: dir })
      .map((path) => path.replaceAll('\\', '/'))
      .filter((path) => !path.endsWith('.tmp')),
  );
  const tiles = signed === null ? [] : log.paths([...sizes, signed.size]);
  const proofs = Array.from({ length: signed?.size ?? 0 }, (_, seq) => proofPath(seq));
  return {
    origin: readOrigin(dir),
    vkey: vkey?.text ?? null,
    size: lines.length,
    signed,
    sizes,
    paths: [...stored, ...tiles, ...proofs, ...(signed ? ['checkpoint'] : [])].sort(),
    async get(path) {
      if (stored.has(path)) return readFileSync(join(dir, path));
      if (signed === null || reader === null) return null;
      if (path === 'checkpoint') return Buffer.from(signed.note);
      const seq = PROOF.exec(path)?.[1];
      if (seq === undefined) return log.get(path);
      const [index, line] = [Number(seq), lines[Number(seq)]];
      if (line === undefined || index >= signed.size) return null;
      return Buffer.from(await proveEntry(reader, signed.note, index, line));
    },
  };
}

/** Root over the first so many lines, for each size that is wanted and there. */
function rootsAt(
  lines: readonly Uint8Array[],
  sizes: ReadonlySet<number>,
): Map<number, Uint8Array> {
  const tree = new Tree(nodeHash);
  const roots = new Map<number, Uint8Array>();
  const keep = () => sizes.has(tree.size) && roots.set(tree.size, tree.root());
  keep();
  for (const line of lines) {
    tree.push(leafHash(line, nodeHash));
    keep();
  }
  return roots;
}
