/**
 * The server that clients are pointed at: it answers enough of three APIs to finish a turn and tells
 * what came. It must never listen beyond this machine, pass a request on, or keep a body.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import { anthropic } from './anthropic.ts';
import type { Answer, Api, Reading, Route } from './api.ts';
import { type CountTokens, digest, type Facts, type RequestDigest } from './digest.ts';
import { type Fault, misbehave, SLOW_MS } from './fault.ts';
import { gemini } from './gemini.ts';
import { type Fields, fields } from './json.ts';
import { openai } from './openai.ts';

/** The largest body that is read, as sent and decoded: what Anthropic's own API takes. */
export const MAX_BODY_BYTES = 32 * 1024 * 1024;
const LOOPBACK = '127.0.0.1';
const APIS: readonly Api[] = [anthropic, openai, gemini];

export interface WireOptions {
  /** A port on the loopback address (0: any free one), or a Unix socket. */
  listen: { port: number } | { socket: string };
  fault?: Fault | null;
  count: CountTokens;
  /** Told of each request once it was answered. A throw here ends nothing. */
  onRequest: (digest: RequestDigest) => void;
}

export interface Wire {
  /** `http://127.0.0.1:4100`; empty on a Unix socket. */
  url: string;
  port: number | null;
  close(): Promise<void>;
}

/** Starts it. Rejects with the system's error when the port or socket cannot be had. */
export async function startWire(options: WireOptions): Promise<Wire> {
  const server = createServer((request, response) => {
    serve(request, response, options).catch(() => response.destroy());
  });
  // A proxy's request: clients are told to take this server for their proxy, so that traffic meant
  // for elsewhere is seen and goes nowhere.
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    socket.on('error', () => {});
    socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\nconnection: close\r\n\r\n');
    const asked = outside(`//${request.url ?? ''}`, 443);
    report(options, facts(request, { endpoint: 'outside', status: 403, outside: asked }), null);
  });
  server.on('clientError', (_error, socket) => {
    if (socket.writable) socket.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n');
    else socket.destroy();
  });
  await listen(server, options.listen);
  const address = server.address();
  const port =
    typeof address === 'object' && address !== null ? (address as AddressInfo).port : null;
  return {
    url: port === null ? '' : `http://${LOOPBACK}:${port}`,
    port,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

function listen(server: Server, at: WireOptions['listen']): Promise<void> {
  return new Promise((done, fail) => {
    server.once('error', fail);
    server.listen('socket' in at ? { path: at.socket } : { host: LOOPBACK, port: at.port }, () => {
      server.off('error', fail);
      done();
    });
  });
}

const plainError = (status: number, message: string): Answer => ({
  status,
  type: 'application/json',
  parts: [JSON.stringify({ error: { message } })],
});

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  options: WireOptions,
): Promise<void> {
  response.on('error', () => {});
  const url = request.url ?? '/';
  const away = /^https?:\/\//i.test(url) ? outside(url, 80) : null;
  const target = new URL(away === null && url.startsWith('/') ? `http://x${url}` : 'http://x/');
  const method = request.method ?? 'GET';
  const found =
    away === null && url.startsWith('/') ? route(method, target.pathname, request) : null;
  const body = await receive(request);
  const fault = options.fault ?? null;
  let unread: Facts['unread'] = body.unread;
  let reading: Reading | null = null;
  let answer: Answer;
  let played: Fault | null = null;

  const known: Partial<Facts> =
    away !== null
      ? { endpoint: 'outside', outside: away }
      : found !== null
        ? { api: found.route.api, endpoint: found.route.endpoint, turn: found.route.turn }
        : {};
  const error = found?.api.error ?? plainError;
  if (away !== null || !local(request)) {
    answer = plainError(403, 'this server takes requests of this machine, for itself, only');
  } else if (found === null) {
    answer = plainError(404, `no such endpoint here: ${method} ${target.pathname}`);
  } else if (unread !== null) {
    answer = error(unread === 'too-large' ? 413 : 400, UNREAD[unread]);
  } else {
    const parsed = found.route.read === null ? {} : parse(body.bytes);
    if (typeof parsed === 'string') {
      unread = parsed;
      answer = error(400, UNREAD[parsed]);
    } else {
      reading = found.route.read?.(parsed, target.pathname) ?? null;
      answer = found.route.answer(reading, target.searchParams, parsed);
      if (found.route.turn) {
        const beta = 'anthropic-beta' in request.headers;
        const right = answer;
        answer = misbehave(fault, right, { api: found.api, reading, beta });
        if (answer !== right || fault === 'slow') played = fault;
      }
    }
  }
  const sent = await send(response, answer, played === 'slow' ? SLOW_MS : 0);
  const { size, decoded, encoding } = body;
  report(
    options,
    facts(request, {
      ...known,
      status: sent ? answer.status : null,
      fault: played,
      unread,
      body_bytes: size,
      decoded_bytes: decoded,
      encoding,
    }),
    reading,
  );
}

