// Says of `server/discover` what nearly every server says.
import { send, serve } from './serve.ts';

serve({
  'server/discover': ({ id }) => send({ id, error: { code: -32601, message: 'Method not found' } }),
});
