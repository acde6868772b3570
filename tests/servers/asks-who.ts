// Lists more tools for a client that declared more, and none before the handshake is finished.
import { send, serve, TOOLS } from './serve.ts';

let tools: object[] = [];
let capabilities: object = {};
serve({
  initialize: ({ id, params }) => {
    capabilities = params?.capabilities ?? {};
    send({ id, result: { protocolVersion: '2025-11-25', capabilities: { tools: {} } } });
  },
  'notifications/initialized': () => {
    tools = [...TOOLS, ...Object.keys(capabilities).map((name) => ({ name }))];
  },
  'tools/list': ({ id }) => send({ id, result: { tools } }),
});
