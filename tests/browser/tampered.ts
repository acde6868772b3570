/** The built site with a log signed by a throw-away key, served on loopback with some of its bytes changed. */
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { DIST } from '../../src/build.ts';
import { readOrigin } from '../../src/disk/ledger.ts';
import { type Published, readPublished } from '../../src/disk/published.ts';
import { signLedger } from '../../src/disk/sign.ts';
import { makeSkey, type Skey } from '../../src/ledger/note.ts';
import { site } from '../../src/site.ts';

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
};

/** The bytes at a path without the base, `/ledger/checkpoint`; null is a 404. */
export type Alter = (path: string, bytes: Uint8Array | null) => Uint8Array | null;

/** The project's ledger, signed anew by the key of `seed`. */
export async function signedLog(
  seed = 1,
): Promise<{ published: Published; skey: Skey; remove(): void }> {
  const dir = mkdtempSync(join(tmpdir(), 'weighbridge-signed-'));
  cpSync('ledger', dir, { recursive: true });
  rmSync(join(dir, 'checkpoints'), { recursive: true, force: true });
  const skey = makeSkey(readOrigin(dir), new Uint8Array(32).fill(seed));
  writeFileSync(join(dir, 'vkey'), `${skey.vkey.text}\n`);
  await signLedger(dir, skey);
  const remove = () => rmSync(dir, { recursive: true, force: true });
  return { published: readPublished(dir), skey, remove };
}

/** Serves dist/, its ledger's files those of `published`, each through `alter`. */
export async function serveAltered(
  published: Published | null,
  alter: Alter,
): Promise<{ home: string; close(): Promise<void> }> {
  async function find(path: string): Promise<Uint8Array | null> {
    const own =
      published && path.startsWith('/ledger/') ? await published.get(path.slice(8)) : null;
    if (own !== null) return own;
    const file = `${DIST}${path.endsWith('/') ? `${path}index.html` : path}`;
    return existsSync(file) && statSync(file).isFile() ? readFileSync(file) : null;
  }
  const server = createServer(async (request, response) => {
    const path = (request.url ?? '/').split('?')[0]!.slice(site.base.length);
    const bytes = alter(path, await find(path));
    const type = TYPES[path.endsWith('/') ? '.html' : extname(path)] ?? 'text/plain; charset=utf-8';
    response.writeHead(bytes === null ? 404 : 200, { 'content-type': type });
    response.end(bytes ?? 'not here');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    home: `http://127.0.0.1:${(server.address() as AddressInfo).port}${site.base}`,
    close: () => {
      server.closeAllConnections();
      return new Promise((done) => server.close(() => done()));
    },
  };
}

/** A copy with one bit changed. */
export function flip(bytes: Uint8Array, bit: number): Uint8Array {
  const copy = Uint8Array.from(bytes);
  copy[bit >> 3]! ^= 1 << (bit & 7);
  return copy;
}

/** Base64 with another first digit. */
const other64 = (text: string) => (text.startsWith('A') ? 'B' : 'A') + text.slice(1);

/** One way of tampering with a served log, and a code that must be among those it is told by. */
export interface Tampering {
  what: string;
  code: string;
  alter: Alter;
}

const at =
  (path: string, change: (bytes: Uint8Array) => Uint8Array | null): Alter =>
  (asked, bytes) =>
    asked === `/ledger/${path}` && bytes !== null ? change(bytes) : bytes;
const lines = (bytes: Uint8Array): string[] => Buffer.from(bytes).toString().trimEnd().split('\n');
const joined = (all: readonly string[]): Uint8Array => Buffer.from(`${all.join('\n')}\n`);

/** Every way that the issue names, of a log whose first file of entries is its last too. */
export function tamperings(published: Published, other: Published): Tampering[] {
  const blob = published.paths.find((path) => path.startsWith('blobs/'))!;
  const tile = published.paths.find((path) => path.startsWith('tile/0/'))!;
  const proof = published.paths.find((path) => path.startsWith('proof/'))!;
  const bundle = published.paths.find((path) => path.startsWith('tile/entries/'))!;
  const first = (bytes: Uint8Array) => flip(bytes, 8 * 40);
  return [
    { what: 'one bit in a blob', code: 'blob.altered', alter: at(blob, first) },
    { what: 'a blob that is gone', code: 'blob.missing', alter: at(blob, () => null) },
    {
      what: 'one character of an entry',
      code: 'chain.prev',
      alter: at('entries/000.jsonl', (bytes) =>
        Buffer.from(Buffer.from(bytes).toString().replace('"weighbridge"', '"weighbridgf"')),
      ),
    },
    { what: 'one bit in an entry', code: 'checkpoint.root', alter: at('entries/000.jsonl', first) },
    { what: 'one bit in a tile', code: 'tile.altered', alter: at(tile, first) },
    { what: 'one bit in a bundle of entries', code: 'bundle.altered', alter: at(bundle, first) },
    {
      what: 'a tile answered with a page',
      code: 'tile.form',
      alter: at(tile, () => Buffer.from('<!doctype html>')),
    },
    {
      what: 'one character of the root in the checkpoint',
      code: 'note.signature',
      alter: at('checkpoint', (bytes) => {
        const text = lines(bytes);
        return joined(text.with(2, other64(text[2]!)));
      }),
    },
    {
      what: 'one bit in a proof',
      code: 'proof.altered',
      alter: at(proof, (bytes) => {
        const text = lines(bytes);
        const hash = text.findIndex((line) => line.startsWith('index ')) + 1;
        return joined(text.with(hash, other64(text[hash]!)));
      }),
    },
    {
      what: 'a proof that is gone',
      code: 'proof.missing',
      alter: at(proof, () => null),
    },
    {
      what: 'a swapped pair',
      code: 'seq.reordered',
      alter: at('entries/000.jsonl', (bytes) => {
        const all = lines(bytes);
        return joined(all.with(4, all[5]!).with(5, all[4]!));
      }),
    },
    {
      what: 'a cut tail',
      code: 'checkpoint.cut',
      alter: at('entries/000.jsonl', (bytes) => joined(lines(bytes).slice(0, -1))),
    },
    {
      what: 'a wrong key',
      code: 'note.unsigned',
      alter: at('vkey', () => Buffer.from(other.vkey ?? '')),
    },
    {
      what: 'a checkpoint by another key',
      code: 'note.unsigned',
      alter: at('checkpoint', () => Buffer.from(other.signed?.note ?? '')),
    },
  ];
}
