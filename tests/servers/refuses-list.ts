import { send, serve } from './serve.ts';

serve({
  'tools/list': ({ id }) => send({ id, error: { code: -32603, message: 'no database' } }),
});
