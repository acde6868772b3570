// Every cursor is new, and there is always another.
import { send, serve } from './serve.ts';

serve({
  'tools/list': ({ id, params }) =>
    send({ id, result: { tools: [], nextCursor: `${Number(params?.cursor ?? 0) + 1}` } }),
});
