// Speaks only 2026-07-28, says how long its discovery may be kept, and asks for roots although
// that revision forbids it.
import { send, serve, TOOLS } from './serve.ts';

const VERSION = 'io.modelcontextprotocol/protocolVersion';
serve({
  initialize: ({ id }) => send({ id, error: { code: -32601, message: 'Method not found' } }),
  'server/discover': ({ id }) => {
    send({ id: 'roots', method: 'roots/list' });
    const versions = { supportedVersions: ['2026-07-28'], capabilities: { tools: {} } };
    send({ id, result: { ...versions, ttlMs: 500, cacheScope: 'public' } });
  },
  'tools/list': ({ id, params }) => {
    const { _meta } = params as { _meta?: Record<string, unknown> };
    if (_meta?.[VERSION] === '2026-07-28') send({ id, result: { tools: TOOLS } });
    else send({ id, error: { code: -32602, message: 'Invalid params' } });
  },
  reply: () => process.exit(1),
});
