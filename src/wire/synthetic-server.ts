/**
 * An MCP server over stdio that lists as many tools as it is told to (`--tools 200`), each of one
 * fixed make, so that a client can be seen with more tools than anybody's catalogue has. It stands in
 * for a big catalogue: its tools do nothing, and no figure about real servers may rest on it.
 */
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { fields } from './json.ts';

const { values } = parseArgs({ options: { tools: { type: 'string', default: '200' } } });
const count = Number(values.tools);
if (!Number.isInteger(count) || count < 0 || count > 10_000) {
  process.stderr.write('--tools wants a whole number up to 10000\n');
  process.exit(2);
}

/** About as long as a real tool's: a name, two sentences, four parameters. */
const tool = (index: number) => ({
  name: `synthetic_tool_${String(index).padStart(4, '0')}`,
  description:
    'A synthetic tool that stands in for one of a large catalogue. It takes the place that a real ' +
    'definition would take in a request, and it does nothing when it is called.',
  inputSchema: {
    type: 'object',
    properties: {
      id: { type: 'string', description: 'The identifier of the item to act on.' },
      query: { type: 'string', description: 'Words to search for; all of them must match.' },
      limit: { type: 'integer', minimum: 1, maximum: 100, description: 'How many to return.' },
      verbose: { type: 'boolean', description: 'Whether to return every field.' },
    },
    required: ['id'],
    additionalProperties: false,
  },
});

function result(method: unknown, params: unknown): unknown {
  switch (method) {
    case 'initialize':
      return {
        protocolVersion: fields(params)['protocolVersion'] ?? '2025-06-18',
        capabilities: { tools: {} },
        serverInfo: { name: 'synthetic', version: '1.0.0' },
      };
    case 'tools/list':
      return { tools: Array.from({ length: count }, (_, index) => tool(index)) };
    case 'tools/call':
      return { content: [{ type: 'text', text: 'nothing was done' }], isError: true };
    case 'ping':
      return {};
    default:
      return undefined;
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  let message: ReturnType<typeof fields>;
  try {
    message = fields(JSON.parse(line));
  } catch {
    continue;
  }
  const { id, method, params } = message;
  if (id === undefined || method === undefined) continue;
  const answer = result(method, params);
  const body =
    answer === undefined
      ? { error: { code: -32601, message: 'no such method' } }
      : { result: answer };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...body })}\n`);
}
