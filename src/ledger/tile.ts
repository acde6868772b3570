/**
 * The ledger as static files that any client of C2SP tlog-tiles reads, and the client that reads
 * them. Pure: lines or a fetch function come in, bytes go out. The reader never uses a hash or an
 * entry that it has not led back to the root it was given.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { Broken } from './broken.ts';
import { type Head, verifyConsistency } from './consistency.ts';
import { consistencyRanges, inclusionRanges, peaks, type Range } from './range.ts';
import { type Hash, hex, leafHash, nodeHash } from './tree.ts';

/** Hashes in a full tile, entries in a full bundle: a subtree of height 8. */
export const TILE = 256;
const HEIGHT = 8;

/** A tile of hashes at a level from 0, or a bundle of entries; `width` is TILE when it is full. */
export interface Tile {
  level: number | 'entries';
  index: number;
  width: number;
}

/** `tile/0/x001/x234/067.p/8` (tlog-tiles, "Merkle Tree", "Partial Tiles" and "Log entries"). */
export function tilePath({ level, index, width }: Tile): string {
  let path = String(index % 1000).padStart(3, '0');
  for (let rest = Math.floor(index / 1000); rest > 0; rest = Math.floor(rest / 1000)) {
    path = `x${String(rest % 1000).padStart(3, '0')}/${path}`;
  }
  return `tile/${level}/${path}${width === TILE ? '' : `.p/${width}`}`;
}

/** The tile that a path names; null for any path that tilePath would not write. */
export function parseTilePath(path: string): Tile | null {
  const form = /^tile\/(entries|\d{1,2})\/((?:x\d{3}\/)*\d{3})(?:\.p\/(\d{1,3}))?$/;
  const [, level, digits, width] = form.exec(path) ?? [];
  if (level === undefined || digits === undefined) return null;
  const tile: Tile = {
    level: level === 'entries' ? level : Number(level),
    index: Number(digits.replace(/[x/]/g, '')),
    width: width === undefined ? TILE : Number(width),
  };
  if (tile.width < 1 || tile.width > TILE || Number(tile.level) >= 64) return null;
  return Number.isSafeInteger(tile.index) && tilePath(tile) === path ? tile : null;
}

/** Hashes that a tree of `size` entries has at a level: full tiles of the level below. */
const countAt = (size: number, level: number): number => Math.floor(size / TILE ** level);

/** Every tile and bundle of a tree of `size` entries, full and partial; none is empty. */
export function* tilesOf(size: number): Generator<Tile> {
  for (let level = 0; countAt(size, level) > 0; level++) {
    const count = countAt(size, level);
    for (let index = 0; index * TILE < count; index++) {
      const width = Math.min(TILE, count - index * TILE);
      yield { level, index, width };
      if (level === 0) yield { level: 'entries', index, width };
    }
  }
}

/** All that the log serves under its prefix, made from its lines (without their newlines). */
export class TiledLog {
  readonly #lines: readonly Uint8Array[];
  /** By level: the hashes of all its tiles, one after another. */
  readonly #levels: Uint8Array[] = [];

  constructor(lines: readonly Uint8Array[], hash: Hash = sha256) {
    this.#lines = lines;
    let level = lines.map((line) => leafHash(line, hash));
    while (level.length > 0) {
      this.#levels.push(concat(level));
      const above: Uint8Array[] = [];
      for (let at = 0; at + TILE <= level.length; at += TILE) {
        above.push(pyramid(level.slice(at, at + TILE), hash)[HEIGHT]![0]!);
      }
      level = above;
    }
  }

  /**
   * Every path to serve, given the sizes of the published checkpoints: the partial tiles of each of
   * them must stay ("Partial Tiles"), since somebody may still read the log by an older one.
   */
  paths(sizes: Iterable<number>): string[] {
    return [...new Set([...sizes].flatMap((size) => [...tilesOf(size)].map(tilePath)))];
  }

  /** The bytes at a path; null for a path of no tile, or of one that reaches beyond the entries. */
  get(path: string): Uint8Array | null {
    const tile = parseTilePath(path);
    if (tile === null) return null;
    const start = tile.index * TILE;
    const end = start + tile.width;
    if (tile.level === 'entries') {
      return end > this.#lines.length ? null : formatBundle(this.#lines.slice(start, end));
    }
    const level = this.#levels[tile.level];
    return level === undefined || end * 32 > level.length
      ? null
      : level.slice(start * 32, end * 32);
  }
}

/** Each entry after its length as a big-endian uint16 ("Log entries"). Throws RangeError past 65,535 bytes. */
export function formatBundle(entries: readonly Uint8Array[]): Uint8Array {
  return concat(
    entries.flatMap((entry) => {
      if (entry.length > 0xffff) throw new RangeError(`an entry of ${entry.length} bytes`);
      return [Uint8Array.of(entry.length >> 8, entry.length & 0xff), entry];
    }),
  );
}

