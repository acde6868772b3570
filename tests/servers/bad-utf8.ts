// A description in Latin-1 inside an otherwise sound answer.
import { serve, TOOLS } from './serve.ts';

serve({
  'tools/list': ({ id }) => {
    const tools = [{ ...TOOLS[0], description: 'Caf\xe9' }];
    const line = `${JSON.stringify({ jsonrpc: '2.0', id, result: { tools } })}\n`;
    process.stdout.write(Buffer.from(line, 'latin1'));
  },
});
