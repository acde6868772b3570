import { send, serve } from './serve.ts';

const tools = Array.from({ length: 2000 }, (_, i) => ({
  name: `tool_${i}`,
  description: 'word '.repeat(2000),
  inputSchema: { type: 'object' },
}));
serve({ 'tools/list': ({ id }) => send({ id, result: { tools } }) });