/** The entries of a bundle; null when it is cut, or goes on after them. */
export function parseBundle(bytes: Uint8Array, width: number): Uint8Array[] | null {
  const entries: Uint8Array[] = [];
  let at = 0;
  while (entries.length < width) {
    if (at + 2 > bytes.length) return null;
    const end = at + 2 + bytes[at]! * 256 + bytes[at + 1]!;
    if (end > bytes.length) return null;
    entries.push(bytes.subarray(at + 2, end));
    at = end;
  }
  return at === bytes.length ? entries : null;
}

/** The bytes at a path under the log's prefix; null when there are none (a 404). */
export type FetchTile = (path: string) => Promise<Uint8Array | null>;

/** Tiles whose inner hashes are kept at a time; a proof needs two a level. */
const KEPT = 64;

/**
 * Reads a log by its tiles, under a head that the caller has from a signed checkpoint. Everything it
 * returns has been led back to that head's root. Throws Broken `tile.missing`, `tile.form` (of no
 * such length, as a 404 page sent with status 200 is), `tile.altered` and the like for bundles, with
 * the path at fault.
 */
export class TileReader {
  readonly head: Head;
  readonly #fetch: FetchTile;
  readonly #hash: Hash;
  readonly #tiles = new Map<string, Promise<Pyramid>>();
  #edge: Promise<Pyramid[]> | undefined;

  constructor(fetch: FetchTile, head: Head, hash: Hash = sha256) {
    this.#fetch = fetch;
    this.head = head;
    this.#hash = hash;
  }

  /** The root over the first `size` entries. Throws RangeError beyond the head. */
  async rootAt(size: number): Promise<Uint8Array> {
    if (size === 0) return this.#hash(new Uint8Array());
    return this.#rangeHash({ start: 0, end: size });
  }

  /** The leaf hash of an entry. Throws RangeError when the head has no such entry. */
  async leaf(index: number): Promise<Uint8Array> {
    return this.#rangeHash({ start: index, end: index + 1 });
  }

  /** The proof that verifyInclusion takes, for an entry under the head. Throws RangeError likewise. */
  async inclusion(index: number): Promise<Uint8Array[]> {
    return this.#hashes(inclusionRanges(index, this.head.size));
  }

  /** The proof that verifyConsistency takes, from a smaller tree to the head. Throws RangeError likewise. */
  async consistency(from: number): Promise<Uint8Array[]> {
    return this.#hashes(consistencyRanges(from, this.head.size));
  }

