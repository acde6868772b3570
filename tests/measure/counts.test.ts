import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countFigures, type RecordedCount } from '../../src/measure/counts.ts';
import { eraFigures } from '../../src/measure/eras.ts';
import type { WeighedServer } from '../../src/measure/figure.ts';
import { o200k } from '../../src/measure/o200k.ts';
import { weigh } from '../../src/measure/weigh.ts';

const server = (name: string, protocol: string): WeighedServer => {
  const tools = [{ name: 'add', description: 'Adds two numbers.', inputSchema: {} }];
  return {
    ...{ name, package: name, version: '1.0.0', leaf: `leaf-${name}`, sha256: `hash-${name}` },
    ...{ protocol, sameOrder: true, sameBytes: true, tools },
    weight: weigh(tools, { shape: 'anthropic', server: name, tokenizer: o200k() }),
  };
};
const servers = [server('one', '2025-11-25'), server('two', '2024-11-05')];
const built = servers.reduce((sum, { weight }) => sum + weight.tokens.total, 0);
const count = (payload = 'hash-two'): RecordedCount => ({
  tokenizer: 'qwen3',
  leaf: 'leaf-count',
  method: 'tokens/qwen3/anthropic/compact@1',
  rendered: 'tokens/qwen3/chat-template@1',
  tally: {
    servers: {
      one: { payload: 'hash-one', tokens: built, rendered: 100 },
      two: { payload, tokens: built, rendered: 100 },
    },
    rendered: { all: 4097, empty: 8 },
  },
});
const values = (...counts: RecordedCount[]) =>
  new Map(countFigures(['qwen3'], counts, servers).map(({ id, value }) => [id, value]));

test('a count gives figures of each server, of all, of the rendered prompt and of its memory', () => {
  const of = values(count());
  assert.equal(of.get('counts.qwen3.all.tokens'), 2 * built);
  assert.equal(of.get('counts.qwen3.all.over_o200k'), 100);
  assert.equal(of.get('counts.spread'), 100);
  assert.equal(of.get('counts.tokenizers'), 2);
  assert.equal(of.get('counts.qwen3.all.rendered_tokens'), 4097);
  // 4,097 tokens take seventeen steps of 256, at 64 KiB a token.
  assert.equal(of.get('counts.qwen3.all.kv_gib'), (17 * 256 * 64) / 2 ** 20);
  const [figure] = countFigures(['qwen3'], [count()], servers);
  assert.deepEqual(figure?.inputs, ['leaf-count', 'leaf-one']);
});

test('a count of another payload than the current gives no figure of that server, of all, or of the spread', () => {
  const of = values(count('older'));
  assert.deepEqual([...of.keys()], ['counts.qwen3.one.tokens', 'counts.qwen3.one.rendered_tokens']);
  assert.deepEqual(
    [...values().keys()],
    [],
    'nor is there a spread without a count that belongs to it',
  );
});

test('eras are counted over all servers, and not at all while one was not asked', () => {
  const asked = [
    { server: 'one', leaf: 'd1', speaks: true, keeps: true },
    { server: 'two', leaf: 'd2', speaks: false, keeps: false },
  ];
  const of = (some: typeof asked) =>
    Object.fromEntries(eraFigures(servers, some).map(({ id, value }) => [id, value]));
  assert.deepEqual(of(asked), {
    'eras.negotiated.2025-11-25.count': 1,
    'eras.negotiated.2024-11-05.count': 1,
    'eras.discover.count': 1,
    'eras.discover.refused': 1,
    'eras.discover.caching': 1,
  });
  assert.equal(of(asked.slice(1))['eras.discover.count'], undefined);
});
