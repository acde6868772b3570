import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  checkCatalogue,
  DEEP_SCHEMA,
  LONG_DESCRIPTION,
  WARNINGS,
} from '../../src/probe/catalogue.ts';

const object = { type: 'object' };
const tool = (name: unknown, inputSchema: unknown = object, description = 'Does.') => ({
  name,
  description,
  inputSchema,
});
const codes = (...tools: unknown[]) => checkCatalogue(tools).map(({ code }) => code);
const schema = (inputSchema: object) => codes(tool('a', { ...object, ...inputSchema }));

test('a sound catalogue has no warnings', () => {
  const $defs = { a: { type: 'string' }, b: { $ref: '#/$defs/a' } };
  const properties = { one: { $ref: '#/$defs/b' }, two: { $ref: '#/$defs/b' } };
  assert.deepEqual(codes(tool('a', { ...object, $defs, properties }), tool('b.c-d_E')), []);
});

test('names that are missing, not allowed, listed twice or alike but for case and marks are told apart', () => {
  assert.deepEqual(codes(tool(undefined), tool(''), tool(7)), Array(3).fill('name-missing'));
  assert.deepEqual(
    codes(tool('a b'), tool('é'), tool('x'.repeat(129))),
    Array(3).fill('name-invalid'),
  );
  assert.deepEqual(codes(tool('x'.repeat(128))), []);
  assert.deepEqual(codes(tool('a'), tool('a')), ['name-duplicate']);
  assert.deepEqual(codes(tool('get-it'), tool('get_it'), tool('getIt')), ['name-collision']);
});

test('what is no tool, and a description that is missing or past the limit, are reported', () => {
  assert.deepEqual(codes(null, 'x', []), Array(3).fill('tool-not-object'));
  assert.deepEqual(codes({ name: 'a', inputSchema: object }), ['description-missing']);
  assert.deepEqual(codes(tool('a', object, 'x'.repeat(LONG_DESCRIPTION))), []);
  assert.deepEqual(codes(tool('a', object, 'x'.repeat(LONG_DESCRIPTION + 1))), [
    'description-long',
  ]);
});

test('a schema that is missing or describes no object is reported', () => {
  assert.deepEqual(codes({ name: 'a', description: 'x' }), ['schema-missing']);
  assert.deepEqual(codes(tool('a', { type: 'string' })), ['schema-not-object']);
  assert.deepEqual(codes(tool('a', 'text')), ['schema-not-object']);
});

test('references that recur, dangle or leave the schema are reported once for each tool', () => {
  assert.deepEqual(schema({ properties: { self: { $ref: '#' } } }), ['ref-recursive']);
  const a = { properties: { b: { $ref: '#/$defs/b' } } };
  const b = { items: { $ref: '#/$defs/a' } };
  assert.deepEqual(schema({ $defs: { a, b } }), ['ref-recursive']);
  assert.deepEqual(schema({ anyOf: [{ $ref: '#/$defs/x' }, { $ref: '#/$defs/y' }] }), [
    'ref-dangling',
  ]);
  assert.deepEqual(schema({ items: { $ref: 'https://example.org/s.json' } }), ['ref-remote']);
});

test('pointers are unescaped, anchors are known, and data that looks like a reference is not one', () => {
  const $defs = { 'a/b~c d': { type: 'string' }, anchored: { $anchor: 'here' } };
  const anyOf = [{ $ref: '#/$defs/a~1b~0c%20d' }, { $ref: '#here' }];
  assert.deepEqual(schema({ $defs, anyOf, default: { $ref: '#/nowhere' } }), []);
  assert.deepEqual(schema({ properties: { default: { $ref: '#/nowhere' } } }), ['ref-dangling']);
  assert.deepEqual(schema({ properties: { $ref: { type: 'string' } } }), []);
});

test('a schema nested without measure is reported, not followed to the end of the stack', () => {
  const nest = (levels: number) =>
    JSON.parse(`${'{"items":'.repeat(levels)}{}${'}'.repeat(levels)}`);
  assert.deepEqual(schema(nest(DEEP_SCHEMA)), []);
  assert.deepEqual(schema(nest(DEEP_SCHEMA + 1)), ['schema-deep']);
  assert.deepEqual(schema(nest(200_000)), ['schema-deep']);
});

test('warnings past the limit are counted, not kept', () => {
  const found = checkCatalogue(Array.from({ length: WARNINGS + 5 }, () => null));
  assert.equal(found.length, WARNINGS + 1);
  assert.deepEqual(found.at(-1), { code: 'more', message: 'and 5 more warnings' });
});
