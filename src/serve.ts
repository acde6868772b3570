/**
 * Serves the built site on this machine: static files with the headers that a host should send.
 * It must never run what it serves, nor be reachable from another machine.
 */

import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import sirv from 'sirv';
import { Problem } from './problem.ts';

/** Both loopback addresses: a browser and curl may each mean another one by `localhost`. */
const HOSTS = ['127.0.0.1', '::1'];

/** A server that holds its port from the beginning, so that nobody takes it while the site is built. */
export interface Serving {
  port: number;
  /** From now on the built site is served; until then each request is answered 503. */
  open(dist: string): void;
  /** Resolves when no connection is left. */
  close(): Promise<void>;
}

/**
 * Takes a port on loopback (0: any free one) for a site under `base` (`''` or `/sub`). Throws Problem
 * `serve.port-taken` or `serve.port-refused`.
 */
export async function serve(port: number, base: string): Promise<Serving> {
  let answer = notYet;
  const servers: Server[] = [];
  const close = async () => {
    await Promise.all(
      servers.map((server) => {
        server.closeAllConnections();
        return new Promise((done) => server.close(done));
      }),
    );
  };
  try {
    for (const host of HOSTS) {
      const server = createServer({ requestTimeout: 30_000 }, (request, response) =>
        answer(request, response),
      );
      const taken = await listen(server, servers.length === 0 ? port : portOf(servers[0]!), host);
      if (taken) servers.push(server);
    }
  } catch (error) {
    await close();
    throw error;
  }
  return {
    port: portOf(servers[0]!),
    open: (dist) => {
      answer = files(dist, base);
    },
    close,
  };
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

/** The log's own files; what else stands under /ledger/ is pages. */
const LOG = /^\/ledger\/(?:checkpoint$|origin$|vkey$|checkpoints\/|entries\/|blobs\/|proof\/)/;

/** What a file is called decides what it is served as; captured bytes are text, whatever they say. */
function headersOf(path: string): Record<string, string> {
  const headers: Record<string, string> = {};
  if (path.startsWith('/ledger/tile/')) headers['content-type'] = 'application/octet-stream';
  else if (LOG.test(path)) headers['content-type'] = 'text/plain; charset=utf-8';
  else if (path.endsWith('.xml')) headers['content-type'] = 'application/atom+xml; charset=utf-8';
  else if (path.endsWith('.csv')) headers['content-type'] = 'text/csv; charset=utf-8';
  else if (path.endsWith('.md')) headers['content-type'] = 'text/markdown; charset=utf-8';
  else if (path.endsWith('.json')) headers['content-type'] = 'application/json; charset=utf-8';
  if (path.startsWith('/ledger/') || /\.(?:csv|json|md|xml)$/.test(path)) {
    headers['access-control-allow-origin'] = '*';
  }
  headers['cache-control'] = path.startsWith('/_astro/')
    ? 'public, max-age=31536000, immutable'
    : 'no-cache';
  return headers;
}

function files(dist: string, base: string) {
  const missing = readFileSync(join(dist, '404.html'));
  const find = sirv(dist, {
    etag: true,
    extensions: ['html'],
    setHeaders: (response, path) => {
      for (const [name, value] of Object.entries(headersOf(path))) response.setHeader(name, value);
    },
  });
  return (request: IncomingMessage, response: ServerResponse): void => {
    response.setHeader('x-content-type-options', 'nosniff');
    response.setHeader('referrer-policy', 'no-referrer');
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.writeHead(405, { allow: 'GET, HEAD' }).end();
      return;
    }
    const url = request.url ?? '/';
    const notFound = () => {
      response.writeHead(404, { 'content-type': 'text/html; charset=utf-8' });
      response.end(request.method === 'HEAD' ? undefined : missing);
    };
    if (url === base || url.startsWith(`${base}/`)) {
      request.url = url.slice(base.length) || '/';
      find(request, response, notFound);
    } else if (url === '/') {
      response.writeHead(302, { location: `${base}/` }).end();
    } else notFound();
  };
}
