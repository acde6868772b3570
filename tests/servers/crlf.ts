import { serve, TOOLS } from './serve.ts';

serve({
  'tools/list': ({ id }) =>
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result: { tools: TOOLS } })}\r\n`),
});
