// Logs to stdout: a banner in Latin-1, JSON that is not JSON-RPC, an empty line.
import { send, serve, TOOLS } from './serve.ts';

process.stdout.write(
  Buffer.from('Caf\xe9 server ready\n{"level":"info","msg":"up"}\n\n', 'latin1'),
);
serve({
  'tools/list': ({ id }) => {
    console.log('listing tools');
    send({ id, result: { tools: TOOLS } });
  },
});
