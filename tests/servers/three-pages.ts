import { send, serve } from './serve.ts';

serve({
  'tools/list': ({ id, params }) => {
    const page = Number(params?.cursor ?? 1);
    const tools = [{ name: `tool_${page}`, inputSchema: { type: 'object' } }];
    send({ id, result: { tools, ...(page < 3 ? { nextCursor: `${page + 1}` } : {}) } });
  },
});
