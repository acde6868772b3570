// Notifications before, between and after, an answer to nothing, and a line longer than a pipe
// holds, written in pieces that end inside a character.
import { setTimeout as sleep } from 'node:timers/promises';
import { send, serve } from './serve.ts';

const notify = () => send({ method: 'notifications/tools/list_changed' });
notify();
serve({
  'tools/list': async ({ id }) => {
    notify();
    send({ id: 77, result: {} });
    const tools = [
      { name: 'long', description: 'é'.repeat(40_000), inputSchema: { type: 'object' } },
    ];
    const bytes = Buffer.from(`${JSON.stringify({ jsonrpc: '2.0', id, result: { tools } })}\n`);
    for (let at = 0; at < bytes.length; at += 20_001) {
      await sleep(5);
      process.stdout.write(bytes.subarray(at, at + 20_001));
    }
    notify();
  },
});
