/**
 * The well-behaved core of the fixture servers: MCP over stdio, by hand, so that each of them can
 * misbehave in just one way. It must not use the project's own code, which it is there to test.
 */
import { createInterface } from 'node:readline';

export type Request = {
  id?: number | string;
  method?: string;
  params?: { cursor?: string; capabilities?: object };
  result?: unknown;
  error?: { code: number };
};
type Handler = (request: Request) => void;

export const TOOLS = [
  {
    name: 'weigh',
    description: 'Weighs a thing.',
    inputSchema: { type: 'object', properties: {} },
  },
  { name: 'tare', description: 'Sets to zero.', inputSchema: { type: 'object', properties: {} } },
];

export function send(message: object): void {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

/** Answers initialize and tools/list well, and knows no server/discover, except where `own` has a handler for the method. */
export function serve(own: Record<string, Handler> = {}, server: object = {}): void {
  const handlers: Record<string, Handler> = {
    initialize: ({ id }) =>
      send({
        id,
        result: {
          protocolVersion: '2025-11-25',
          capabilities: { tools: {} },
          serverInfo: { name: 'fixture', version: '1.0.0' },
          ...server,
        },
      }),
    'tools/list': ({ id }) => send({ id, result: { tools: TOOLS } }),
    'server/discover': ({ id }) =>
      send({ id, error: { code: -32601, message: 'Method not found' } }),
    ...own,
  };
  createInterface({ input: process.stdin }).on('line', (line) => {
    const request: Request = JSON.parse(line);
    handlers[request.method ?? 'reply']?.(request);
  });
}
