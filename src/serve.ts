/**
 * Serves the built site on this machine: the intake, then static files with the headers that a host
 * should send. It must never run what it serves, nor be reachable from another machine.
 */

import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Files } from './files.ts';
import { readOnly } from './intake/answer.ts';
import type { Mounted } from './intake/mount.ts';
import { HEADER_POLICY } from './policy.ts';
import { Problem } from './problem.ts';
import { rewrite } from './rewrite.ts';

/** Both loopback addresses: a browser and curl may each mean another one by `localhost`. */
const HOSTS = ['127.0.0.1', '::1'];

/** What one client may take up: of headers in bytes, of time in milliseconds. */
const LIMITS = {
  maxHeaderSize: 16_384,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 5_000,
};
const MOST_CONNECTIONS = 1_024;
/** Milliseconds that a request which was begun has to end when the server stops. */
const GRACE = 5_000;

/** A server that holds its port from the beginning, so that nobody takes it while the site is built. */
export interface Serving {
  port: number;
  /**
   * From now on the built site is served, and before it what `mount` makes for its files; until then
   * each request is answered 503. Throws as `mount` does.
   */
  open(dist: string, mount?: (files: Files) => Mounted): void;
  /** Takes no more, finishes what was begun, for some seconds at most, and then resolves. */
  close(): Promise<void>;
}

/**
 * Takes a port on loopback (0: any free one) for a site under `base` (`''` or `/sub`). Throws Problem
 * `serve.port-taken` or `serve.port-refused`.
 */
export async function serve(
  port: number,
  base: string,
  { log = null }: { log?: ((line: string) => void) | null } = {},
): Promise<Serving> {
  let answer: Respond | null = null;
  let intake: Mounted | null = null;
  /** What is being answered. */
  const open = new Set<ServerResponse>();
  let stopping = false;
  const answering = around(() => answer, base, log);
  const respond: Respond = (request, response) => {
    open.add(response);
    response.on('close', () => open.delete(response));
    if (stopping) last(response);
    return answering(request, response);
  };
  const servers: Server[] = [];
  const close = async () => {
    // Else who asks on and on over one connection would be answered until it is cut.
    stopping = true;
    for (const response of open) last(response);
    await Promise.all(
      servers.map(async (server) => {
        const closed = new Promise((done) => server.close(done));
        server.closeIdleConnections();
        const late = setTimeout(() => server.closeAllConnections(), GRACE);
        await closed;
        clearTimeout(late);
      }),
    );
    await intake?.close();
  };
  try {
    for (const host of HOSTS) {
      const server = createServer(LIMITS, respond);
      server.maxConnections = MOST_CONNECTIONS;
      const taken = await listen(server, servers.length === 0 ? port : portOf(servers[0]!), host);
      if (taken) servers.push(server);
    }
  } catch (error) {
    await close();
    throw error;
  }
  return {
    port: portOf(servers[0]!),
    open: (dist, mount) => {
      const files = new Files(dist);
      intake = mount?.(files) ?? null;
      answer = pages(files, intake, base);
    },
    close,
  };
}

/** Says that nothing more is answered on this connection. */
function last(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('connection', 'close');
}

const portOf = (server: Server) => (server.address() as AddressInfo).port;

/** False when this machine has no such address (IPv6 may be off). */
function listen(server: Server, port: number, host: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (host !== HOSTS[0] && (error.code === 'EADDRNOTAVAIL' || error.code === 'EAFNOSUPPORT')) {
        resolve(false);
      } else reject(error.code === 'EADDRINUSE' ? taken(port) : refused(port, error));
    });
    server.listen({ port, host, exclusive: true }, () => resolve(true));
  });
}

const another = (port: number) => `Use another one: npm start -- --port ${port + 1}`;
const taken = (port: number) =>
  new Problem('serve.port-taken', `another program already listens on port ${port}`, {
    at: `localhost:${port}`,
    mend: `It may be this site, started before: look at http://localhost:${port}/ or see who it is with \`lsof -i :${port}\`.\n  ${another(port)}`,
  });
const refused = (port: number, cause: NodeJS.ErrnoException) =>
  new Problem('serve.port-refused', `port ${port} can't be had: ${cause.message}`, {
    at: `localhost:${port}`,
    mend: another(Math.max(port, 1024)),
    cause,
  });

function notYet(_request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(503, { 'content-type': 'text/plain; charset=utf-8', 'retry-after': '5' });
  response.end('The site is being built. It opens here in a few seconds.\n');
}

/** What a browser is told of every answer; public/_headers tells other hosts the same. */
export const SECURITY = {
  'content-security-policy': HEADER_POLICY,
  'x-content-type-options': 'nosniff',
  // Under no-referrer a browser names no origin for a form of our own page either.
  'referrer-policy': 'same-origin',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
};

type Respond = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

/** The built site under its base, behind the intake where there is one. */
function pages(files: Files, intake: Mounted | null, base: string): Respond {
  return async (request, response) => {
    const url = request.url ?? '/';
    if (url !== base && !url.startsWith(`${base}/`)) {
      if (url === '/') response.writeHead(302, { location: `${base}/` }).end();
      else await files.answer(request, response, null);
      return;
    }
    const asked = url.slice(base.length) || '/';
    const [path = '/', query = ''] = asked.split('?');
    if (intake !== null && (await intake.answer(request, response, asked))) return;
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      const told = readOnly(path);
      response.writeHead(told.status, Object.fromEntries(told.headers));
      response.end(await told.text());
      return;
    }
    await files.answer(request, response, rewrite(path, new URLSearchParams(query)) ?? path);
  };
}

/**
 * Wraps what answers: an id and the headers of every answer, the server's own health, a line of JSON
 * a request where `log` is given, and an answer even where something of ours broke. No line holds an
 * address, a query or a header.
 */
function around(
  respond: () => Respond | null,
  base: string,
  log: ((line: string) => void) | null,
): Respond {
  return async (request, response) => {
    const began = performance.now();
    const id = randomUUID();
    response.setHeader('x-request-id', id);
    for (const [name, value] of Object.entries(SECURITY)) response.setHeader(name, value);
    const path = (request.url ?? '/').split('?')[0]!;
    if (log !== null) {
      response.on('close', () => {
        const ms = Math.round((performance.now() - began) * 10) / 10;
        const { method } = request;
        const status = response.writableFinished ? response.statusCode : null;
        log(`${JSON.stringify({ ts: new Date().toISOString(), id, method, path, status, ms })}\n`);
      });
    }
    if (request.rawHeaders.filter((name, at) => at % 2 === 0 && /^host$/i.test(name)).length > 1) {
      response.writeHead(400, { 'content-type': 'text/plain', connection: 'close' });
      response.end('A request names one host.\n');
      return;
    }
    const open = respond();
    if (path === `${base}/healthz`) {
      response.writeHead(open === null ? 503 : 200, {
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'no-store',
      });
      response.end(`${JSON.stringify({ ok: open !== null })}\n`);
      return;
    }
    try {
      await (open ?? notYet)(request, response);
    } catch (error) {
      process.stderr.write(`request ${id}: ${(error as Error).stack}\n`);
      if (response.headersSent) response.destroy();
      else response.writeHead(500, { 'content-type': 'text/plain' }).end('Something broke here.\n');
    }
  };
}
