import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { o200k } from '../../src/measure/o200k.ts';
import { slim } from '../../src/measure/slim.ts';

const tokenizer = o200k();
const address = {
  type: 'object',
  properties: {
    street: { type: 'string', description: 'The street and the number of the house' },
    city: { type: 'string', description: 'The city, town or village by its official name' },
  },
  required: ['street', 'city'],
};
const tool = (inputSchema: unknown) => ({ name: 't', inputSchema });
const slimmed = (inputSchema: unknown) => slim([tool(inputSchema)], { tokenizer });

test('hoists what a schema repeats into its own $defs, under the name of its property', () => {
  const schema = { type: 'object', properties: { home: address, work: address, old: address } };
  const { tools, hoisted, newlyReferring } = slimmed(schema);
  assert.equal(hoisted, 1);
  assert.deepEqual(newlyReferring, ['t']);
  const ref = { $ref: '#/$defs/home' };
  assert.deepEqual(tools[0]?.inputSchema, {
    type: 'object',
    properties: { home: ref, work: ref, old: ref },
    $defs: { home: address },
  });
});

test('drops definitions that nothing refers to, also those that refer to each other alone', () => {
  const kept = { type: 'string', enum: ['a'] };
  const schema = {
    type: 'object',
    properties: { a: { $ref: '#/$defs/a' } },
    $defs: {
      a: { anyOf: [{ $ref: '#/$defs/b' }] },
      b: kept,
      c: { $ref: '#/$defs/d' },
      d: { $ref: '#/$defs/c' },
    },
    definitions: { e: kept },
  };
  const { tools, dropped, newlyReferring } = slimmed(schema);
  assert.equal(dropped, 3);
  assert.deepEqual(newlyReferring, []);
  assert.deepEqual(tools[0]?.inputSchema, {
    type: 'object',
    properties: { a: { $ref: '#/$defs/a' } },
    $defs: { a: { anyOf: [{ $ref: '#/$defs/b' }] }, b: kept },
  });
});

test('keeps a definition that refers to itself, and one that only the root refers to', () => {
  const tree = { type: 'object', properties: { below: { items: { $ref: '#/$defs/tree' } } } };
  for (const schema of [
    { type: 'object', $ref: '#/$defs/tree', $defs: { tree } },
    { type: 'object', properties: { self: { $ref: '#' } } },
  ]) {
    assert.deepEqual(slimmed(schema).tools[0]?.inputSchema, schema);
  }
});

test('leaves data that looks like a schema alone', () => {
  const data = { enum: [address, address, address], default: address, const: address };
  const schema = {
    type: 'object',
    properties: { $ref: { type: 'string' }, a: data, examples: data },
  };
  const made = slimmed(schema).tools[0]?.inputSchema;
  assert.deepEqual(expandTop(made), schema);
  assert.doesNotMatch(JSON.stringify(made), /"enum":\[\{"\$ref/);
});

test('does not touch a schema whose parts have addresses of their own', () => {
  const twice = { properties: { a: address, b: address, c: address } };
  for (const extra of [
    { properties: { ...twice.properties, d: { $ref: '#/properties/a' } } },
    { ...twice, $anchor: 'x' },
    { properties: { ...twice.properties, d: { $id: 'https://example.org/d' } } },
    { properties: { ...twice.properties, d: { $ref: 'other.json' } } },
    { ...twice, $dynamicRef: '#x' },
  ]) {
    const { tools, untouched } = slimmed({ type: 'object', ...extra });
    assert.deepEqual(untouched, ['t']);
    assert.deepEqual(tools[0]?.inputSchema, { type: 'object', ...extra });
  }
  assert.equal(slimmed({ $id: 'https://example.org/t', ...twice }).hoisted, 1);
});

test('hoists only what saves tokens, and never makes a catalogue larger', () => {
  const short = { type: 'string' };
  const schema = { type: 'object', properties: { a: short, b: short, c: short, d: short } };
  assert.equal(slimmed(schema).hoisted, 0);
  assert.equal(slimmed(undefined).tools[0]?.inputSchema, undefined);
  assert.deepEqual(slimmed(true).tools[0]?.inputSchema, true);
});

test('a slim schema says the same as the whole one, whatever it is', () => {
  const { schema } = fc.letrec<{ schema: Record<string, unknown> }>((tie) => ({
    schema: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom<Record<string, unknown>>(
        address,
        { type: 'integer', minimum: 0 },
        { enum: [1, 2] },
      ),
      fc.record(
        {
          type: fc.constant('object'),
          properties: fc.dictionary(
            fc.constantFrom('a', 'b', '$ref', '$defs', 'x y', '__proto__'),
            tie('schema'),
            { maxKeys: 4 },
          ),
          anyOf: fc.array(tie('schema'), { maxLength: 3 }),
          items: fc.oneof(tie('schema'), fc.array(tie('schema'), { maxLength: 2 })),
          additionalProperties: fc.oneof(fc.boolean(), tie('schema')),
        },
        { requiredKeys: ['type'] },
      ),
    ),
  }));
  const count = (value: unknown) => tokenizer.count(JSON.stringify(value));
  fc.assert(
    fc.property(schema, (made) => {
      const whole: unknown = JSON.parse(JSON.stringify(made));
      const { tools } = slimmed(whole);
      const slimSchema = tools[0]?.inputSchema;
      // Compared as text: deepEqual would pass over a key called __proto__.
      assert.equal(JSON.stringify(expandTop(slimSchema)), JSON.stringify(expandTop(whole)));
      assert.ok(count(slimSchema) <= count(whole));
    }),
    { numRuns: 150 },
  );
});

/** Properties may be called $ref and $defs here, so only what slim itself writes is expanded. */
function expandTop(schema: unknown): unknown {
  const defs = Object(schema).$defs as Record<string, unknown> | undefined;
  const swap = (one: unknown): unknown => {
    if (typeof one !== 'object' || one === null) return one;
    if (Array.isArray(one)) return one.map(swap);
    const { $ref } = one as { $ref?: unknown };
    if (typeof $ref === 'string') return swap(Object(defs)[$ref.split('/')[2]!]);
    return Object.fromEntries(Object.entries(one).map(([key, value]) => [key, swap(value)]));
  };
  const { $defs: _, ...rest } = Object(schema) as Record<string, unknown>;
  return swap(rest);
}
