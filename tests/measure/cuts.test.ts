import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cutsOf } from '../../src/measure/cuts.ts';
import { o200k } from '../../src/measure/o200k.ts';
import { weigh } from '../../src/measure/weigh.ts';

const as = { shape: 'anthropic', server: 'own', tokenizer: o200k() } as const;
const page = { type: 'object', properties: { title: { type: 'string', description: 'A title' } } };

test('what loses least comes first, in each kind what saves most; each saving is that of the whole list', () => {
  const tools = [
    {
      name: 'big',
      description: 'Says a lot about itself, and then a little more.',
      inputSchema: { type: 'object', $defs: { unused: page }, properties: { a: page, b: page } },
    },
    { name: 'small', inputSchema: { type: 'object' } },
  ];
  const weight = weigh(tools, as);
  const cuts = cutsOf(tools, weight, as);
  assert.deepEqual(
    cuts.map(({ kind }) => kind),
    ['unused', 'description', 'tool', 'tool'],
  );
  const { $defs: _, ...without } = tools[0]!.inputSchema;
  const pruned = weigh([{ ...tools[0]!, inputSchema: without }, tools[1]!], as);
  assert.equal(cuts[0]?.saves, weight.tokens.total - pruned.tokens.total);
  assert.equal(cuts[0]?.parts, 1);
  assert.deepEqual(cuts[2]?.tools, ['big']);
});

test('repeats that are worth it are hoisted, and tools that would refer for the first time are named', () => {
  const fields = Object.fromEntries([...'abcdef'].map((key) => [key, page]));
  const tools = [{ name: 'again', inputSchema: { type: 'object', properties: fields } }];
  const [first] = cutsOf(tools, weigh(tools, as), as);
  assert.equal(first?.kind, 'repeats');
  assert.deepEqual(first?.tools, ['again']);
  assert.ok((first?.saves ?? 0) > 0);
});

test('a description that is next to nothing of the whole is no cut', () => {
  const long = Object.fromEntries(
    Array.from({ length: 60 }, (_, i) => [`field_${i}`, { type: 'string', title: `Field ${i}` }]),
  );
  const tools = [
    { name: 'wide', description: 'Short.', inputSchema: { type: 'object', properties: long } },
  ];
  assert.deepEqual(
    cutsOf(tools, weigh(tools, as), as).map(({ kind }) => kind),
    ['tool'],
  );
});

test('a catalogue with nothing to cut has no cut but its one tool', () => {
  const tools = [{ name: 'only' }];
  assert.deepEqual(
    cutsOf(tools, weigh(tools, as), as).map(({ kind }) => kind),
    ['tool'],
  );
});
