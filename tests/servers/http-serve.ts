/**
 * The well-behaved core of the HTTP fixtures: MCP over Streamable HTTP, by hand, so that a test can
 * make it misbehave in just one way. It must not use the project's own code, which it is there to
 * test.
 */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Request, TOOLS } from './serve.ts';

export type Asked = {
  verb: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  message: Request & { method: string };
};
/** Answers and returns true, or leaves it to the core. */
export type Own = (asked: Asked, response: ServerResponse) => boolean | undefined;
export type HttpServer = { url: string; asked: Asked[]; [Symbol.asyncDispose](): Promise<void> };

export const SESSION = 'session-1';

/** A JSON body. */
export function json(response: ServerResponse, message: object, status = 200): true {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', ...message }));
  return true;
}

/** The result of a method, as a good server has it; null for what it does not know. */
export function result({ method, params }: Asked['message'], host = ''): object | null {
  if (method === 'initialize') {
    const serverInfo = { name: 'fixture', version: '1.0.0', title: host };
    return { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo };
  }
  if (method !== 'tools/list') return null;
  return params?.cursor === undefined
    ? { tools: TOOLS.slice(0, 1), nextCursor: 'two' }
    : { tools: TOOLS.slice(1) };
}

/** Listens on loopback; refuses what a strict server would refuse. */
export async function serveHttp(own: Own = () => undefined): Promise<HttpServer> {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    const one: Asked = {
      verb: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      body,
      message: body === '' ? {} : JSON.parse(body),
    };
    asked.push(one);
    if (own(one, response) === true) return;
    const { message, headers, verb } = one;
    const accept = headers.accept ?? '';
    if (verb === 'DELETE') return void response.writeHead(204).end();
    if (!accept.includes('application/json') || !accept.includes('text/event-stream')) {
      return void response.writeHead(406).end();
    }
    const first = message.method === 'initialize';
    if (!first && headers['mcp-session-id'] !== SESSION) return void response.writeHead(400).end();
    if (!first && headers['mcp-protocol-version'] !== '2025-11-25') {
      return void response.writeHead(400).end();
    }
    if (message.id === undefined) return void response.writeHead(202).end();
    if (first) response.setHeader('mcp-session-id', SESSION);
    const found = result(message);
    if (found === null) {
      json(response, { id: message.id, error: { code: -32601, message: 'Method not found' } });
    } else json(response, { id: message.id, result: found });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
