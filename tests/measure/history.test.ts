import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Tool } from '../../src/measure/figure.ts';
import {
  compareReleases,
  type History,
  measureCatalogue,
  releaseFigures,
} from '../../src/measure/history.ts';
import { o200k } from '../../src/measure/o200k.ts';
import { weigh } from '../../src/measure/weigh.ts';

const as = (server: string) => ({ shape: 'anthropic', server, tokenizer: o200k() }) as const;
const tool = (name: string, description: string): Tool => ({
  name,
  description,
  inputSchema: { type: 'object' },
});
/** A history whose releases list these tools. */
const history = (name: string, ...catalogues: Tool[][]): History => ({
  name,
  package: name,
  releases: compareReleases(
    catalogues.map((tools, i) => ({
      version: `1.${i}.0`,
      leaf: `${name}-${i}`,
      sha256: `payload-${i}`,
      catalogue: measureCatalogue(tools, as(name)),
    })),
  ),
});

const old = [tool('a', 'One word.'), tool('b', 'Two words.')];
const grown = [tool('a', 'One word and then many more of them.'), tool('c', 'New here.')];
const a = history('a', old, old, grown);
const b = history('b', grown, old);
const figures = new Map(releaseFigures([a, b]).map((figure) => [figure.id, figure]));
const value = (id: string) => figures.get(id)?.value ?? assert.fail(`no figure ${id}`);

test('a release is counted just as a server of now is', () => {
  const { tokens, tools } = measureCatalogue(grown, as('a'));
  const weight = weigh(grown, as('a'));
  assert.deepEqual([tokens, tools], [weight.tokens.total, weight.tools]);
});

test('each release is compared with the one before it, tool by tool', () => {
  const [first, second, third] = a.releases.map((release) => release.difference);
  assert.equal(first, null);
  assert.deepEqual(second, { changes: [], reordered: false });
  assert.deepEqual(
    third?.changes.map(({ tool, change }) => `${tool} ${change}`),
    ['a grew', 'c added', 'b removed'],
  );
});

test('the figures of a release rest on it, and its changes on the one before, too', () => {
  assert.deepEqual(figures.get('releases.a.1.2.0.tokens'), {
    id: 'releases.a.1.2.0.tokens',
    value: weigh(grown, as('a')).tokens.total,
    decimals: 0,
    unit: 'tokens',
    label: 'tokens of its tool definitions',
    method: 'tokens/o200k_base/anthropic/compact@1',
    status: 'observed',
    inputs: ['a-2'],
  });
  assert.equal(value('releases.a.1.2.0.tools'), 2);
  const more = value('releases.a.1.2.0.tokens') - value('releases.a.1.1.0.tokens');
  assert.ok(more > 0);
  assert.equal(value('releases.a.1.2.0.tokens_change'), more);
  assert.deepEqual(
    ['added', 'removed', 'altered'].map((measure) => value(`releases.a.1.2.0.${measure}`)),
    [1, 1, 1],
  );
  for (const measure of ['tokens_change', 'added', 'altered']) {
    const { inputs } = figures.get(`releases.a.1.2.0.${measure}`)!;
    assert.deepEqual(inputs.toSorted(), ['a-1', 'a-2'], measure);
  }
  assert.ok(!figures.has('releases.a.1.0.0.tokens_change'), 'the first has none before it');
});

test('a server has its growth from the oldest to the newest, and all servers their sums', () => {
  const [from, to] = [value('releases.a.1.0.0.tokens'), value('releases.a.1.2.0.tokens')];
  assert.equal(value('releases.a.growth'), (100 * (to - from)) / from);
  assert.equal(value('releases.a.tokens_growth'), to - from);
  assert.equal(value('releases.a.tools_growth'), 0);
  assert.deepEqual(
    ['count', 'steps', 'altering', 'added', 'removed', 'altered'].map((m) =>
      value(`releases.a.${m}`),
    ),
    [3, 2, 1, 1, 1, 1],
  );
  assert.deepEqual(
    ['count', 'servers', 'grew', 'steps', 'altering', 'added'].map((m) =>
      value(`releases.all.${m}`),
    ),
    [5, 2, 1, 3, 2, 2],
  );
  assert.equal(value('releases.all.altering_share').toFixed(3), '66.667');
  const median = (value('releases.a.growth') + value('releases.b.growth')) / 2;
  assert.equal(value('releases.all.growth_median'), median);
  assert.deepEqual(figures.get('releases.all.count')?.inputs, ['a-0', 'a-1', 'a-2', 'b-0', 'b-1']);
});

test('what takes two releases is left out where there is one, and all where there is none', () => {
  const ids = releaseFigures([history('a', old), history('b')]).map(({ id }) => id);
  assert.deepEqual(ids, [
    ...['releases.a.1.0.0.tools', 'releases.a.1.0.0.tokens', 'releases.a.count'],
    'releases.all.count',
  ]);
  assert.deepEqual(releaseFigures([]), []);
});

test('every figure has a versioned method, inputs, a finite value and a label without digits', () => {
  for (const { id, value, method, inputs, label } of figures.values()) {
    assert.ok(Number.isFinite(value), id);
    assert.match(method, /@\d+$/, id);
    assert.ok(inputs.length > 0 && new Set(inputs).size === inputs.length, id);
    assert.doesNotMatch(label, /\d/, id);
  }
});
