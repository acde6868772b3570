// Declares tools and does not know tools/list.
import { send, serve } from './serve.ts';

serve({ 'tools/list': ({ id }) => send({ id, error: { code: -32601, message: 'what?' } }) });
