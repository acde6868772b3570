import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WeighedServer } from '../../src/measure/figure.ts';
import { builtInFigures, difference, ratio, share, total } from '../../src/measure/figures.ts';

const server = (
  name: string,
  leaf: string,
  tools: number,
  parts: { name: number; description: number; schema: number; punctuation: number },
  more: Partial<WeighedServer> = {},
): WeighedServer => ({
  name,
  package: name,
  version: '1.0.0',
  leaf,
  sha256: '',
  protocol: '2025-11-25',
  sameOrder: true,
  sameBytes: true,
  tools: [],
  weight: {
    shape: 'anthropic',
    tokenizer: 'o200k_base',
    tools,
    bytes: 1000,
    tokens: {
      total: parts.name + parts.description + parts.schema + parts.punctuation,
      ...parts,
    },
    perTool: [],
    duplicates: {
      blocks: [],
      redundantBytes: 250,
      defs: {
        names: ['a'],
        copies: 2,
        redundantBytes: 100,
        schemaBytes: 400,
        schemaTokens: 80,
        schemaTokensWithout: 20,
      },
    },
  },
  ...more,
});
const servers = [
  server('a', 'leaf-a', 2, { name: 10, description: 20, schema: 70, punctuation: 100 }),
  server(
    'b',
    'leaf-b',
    4,
    { name: 20, description: 80, schema: 300, punctuation: 0 },
    { sameOrder: false },
  ),
];
const byId = new Map(builtInFigures(servers).map((figure) => [figure.id, figure]));
const figure = (id: string) => byId.get(id) ?? assert.fail(`no figure ${id}`);

test('gives each server its counts as observed, and shares and ratios as derived', () => {
  assert.deepEqual(figure('servers.a.tokens'), {
    id: 'servers.a.tokens',
    value: 200,
    decimals: 0,
    unit: 'tokens',
    label: 'tokens of the tool definitions',
    method: 'tokens/o200k_base/anthropic/compact@1',
    status: 'observed',
    inputs: ['leaf-a'],
  });
  const expected = {
    tools: 2,
    bytes: 1000,
    parts_tokens: 100,
    punctuation_tokens: 100,
    name_share: 10,
    description_share: 20,
    schema_share: 70,
    tokens_per_tool: 100,
    window_share: 0.1,
    redundant_share: 25,
    defs_copies: 2,
    defs_names: 1,
    defs_share: 25,
    defs_saved_tokens: 60,
    defs_saved_share: 75,
    defs_total_share: 30,
  };
  for (const [measure, value] of Object.entries(expected)) {
    assert.equal(figure(`servers.a.${measure}`).value, value, measure);
    assert.deepEqual(figure(`servers.a.${measure}`).inputs, ['leaf-a']);
  }
  assert.equal(figure('servers.a.schema_share').status, 'derived');
});

test('sums and compares all servers, resting on every capture', () => {
  const expected = {
    count: 2,
    tools: 6,
    tokens: 600,
    schema_share: 74,
    tokens_per_tool: 100,
    tokens_per_tool_min: 100,
    tokens_per_tool_max: 100,
    tokens_per_tool_median: 100,
    tokens_per_tool_spread: 1,
    tokens_median: 300,
    tokens_mean: 300,
    largest_tokens: 400,
    smallest_tokens: 200,
    pearson_tools_tokens: 1,
    r_squared: 100,
    same_order: 1,
    same_bytes: 2,
    with_defs: 2,
    redundant_bytes: 500,
    defs_saved_tokens: 120,
  };
  for (const [measure, value] of Object.entries(expected)) {
    assert.equal(figure(`servers.all.${measure}`).value, value, measure);
    assert.deepEqual(figure(`servers.all.${measure}`).inputs, ['leaf-a', 'leaf-b'], measure);
  }
  assert.equal(figure('servers.all.largest_share').value.toFixed(3), '66.667');
  assert.equal(figure('servers.all.tokens').status, 'observed');
});

test('leaves out what has no value, and gives nothing for no servers', () => {
  assert.deepEqual(builtInFigures([]), []);
  const none = server('n', 'leaf', 0, { name: 0, description: 0, schema: 0, punctuation: 1 });
  const ids = builtInFigures([none]).map(({ id }) => id);
  assert.ok(ids.includes('servers.n.tokens') && ids.includes('servers.all.tokens'));
  for (const id of ['n.tokens_per_tool', 'all.tokens_per_tool_min', 'all.pearson_tools_tokens']) {
    assert.ok(!ids.includes(`servers.${id}`), id);
  }
});

test('gives every figure an id of its own, a versioned method, inputs and a label without digits', () => {
  const all = builtInFigures(servers);
  assert.equal(byId.size, all.length);
  for (const { id, value, method, inputs, label } of all) {
    assert.ok(Number.isFinite(value), id);
    assert.match(method, /^[a-z0-9/_-]+(?:@\d+)(?:\/[a-z]+@\d+)*$/, id);
    assert.ok(inputs.length > 0, id);
    assert.match(label, /^\D+$/, id);
  }
});

test('makes figures of an article from figures: share, ratio, difference and sum', () => {
  const [a, b] = [figure('servers.a.tokens'), figure('servers.b.tokens')];
  assert.deepEqual(share(a, b, 'a in b'), {
    value: 50,
    decimals: 1,
    unit: '%',
    label: 'a in b',
    method: 'share@1',
    status: 'derived',
    inputs: ['leaf-a', 'leaf-b'],
  });
  assert.equal(ratio(b, a, 'b over a').value, 2);
  assert.deepEqual([difference(b, a, 'b less a').value, total([a, b, a], 'sum').value], [200, 800]);
  assert.deepEqual(total([a, a], 'sum').inputs, ['leaf-a']);
  // A sum of counts by one method is a count by it, and says so; of anything else it is arithmetic.
  assert.equal(total([a, b], 'sum').method, `${a.method}/sum@1`);
  assert.equal(total([a, b], 'sum').status, 'observed');
  const mixed = total([a, share(a, b, 'a in b')], 'mixed');
  assert.deepEqual([mixed.method, mixed.status], ['sum@1', 'derived']);
  assert.throws(() => total([], 'nothing'), RangeError);
});
