/**
 * Answers with the files of a built site: which one, under which headers, compressed how. It knows
 * the files that were there when it was made and opens no other, whatever it is asked for.
 */
import { createReadStream, readdirSync, readFileSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { type Encoding, encodingFor, isForProgram, prefersMarkdown } from './accept.ts';
import { missing } from './intake/answer.ts';
import { isForHost, isOpen } from './policy.ts';

interface File {
  path: string;
  size: number;
  /** Weak: the same file built again has another. */
  tag: string;
  headers: Readonly<Record<string, string>>;
  /** Its text takes less when it is compressed. */
  text: boolean;
}

/** The log's own files; what else stands under /ledger/ is pages. */
const LOG =
  /^\/ledger\/(?:checkpoint$|origin$|vkey$|checkpoints\/|entries\/|blobs\/|objections\/|proof\/)/;
const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.csv': 'text/csv; charset=utf-8',
  '.html': 'text/html;charset=utf-8',
  '.js': 'text/javascript',
  '.json': 'application/json; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.woff2': 'font/woff2',
  '.xml': 'application/atom+xml; charset=utf-8',
};
/** Bytes of the largest file that is compressed or held, and of all that is held. */
const LARGEST = 4 << 20;
const HELD = 64 << 20;
/** Below this compressing saves no packet. */
const SMALL = 1_024;

const squeeze: Readonly<Record<Encoding, (bytes: Uint8Array) => Promise<Buffer>>> = {
  // Half of the way to its best, in a tenth of the time: the first reader waits for it.
  br: (bytes) =>
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: promisify(gzip),
};

/** What a file is called decides what it is served as; captured bytes are text, whatever they say. */
function headersOf(path: string): Record<string, string> {
  const type = path.startsWith('/ledger/tile/')
    ? 'application/octet-stream'
    : path === '/sitemap.xml'
      ? 'application/xml; charset=utf-8'
      : LOG.test(path)
        ? 'text/plain; charset=utf-8'
        : (TYPES[extname(path)] ?? 'application/octet-stream');
  return {
    'content-type': type,
    ...(isOpen(path) ? { 'access-control-allow-origin': '*' } : {}),
    'cache-control': path.startsWith('/_astro/')
      ? 'public, max-age=31536000, immutable'
      : 'no-cache',
  };
}

export class Files {
  readonly #files = new Map<string, File>();
  readonly #missing: Buffer;
  /** What was read or compressed, the longest unused first. */
  readonly #held = new Map<string, Promise<Buffer>>();
  #bytes = 0;

  /** Of the folder of a built site, which has a 404.html. */
  constructor(dist: string) {
    this.#missing = readFileSync(join(dist, '404.html'));
    for (const entry of readdirSync(dist, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const path = join(entry.parentPath, entry.name);
      const name = path.slice(join(dist, '/').length - 1).replaceAll('\\', '/');
      if (isForHost(name)) continue;
      const { size, mtimeMs } = statSync(path);
      const headers = headersOf(name);
      const text = /^(?:text\/|image\/svg|application\/(?:json|atom|xml|wasm))/.test(
        headers['content-type']!,
      );
      const tag = `${size.toString(36)}-${Math.floor(mtimeMs).toString(36)}`;
      this.#files.set(name, { path, size, tag, headers, text });
    }
  }

  /** The bytes at a path of the site, as JSON; null where there are none. */
  async document(path: string): Promise<unknown> {
    const file = this.#files.get(path);
    return file === undefined ? null : JSON.parse(await readFile(file.path, 'utf8'));
  }

  /** Answers a GET or HEAD; `path` as it was asked for, from the site's root, without its query; null for none. */
  async answer(
    request: IncomingMessage,
    response: ServerResponse,
    path: string | null,
  ): Promise<void> {
    const page = path === null ? undefined : this.#find(path);
    if (page === undefined && path !== null && isForProgram(path, request.headers.accept ?? '')) {
      const told = missing(path);
      response.writeHead(told.status, Object.fromEntries(told.headers));
      response.end(request.method === 'HEAD' ? undefined : await told.text());
      return;
    }
    if (path === null || page === undefined) {
      response.writeHead(404, { 'content-type': 'text/html; charset=utf-8' });
      response.end(request.method === 'HEAD' ? undefined : this.#missing);
      return;
    }
    const twin = page.path.endsWith('.html')
      ? this.#find(path === '/' ? '/index.md' : `${path.replace(/\/+$/, '')}.md`)
      : undefined;
    const file = twin !== undefined && prefersMarkdown(request.headers.accept ?? '') ? twin : page;
    const squeezed = file.text && file.size >= SMALL && file.size <= LARGEST;
    const encoding = squeezed
      ? encodingFor(String(request.headers['accept-encoding'] ?? ''))
      : null;
    const tag = `W/"${file.tag}${encoding === null ? '' : `-${encoding}`}"`;
    const vary = [...(twin ? ['accept'] : []), ...(squeezed ? ['accept-encoding'] : [])];
    const headers: Record<string, string | number> = {
      ...file.headers,
      etag: tag,
      ...(vary.length > 0 ? { vary: vary.join(', ') } : {}),
    };
    const had = request.headers['if-none-match']?.trim();
    if (had === '*' || had?.split(/\s*,\s*/).includes(tag)) {
      response.writeHead(304, headers).end();
      return;
    }
    if (encoding === null && file.size > LARGEST) {
      response.writeHead(200, { ...headers, 'content-length': file.size });
      if (request.method === 'HEAD') response.end();
      else
        createReadStream(file.path)
          .on('error', () => response.destroy())
          .pipe(response);
      return;
    }
    const bytes = await this.#read(file, encoding);
    if (encoding !== null) headers['content-encoding'] = encoding;
    response.writeHead(200, { ...headers, 'content-length': bytes.length });
    response.end(request.method === 'HEAD' ? undefined : bytes);
  }

  #find(asked: string): File | undefined {
    let path: string;
    try {
      path = decodeURIComponent(asked);
    } catch {
      return undefined;
    }
    if (path.endsWith('/')) return this.#files.get(`${path}index.html`);
    return (
      this.#files.get(path) ??
      this.#files.get(`${path}.html`) ??
      this.#files.get(`${path}/index.html`)
    );
  }

  #read(file: File, encoding: Encoding | null): Promise<Buffer> {
    const key = `${encoding ?? ''} ${file.path}`;
    const held = this.#held.get(key);
    if (held !== undefined) {
      this.#held.delete(key);
      this.#held.set(key, held);
      return held;
    }
    const made = readFile(file.path).then((bytes) =>
      encoding === null ? bytes : squeeze[encoding](bytes),
    );
    this.#held.set(key, made);
    made.then(
      ({ length }) => {
        this.#bytes += length;
        for (const [old, bytes] of this.#held) {
          if (this.#bytes <= HELD) break;
          this.#held.delete(old);
          bytes.then((gone) => {
            this.#bytes -= gone.length;
          });
          if (old === key) break;
        }
      },
      () => this.#held.delete(key),
    );
    return made;
  }
}
