import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  formatBundle,
  parseBundle,
  parseTilePath,
  type Tile,
  TiledLog,
  TileReader,
  tilePath,
  tilesOf,
} from '../../src/ledger/tile.ts';
import { hex, leafHash } from '../../src/ledger/tree.ts';
import { bitFlipped, headOf, lines, serve, sha256, signedLog } from './tiled.ts';

test('a path is what the specification writes, and no other spelling is read', () => {
  const tile: Tile = { level: 0, index: 1234067, width: 256 };
  assert.equal(tilePath(tile), 'tile/0/x001/x234/067');
  assert.equal(tilePath({ ...tile, level: 'entries', width: 8 }), 'tile/entries/x001/x234/067.p/8');
  assert.equal(tilePath({ level: 63, index: 0, width: 1 }), 'tile/63/000.p/1');
  for (const path of [
    'tile/0/0',
    'tile/00/000',
    'tile/64/000',
    'tile/-1/000',
    'tile/0/x000/000',
    'tile/0/001/000',
    'tile/0/000.p/0',
    'tile/0/000.p/256',
    'tile/0/000.p/08',
    'tile/0/000.p/',
    'tile/0/000/',
    '/tile/0/000',
    'tile/0/../000',
    'tile/Entries/000',
    `tile/0/${'x999/'.repeat(6)}999`,
  ]) {
    assert.equal(parseTilePath(path), null, path);
  }
});

test('every path that is written is read back', () => {
  const tile = fc.record(
    {
      level: fc.oneof(fc.integer({ min: 0, max: 63 }), fc.constant('entries' as const)),
      index: fc.maxSafeNat(),
      width: fc.integer({ min: 1, max: 256 }),
    },
    { noNullPrototype: true },
  );
  fc.assert(fc.property(tile, (some) => assert.deepEqual(parseTilePath(tilePath(some)), some)));
});

test('a tree of 70,000 has the tiles that the specification counts out', () => {
  const count = (level: Tile['level'], full: boolean) =>
    [...tilesOf(70_000)].filter((t) => t.level === level && (t.width === 256) === full);
  assert.equal(count(0, true).length, 273);
  assert.deepEqual(count(0, false), [{ level: 0, index: 273, width: 112 }]);
  assert.equal(count('entries', true).length, 273);
  assert.deepEqual(count(1, false), [{ level: 1, index: 1, width: 17 }]);
  assert.equal(count(1, true).length, 1);
  assert.deepEqual(count(2, false), [{ level: 2, index: 0, width: 1 }]);
  assert.deepEqual([...tilesOf(256)].map(tilePath), [
    'tile/0/000',
    'tile/entries/000',
    'tile/1/000.p/1',
  ]);
  assert.deepEqual([...tilesOf(0)], []);
});

test('all that a log lists it has, for every published size, and nothing beyond its entries', () => {
  const { log } = signedLog(600);
  const paths = log.paths([3, 256, 600]);
  assert.ok(paths.includes('tile/0/000.p/3') && paths.includes('tile/entries/002.p/88'));
  assert.equal(new Set(paths).size, paths.length);
  for (const path of paths) assert.ok(log.get(path) !== null, path);
  for (const path of [
    'tile/0/002',
    'tile/0/002.p/89',
    'tile/entries/003.p/1',
    'tile/1/000.p/3',
    'x',
  ]) {
    assert.equal(log.get(path), null, path);
  }
});

test('a bundle frames each entry with its length, up to the longest', () => {
  const entries = [new Uint8Array(), Uint8Array.of(1), new Uint8Array(65_535).fill(7)];
  const bytes = formatBundle(entries);
  assert.deepEqual([...bytes.subarray(0, 7)], [0, 0, 0, 1, 1, 255, 255]);
  assert.deepEqual(parseBundle(bytes, 3), entries);
  assert.equal(parseBundle(bytes, 2), null);
  assert.equal(parseBundle(bytes, 4), null);
  assert.equal(parseBundle(bytes.subarray(0, -1), 3), null);
  assert.equal(parseBundle(bytes.subarray(0, 3), 2), null);
  assert.throws(() => formatBundle([new Uint8Array(65_536)]), RangeError);
});

const listing = (log: TiledLog, asked: string[]) =>
  serve(log, (path, bytes) => {
    asked.push(path);
    return bytes;
  });

test('a reader gives every entry and root of a log that it knows by its head alone', async () => {
  const { lines: all, log, head } = signedLog(600);
  const asked: string[] = [];
  const reader = new TileReader(listing(log, asked), head, sha256);
  for (const index of [0, 255, 256, 511, 512, 599]) {
    assert.deepEqual(await reader.entry(index), all[index]);
    assert.equal(hex(await reader.leaf(index)), hex(leafHash(all[index]!)));
  }
  for (const size of [0, 1, 255, 256, 300, 512, 599, 600]) {
    assert.equal(hex(await reader.rootAt(size)), hex(headOf(all.slice(0, size)).root));
  }
  const tiles = asked.filter((path) => !path.includes('entries')).sort();
  assert.deepEqual(tiles, ['tile/0/000', 'tile/0/001', 'tile/0/002.p/88', 'tile/1/000.p/2']);
  await assert.rejects(reader.entry(600), RangeError);
  await assert.rejects(reader.rootAt(601), RangeError);
});

