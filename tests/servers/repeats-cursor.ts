import { send, serve, TOOLS } from './serve.ts';

serve({ 'tools/list': ({ id }) => send({ id, result: { tools: TOOLS, nextCursor: 'again' } }) });
