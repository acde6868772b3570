// Speaks a later protocol too: once `server/discover` was asked, it refuses `initialize`. And it
// tells in a description all that it was asked.
import { send, serve } from './serve.ts';

let discovered = false;
const asked: string[] = [];
serve({
  'server/discover': ({ id }) => {
    discovered = true;
    send({ id, result: {} });
  },
  initialize: ({ id, params }) => {
    asked.push(`initialize ${JSON.stringify(params)}`);
    if (discovered) return send({ id, error: { code: -32022, message: 'pinned to 2026-07-28' } });
    send({ id, result: { protocolVersion: '2025-11-25', capabilities: { tools: {} } } });
  },
  'notifications/initialized': () => asked.push('notifications/initialized'),
  'tools/list': ({ id, params }) => {
    asked.push(`tools/list ${id} ${JSON.stringify(params)}`);
    const tools = [
      { name: 'asked', description: asked.join('\n'), inputSchema: { type: 'object' } },
    ];
    send({ id, result: { tools } });
  },
});