  /**
   * Makes sure that the head grew out of one that was seen before. Throws Broken `checkpoint.stale`
   * when it is older, `checkpoint.fork` when it tells another history.
   */
  async grewFrom(seen: Head): Promise<void> {
    if (seen.size > this.head.size) {
      const { size } = this.head;
      throw new Broken(
        'checkpoint.stale',
        `the checkpoint is of ${size} entries, but one of ${seen.size} was seen before`,
      );
    }
    const proof = await this.consistency(seen.size);
    if (!verifyConsistency(seen, this.head, proof, this.#hash)) {
      throw new Broken(
        'checkpoint.fork',
        `the log of ${this.head.size} entries does not begin with the ${seen.size} that were seen before`,
      );
    }
  }

  /** The entries of bundle `index`, each held against its leaf hash. Throws RangeError past the last. */
  async bundle(index: number): Promise<Uint8Array[]> {
    const width = this.#width(0, index);
    const path = tilePath({ level: 'entries', index, width });
    const { bytes, full } = await this.#fetchEither('bundle.missing', 'entries', index, width);
    // A full bundle in place of a partial one may hold more than the head vouches for.
    const entries = parseBundle(bytes, full ? TILE : width)?.slice(0, width);
    if (entries === undefined) {
      throw new Broken('bundle.form', `${path} is not ${width} entries with their lengths`);
    }
    const [leaves] = await this.#tile(0, index);
    for (const [at, entry] of entries.entries()) {
      if (hex(leafHash(entry, this.#hash)) !== hex(leaves![at]!)) {
        const seq = index * TILE + at;
        throw new Broken('bundle.altered', `${path}: entry ${seq} is not the one in the tree`);
      }
    }
    return entries;
  }

  /** One entry's bytes. Throws RangeError when the head has no such entry, else as bundle. */
  async entry(index: number): Promise<Uint8Array> {
    const entry = (await this.bundle(Math.floor(index / TILE)))[index % TILE];
    if (entry !== undefined) return entry;
    throw new RangeError(`no entry ${index} of ${this.head.size}`);
  }

  #hashes(ranges: readonly Range[]): Promise<Uint8Array[]> {
    return Promise.all(ranges.map((range) => this.#rangeHash(range)));
  }

  async #rangeHash(range: Range): Promise<Uint8Array> {
    if (!Number.isSafeInteger(range.start) || range.start < 0 || range.end > this.head.size) {
      throw new RangeError(`entries ${range.start} to ${range.end} of ${this.head.size}`);
    }
    const nodes = await Promise.all(
      [...peaks(range)].map(async ({ height, index }) => {
        const level = Math.floor(height / HEIGHT);
        const within = height % HEIGHT;
        const perTile = TILE / 2 ** within;
        const tile = await this.#tile(level, Math.floor(index / perTile));
        return tile[within]![index % perTile]!;
      }),
    );
    return nodes.reduceRight((right, left) => nodeHash(left, right, this.#hash));
  }

  /** Hashes in tile `index` of a level under the head. */
  #width(level: number, index: number): number {
    const width = Math.min(TILE, countAt(this.head.size, level) - index * TILE);
    if (Number.isSafeInteger(index) && index >= 0 && width > 0) return width;
    throw new RangeError(`no tile ${index} at level ${level} of ${this.head.size} entries`);
  }

  /** A tile, led back to the root. */
  async #tile(level: number, index: number): Promise<Pyramid> {
    const width = this.#width(level, index);
    if (width < TILE) return (await this.#rightEdge())[level]!;
    const path = tilePath({ level, index, width });
    const kept = this.#tiles.get(path);
    if (kept !== undefined) return kept;
    const tile = this.#fullTile(path, level, index);
    this.#tiles.set(path, tile);
    tile.catch(() => this.#tiles.delete(path)); // a fetch that failed may be tried again
    for (const oldest of this.#tiles.keys()) {
      if (this.#tiles.size <= KEPT) break;
      this.#tiles.delete(oldest);
    }
    return tile;
  }

  /** Each full tile is hashed into a tile of the level above, which is led back first. */
  async #fullTile(path: string, level: number, index: number): Promise<Pyramid> {
    const above = await this.#tile(level + 1, Math.floor(index / TILE));
    const tile = await this.#fetchHashes(level, index, TILE);
    if (hex(tile[HEIGHT]![0]!) === hex(above[0]![index % TILE]!)) return tile;
    throw new Broken('tile.altered', `${path} does not hash to what the tile above it holds`);
  }

  /** All partial tiles, by level: together, and only together, they make up the root. */
  #rightEdge(): Promise<Pyramid[]> {
    if (this.#edge === undefined) {
      this.#edge = this.#fetchEdge();
      this.#edge.catch(() => {
        this.#edge = undefined;
      });
    }
    return this.#edge;
  }

  async #fetchEdge(): Promise<Pyramid[]> {
    const levels: Tile[] = [];
    for (let level = 0; countAt(this.head.size, level) > 0; level++) {
      const index = Math.floor(countAt(this.head.size, level) / TILE);
      levels.push({ level, index, width: countAt(this.head.size, level) % TILE });
    }
    const tiles = await Promise.all(
      levels.map(({ index, width }, level) =>
        width === 0 ? [] : this.#fetchHashes(level, index, width),
      ),
    );
    // The widest subtrees of each partial tile, from the top level down, are the peaks of the tree.
    const tops = tiles
      .map((tile, level) =>
        [...peaks({ start: 0, end: levels[level]!.width })].map(
          ({ height, index }) => tile[height]![index]!,
        ),
      )
      .reverse()
      .flat();
    const root = tops.reduceRight((right, left) => nodeHash(left, right, this.#hash));
    if (hex(root) === hex(this.head.root)) return tiles;
    const paths = levels.filter(({ width }) => width > 0).map(tilePath);
    throw new Broken(
      'tile.altered',
      `${paths.join(' and ')} do not add up to the root of the checkpoint of ${this.head.size}`,
    );
  }

  async #fetchHashes(level: number, index: number, width: number): Promise<Pyramid> {
    const { bytes, full } = await this.#fetchEither('tile.missing', level, index, width);
    if (bytes.length !== (full ? TILE : width) * 32) {
      const path = tilePath({ level, index, width });
      throw new Broken('tile.form', `${path} has ${bytes.length} bytes, not 32 for each hash`);
    }
    const hashes = Array.from({ length: width }, (_, at) => bytes.subarray(at * 32, at * 32 + 32));
    return pyramid(hashes, this.#hash);
  }

  /** A log may drop a partial tile once the full one is there ("Partial Tiles"). */
  async #fetchEither(
    missing: 'tile.missing' | 'bundle.missing',
    level: Tile['level'],
    index: number,
    width: number,
  ): Promise<{ bytes: Uint8Array; full: boolean }> {
    const path = tilePath({ level, index, width });
    const bytes = await this.#fetch(path);
    if (bytes !== null) return { bytes, full: width === TILE };
    const instead =
      width < TILE ? await this.#fetch(tilePath({ level, index, width: TILE })) : null;
    if (instead !== null) return { bytes: instead, full: true };
    throw new Broken(missing, `${path} is not there`);
  }
}

/** By height: the nodes over a tile's hashes, whole subtrees alone. */
type Pyramid = readonly (readonly Uint8Array[])[];

function pyramid(hashes: readonly Uint8Array[], hash: Hash): Pyramid {
  const rows = [hashes];
  for (let row = hashes; row.length > 1; rows.push(row)) {
    row = Array.from({ length: Math.floor(row.length / 2) }, (_, at) =>
      nodeHash(row[at * 2]!, row[at * 2 + 1]!, hash),
    );
  }
  return rows;
}

function concat(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
