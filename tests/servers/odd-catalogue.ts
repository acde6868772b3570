// A list with all that a catalogue can have wrong, and nothing that stops it from being read.
import { send, serve, TOOLS } from './serve.ts';

const node = { type: 'object', properties: { child: { $ref: '#/$defs/node' } } };
const tools = [
  ...TOOLS,
  TOOLS[0],
  { name: 'Weigh', description: 'By another case.', inputSchema: { type: 'object' } },
  {
    name: 'tree',
    inputSchema: { type: 'object', $defs: { node }, properties: { n: { $ref: '#/$defs/node' } } },
  },
];
serve({ 'tools/list': ({ id }) => send({ id, result: { tools } }) });
