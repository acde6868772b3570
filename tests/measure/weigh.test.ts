import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEEPEST } from '../../src/measure/repeats.ts';
import { createTokenizer } from '../../src/measure/tokens.ts';
import { tokensMethod, weigh } from '../../src/measure/weigh.ts';

/** One token a character, so that every count below can be read off the text. */
const characters = createTokenizer(
  {
    patterns: ['[^]'],
    ranks: new Map(Array.from({ length: 128 }, (_, i) => [String.fromCharCode(i), i])),
  },
  'characters',
);
const options = { shape: 'anthropic', server: 's', tokenizer: characters } as const;

test('splits a catalogue into names, descriptions, schemas and what stands between', () => {
  const tools = [
    { name: 'a', description: 'four', inputSchema: { type: 'object' } },
    { name: 'longer', description: '', inputSchema: { type: 'object', required: ['x'] } },
    { name: 'bare' },
  ];
  const text =
    '[{"name":"mcp__s__a","description":"four","input_schema":{"type":"object"}},' +
    '{"name":"mcp__s__longer","description":"","input_schema":{"type":"object","required":["x"]}},' +
    '{"name":"mcp__s__bare"}]';
  const name = 'mcp__s__a'.length + 'mcp__s__longer'.length + 'mcp__s__bare'.length;
  const schema = '{"type":"object"}'.length + '{"type":"object","required":["x"]}'.length;
  const weight = weigh(tools, options);
  assert.equal(weight.bytes, text.length);
  assert.deepEqual(weight.tokens, {
    total: text.length,
    name,
    description: 4,
    schema,
    punctuation: text.length - name - schema - 4,
  });
  assert.deepEqual(
    weight.perTool.map((tool) => [tool.name, tool.total, tool.name_tokens, tool.schema_tokens]),
    [
      ['longer', 92, 14, 34],
      ['a', 74, 9, 17],
      ['bare', 23, 12, 0],
    ],
  );
  assert.equal(tokensMethod(weight), 'tokens/characters/anthropic/compact@1');
});

test('counts other fields in the raw shape as what stands between', () => {
  const tool = { name: 'a', title: 'T'.repeat(50) };
  const { tokens } = weigh([tool], { ...options, shape: 'raw' });
  assert.deepEqual(tokens, {
    total: JSON.stringify([tool]).length,
    name: 1,
    description: 0,
    schema: 0,
    punctuation: JSON.stringify([tool]).length - 1,
  });
});

test('reports $defs alone: definitions that were seen before, and schemas with each emptied', () => {
  const node = { type: 'object', title: 'n'.repeat(80) };
  const own = (of: string) => ({ type: 'object', $defs: { node, [of]: { const: of } } });
  const schemas = [own('x'), own('y'), own('x'), { type: 'object', $defs: {} }];
  const tools = schemas.map((inputSchema, i) => ({ name: `t${i}`, inputSchema }));
  const { defs } = weigh(tools, options).duplicates;
  const emptied = '{"type":"object","$defs":{}}'.length;
  assert.deepEqual(defs, {
    names: ['node', 'x', 'y'],
    copies: 4,
    redundantBytes: 2 * JSON.stringify(node).length + '{"const":"x"}'.length,
    schemaBytes: JSON.stringify(schemas).length,
    schemaTokens: JSON.stringify(schemas).length,
    schemaTokensWithout: 4 * emptied + 5,
  });
});

test('takes a $defs that is no object for what it is, and schemas that are no objects', () => {
  const tools = [null, true, [], { $defs: [] }, { $defs: null }, { $defs: 1 }].map((schema) => ({
    name: 't',
    inputSchema: schema,
  }));
  const { defs } = weigh(tools, options).duplicates;
  assert.deepEqual([defs.copies, defs.names, defs.redundantBytes], [0, [], 0]);
  assert.equal(defs.schemaTokens, defs.schemaTokensWithout);
});

test('weighs an empty catalogue as the two brackets that are sent', () => {
  const { tools, bytes, tokens, perTool } = weigh([], options);
  assert.deepEqual([tools, bytes, tokens.total, tokens.punctuation, perTool], [0, 2, 2, 2, []]);
});

test('refuses a schema nested deeper than the limit instead of running out of stack', () => {
  const deep = (levels: number): unknown => {
    let schema: unknown = {};
    for (let i = 1; i < levels; i++) schema = { not: schema };
    return schema;
  };
  // The list and the tool are two levels of their own.
  assert.equal(weigh([{ name: 't', inputSchema: deep(DEEPEST - 2) }], options).tools, 1);
  for (const levels of [DEEPEST - 1, 100_000]) {
    assert.throws(() => weigh([{ name: 't', inputSchema: deep(levels) }], options), {
      name: 'RangeError',
      message: /nested deeper than 1000 levels at \/0\/input_schema\/not/,
    });
  }
});
