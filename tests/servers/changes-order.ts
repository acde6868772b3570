import { send, serve, TOOLS } from './serve.ts';

let listings = 0;
serve({
  'tools/list': ({ id }) =>
    send({ id, result: { tools: listings++ === 0 ? TOOLS : TOOLS.toReversed() } }),
});
