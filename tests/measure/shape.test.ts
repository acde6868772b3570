import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serialise, shapeTools } from '../../src/measure/shape.ts';

const tool = {
  title: 'Weighs',
  name: 'weigh',
  inputSchema: { type: 'object' },
  description: 'Weighs a thing.',
  annotations: { readOnlyHint: true },
};
const sent = (tools: Parameters<typeof shapeTools>[0], shape: Parameters<typeof shapeTools>[1]) =>
  serialise(shapeTools(tools, shape, 's').map((one) => one.sent));

test('puts a tool into each client shape, keys in the order the client sends them', () => {
  assert.equal(
    sent([tool], 'anthropic'),
    '[{"name":"mcp__s__weigh","description":"Weighs a thing.","input_schema":{"type":"object"}}]',
  );
  assert.equal(
    sent([tool], 'openai'),
    '[{"type":"function","function":{"name":"mcp__s__weigh","description":"Weighs a thing.","parameters":{"type":"object"}}}]',
  );
  assert.equal(sent([tool], 'raw'), JSON.stringify([tool]));
});

test('leaves out the key of a description or schema that the server did not give', () => {
  assert.equal(sent([{ name: 'a' }], 'anthropic'), '[{"name":"mcp__s__a"}]');
  assert.equal(
    sent([{ name: 'a' }], 'openai'),
    '[{"type":"function","function":{"name":"mcp__s__a"}}]',
  );
  assert.equal(
    sent([{ name: 'a', description: '' }], 'anthropic'),
    '[{"name":"mcp__s__a","description":""}]',
  );
});