test('a tree of three levels is read with one tile a level', async () => {
  const all = lines(66_000);
  const log = new TiledLog(all, sha256);
  const asked: string[] = [];
  const reader = new TileReader(listing(log, asked), headOf(all), sha256);
  assert.deepEqual(await reader.entry(40_000), all[40_000]);
  assert.deepEqual(asked.sort(), [
    'tile/0/156',
    'tile/0/257.p/208',
    'tile/1/000',
    'tile/1/001.p/1',
    'tile/2/000.p/1',
    'tile/entries/156',
  ]);
});

test('an older head is read from a log that grew and dropped its partial tiles', async () => {
  const { lines: all, log } = signedLog(600);
  const dropped = serve(log, (path, bytes) => (/\/00[01]\.p\//.test(path) ? null : bytes));
  const reader = new TileReader(
    // tile/1/000 is not full yet, so a log must go on serving it as it was.
    (path) => (path.startsWith('tile/1/') ? serve(log)(path) : dropped(path)),
    headOf(all.slice(0, 300)),
    sha256,
  );
  assert.deepEqual(await reader.bundle(1), all.slice(256, 300));
  assert.equal(hex(await reader.rootAt(299)), hex(headOf(all.slice(0, 299)).root));
});

test('one bit in any tile or bundle is caught and named by its path', async () => {
  const { log, head } = signedLog(600);
  for (const path of log.paths([600])) {
    const size = log.get(path)!.length;
    for (const bit of [0, size * 4, size * 8 - 1]) {
      const reader = new TileReader(bitFlipped(log, path, bit), head, sha256);
      const read = async () => {
        for (const bundle of [0, 1, 2]) await reader.bundle(bundle);
      };
      const isBundle = path.includes('entries');
      const code = new RegExp(isBundle ? '^bundle\\.(form|altered)$' : '^tile\\.altered$');
      await assert.rejects(read, { code, message: new RegExp(path.replace(/\./g, '\\.')) });
    }
  }
});

test('swapped entries, a cut bundle, a missing tile and a page sent in place of a tile are each named', async () => {
  const { log, lines: all, head } = signedLog(600);
  const bundle = 'tile/entries/002.p/88';
  const read = (path: string, instead: Uint8Array | null) =>
    new TileReader(
      serve(log, (at, bytes) => (at === path ? instead : bytes)),
      head,
      sha256,
    ).bundle(2);
  const last = all.slice(512);
  const page = new TextEncoder().encode('<!doctype html><title>Not found</title>');
  await assert.rejects(read(bundle, formatBundle(last.with(3, last[4]!).with(4, last[3]!))), {
    code: 'bundle.altered',
    message: /entry 515 /,
  });
  await assert.rejects(read(bundle, formatBundle(last.slice(1))), { code: 'bundle.form' });
  await assert.rejects(read(bundle, page), { code: 'bundle.form' });
  await assert.rejects(read(bundle, null), { code: 'bundle.missing' });
  await assert.rejects(read('tile/0/002.p/88', page), { code: 'tile.form' });
  await assert.rejects(read('tile/0/002.p/88', null), { code: 'tile.missing' });
});

test('a head that the log does not lead to is caught before any entry is given', async () => {
  const { log, head } = signedLog(600);
  for (const wrong of [
    { ...head, root: headOf(lines(600, 'other')).root },
    { ...head, size: 599 },
  ]) {
    const reader = new TileReader(serve(log), wrong, sha256);
    await assert.rejects(reader.entry(0), { code: 'tile.altered' });
  }
});

test('a checkpoint that is older than one seen before, or of another history, is named', async () => {
  const { log, head, lines: all } = signedLog(600);
  const reader = new TileReader(serve(log), head, sha256);
  for (const size of [0, 1, 256, 599, 600]) await reader.grewFrom(headOf(all.slice(0, size)));
  await assert.rejects(reader.grewFrom(headOf(lines(601))), { code: 'checkpoint.stale' });
  for (const size of [1, 256, 599, 600]) {
    const seen = headOf(lines(size, 'other'));
    await assert.rejects(reader.grewFrom(seen), { code: 'checkpoint.fork' });
  }
});

test('a fetch that failed once is tried again', async () => {
  const { log, head, lines: all } = signedLog(300);
  const failing = new Set(log.paths([300]));
  const reader = new TileReader(
    async (path) => {
      if (failing.delete(path)) throw new Error('the connection was reset');
      return log.get(path);
    },
    head,
    sha256,
  );
  for (let tries = 0; failing.size > 0 && tries < 9; tries++) await reader.entry(0).catch(() => {});
  assert.deepEqual(await reader.entry(0), all[0]);
});
