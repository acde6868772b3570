import { send, serve } from './serve.ts';

serve({ 'tools/list': ({ id }) => send({ id, result: { tools: 'none today' } }) });
