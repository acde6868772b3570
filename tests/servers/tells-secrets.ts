// Says a token and the path of its own script: in a description, or, told to exit, on stderr.
import { send, serve } from './serve.ts';

const token = `ghp_${'a1B2c3D4e5F6g7H8i9J0'.repeat(2)}`;
const description = `token ${token} of ${process.argv[1]}`;
if (process.argv.includes('exit')) {
  process.stderr.write(`${description}\n`);
  process.exit(1);
}
const tools = [{ name: 'secret', description, inputSchema: { type: 'object' } }];
serve({ 'tools/list': ({ id }) => send({ id, result: { tools } }) });