const UNREAD = {
  'too-large': `the body is larger than ${MAX_BODY_BYTES} bytes`,
  'bad-encoding': 'the body is not what its content-encoding says',
  'invalid-json': 'the body is not a JSON object',
  'too-deep': 'the JSON is nested too deep',
  aborted: 'the body broke off',
} as const;

function route(
  method: string,
  path: string,
  request: IncomingMessage,
): { api: Api; route: Route } | null {
  for (const api of APIS) {
    const found = api.route(method, path, request.headers);
    if (found !== null) return { api, route: found };
  }
  return null;
}

/** A page in a browser must not be able to post here, nor a name that was pointed at loopback. */
function local(request: IncomingMessage): boolean {
  const { host, origin } = request.headers;
  const ours = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/;
  // HTTP/1.0 has no Host header.
  return (
    (host === undefined || ours.test(host)) &&
    (origin === undefined || ours.test(origin.replace(/^https?:\/\//, '')))
  );
}

function facts(request: IncomingMessage, more: Partial<Facts>): Facts {
  const { method, httpVersion } = request;
  return {
    api: null,
    endpoint: null,
    turn: false,
    method:
      method === 'GET' || method === 'HEAD' || method === 'POST' || method === 'CONNECT'
        ? method
        : 'other',
    http: httpVersion === '1.0' ? '1.0' : '1.1',
    status: null,
    fault: null,
    unread: null,
    outside: null,
    body_bytes: 0,
    decoded_bytes: 0,
    encoding: 'identity',
    headers: request.headers,
    ...more,
  };
}

function report({ count, onRequest }: WireOptions, facts: Facts, reading: Reading | null): void {
  onRequest(digest(facts, reading, count));
}

/** Host and port of a URL, when they have the form of one; the path is nobody's business. */
function outside(url: string, port: number): string | null {
  try {
    const { hostname, port: given } = new URL(url, 'http://x');
    return /^[a-z0-9.-]{1,253}$/.test(hostname) ? `${hostname}:${given || port}` : null;
  } catch {
    return null;
  }
}

interface Received {
  size: number;
  decoded: number | null;
  encoding: RequestDigest['encoding'];
  bytes: Buffer;
  unread: 'too-large' | 'bad-encoding' | 'aborted' | null;
}

const ENCODINGS = ['identity', 'gzip', 'deflate', 'br', 'zstd'] as const;
const limit = { maxOutputLength: MAX_BODY_BYTES };
const DECODERS: Readonly<Record<string, ((bytes: Buffer) => Promise<Buffer>) | undefined>> = {
  gzip: (bytes) => promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.gunzip)(bytes, limit),
  deflate: (bytes) => promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.inflate)(bytes, limit),
  br: (bytes) => promisify<Buffer, zlib.BrotliOptions, Buffer>(zlib.brotliDecompress)(bytes, limit),
  zstd: (bytes) => promisify<Buffer, zlib.ZstdOptions, Buffer>(zlib.zstdDecompress)(bytes, limit),
};

/** Reads the body to its end, keeps no more of it than may be read, and undoes its encoding. */
async function receive(request: IncomingMessage): Promise<Received> {
  const named = request.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  const encoding = ENCODINGS.find((one) => one === named) ?? 'other';
  const chunks: Buffer[] = [];
  let size = 0;
  const nothing = { decoded: null, encoding, bytes: Buffer.alloc(0) } as const;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size <= MAX_BODY_BYTES) chunks.push(chunk);
      else chunks.length = 0;
    }
  } catch {
    return { ...nothing, size, unread: 'aborted' };
  }
  if (size > MAX_BODY_BYTES) return { ...nothing, size, unread: 'too-large' };
  const raw = Buffer.concat(chunks);
  if (encoding === 'identity') return { size, decoded: size, encoding, bytes: raw, unread: null };
  try {
    const decode = DECODERS[encoding];
    if (decode === undefined) return { ...nothing, size, unread: 'bad-encoding' };
    const bytes = await decode(raw);
    return { size, decoded: bytes.length, encoding, bytes, unread: null };
  } catch (error) {
    const bomb = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    return { ...nothing, size, unread: bomb ? 'too-large' : 'bad-encoding' };
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true });

function parse(bytes: Buffer): Fields | 'invalid-json' | 'too-deep' {
  try {
    const value: unknown = JSON.parse(decoder.decode(bytes));
    // What parses can still be too deep to be written again, which every digest of it has to do.
    JSON.stringify([[[[value]]]]);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? fields(value)
      : 'invalid-json';
  } catch (error) {
    return error instanceof RangeError ? 'too-deep' : 'invalid-json';
  }
}

/** False when the client went away before the end. */
async function send(response: ServerResponse, answer: Answer, wait: number): Promise<boolean> {
  const stream = answer.type === 'text/event-stream';
  const length = Buffer.byteLength(answer.parts.join(''));
  response.writeHead(answer.status, {
    'content-type': answer.type,
    'cache-control': 'no-store',
    ...(stream ? {} : { 'content-length': length }),
  });
  for (const part of answer.parts) {
    if (wait > 0) await sleep(wait);
    if (response.destroyed) return false;
    response.write(part);
  }
  return new Promise((done) => {
    response.once('close', () => done(response.writableFinished));
    response.end();
  });
}
