import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { payloadOf } from '../../src/gateway/payload.ts';
import { readResponse } from '../../src/gateway/response.ts';
import type { Row } from '../../src/gateway/row.ts';
import { readSide } from '../../src/gateway/side.ts';
import { differenceOf, pricedAt, totalOf, unlike } from '../../src/gateway/usage.ts';
import { Problem } from '../../src/problem.ts';
import { assistant } from './own-session.ts';
import { row as logged } from './stand-in-cloudflare.ts';
import { spend } from './stand-in-litellm.ts';

const folder = mkdtempSync(join(tmpdir(), 'usage-'));
after(() => rmSync(folder, { recursive: true }));
const cwd = (path: string) => join(folder, path);
const file = (name: string, text: string) => {
  writeFileSync(cwd(name), text);
  return name;
};
const json = (name: string, value: unknown) => file(name, JSON.stringify(value));

const MESSAGE = {
  ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'claude-opus-5-5', content: [] },
  usage: {
    input_tokens: 12,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    output_tokens: 5,
  },
};
function message(more: Record<string, number | null>): Row {
  const row = readResponse({
    ...MESSAGE,
    id: JSON.stringify(more),
    usage: { ...MESSAGE.usage, ...more },
  });
  assert.ok(row);
  return row;
}

test('what was used is the difference of two answers, cache and all', () => {
  const a = totalOf([message({})]);
  const b = totalOf([
    message({
      input_tokens: 40,
      cache_read_input_tokens: 12_000,
      cache_creation_input_tokens: 160,
    }),
  ]);
  assert.deepEqual(unlike(a, b), []);
  assert.deepEqual(differenceOf(a, b), {
    ...{
      input_total: 12_188,
      input_cached: 12_000,
      cache_write: 160,
      output: 0,
      cost: null,
      tools: null,
    },
  });
});

test('a number that one row does not say has no sum, and rows without an answer of a model are left out', () => {
  const cached = { ...message({ output_tokens: 7 }), answered: 'cache' as const };
  const failed = { ...message({ input_tokens: 0, output_tokens: 0 }), answered: 'error' as const };
  const total = totalOf([message({}), message({ cache_read_input_tokens: null }), cached, failed]);
  assert.equal(total.requests, 2);
  assert.deepEqual(total.left_out, { cache: 1, error: 1 });
  assert.equal(total.usage.input_total, 24);
  assert.equal(total.usage.input_cached, null);
  assert.deepEqual(total.unsaid, { input_cached: 1, cost: 2, tools: 2 });
  assert.equal(totalOf([]).usage.input_total, null, 'of nothing there is no sum either');
});

test('other models, unknown ones, and sources that count otherwise are not alike', () => {
  const a = totalOf([message({})]);
  const with_ = (more: Partial<Row>) => totalOf([{ ...message({}), ...more }]);
  assert.match(
    unlike(a, with_({ model: 'claude-opus-4-8' })).join(),
    /claude-opus-5-5 and claude-opus-4-8/,
  );
  assert.match(
    unlike(with_({ model: null }), with_({ model: null })).join(),
    /not known to be the same/,
  );
  assert.match(
    unlike(a, with_({ convention: 'cloudflare/log' })).join(),
    /other things by their numbers/,
  );
  const tools = (count: number): Partial<Row> => ({
    tools: { count, deferred: null, bytes: 100 * count },
  });
  assert.deepEqual(differenceOf(with_(tools(9)), with_(tools(856))).tools, {
    count: 847,
    deferred: null,
    bytes: 84_700,
  });
});

test('what tokens come to at given prices is exact, and unknown where a part of them is', () => {
  const prices = { input: '4', cached: '0.20', write: '5', output: '20' };
  const total = totalOf([
    message({ cache_read_input_tokens: 20_000, cache_creation_input_tokens: 300 }),
  ]);
  // What Claude Code itself made of the same tokens at these prices: cost_usd 0.005648.
  assert.equal(Number(pricedAt(total, prices)), 0.005648);
  assert.equal(pricedAt(totalOf([message({ cache_read_input_tokens: null })]), prices), null);
});

test('answers of Anthropic, OpenAI and a client’s result are read by what they mean', () => {
  const openai = readResponse({
    id: 'c',
    model: 'gpt-5',
    usage: {
      prompt_tokens: 100,
      completion_tokens: 3,
      prompt_tokens_details: { cached_tokens: 64 },
    },
  });
  assert.deepEqual(
    [openai?.input_total, openai?.input_cached, openai?.convention],
    [100, 64, 'openai/usage'],
  );
  const responses = readResponse({
    model: 'gpt-5',
    usage: { input_tokens: 100, output_tokens: 3, input_tokens_details: { cached_tokens: 64 } },
  });
  assert.deepEqual(
    [responses?.input_total, responses?.input_cached, responses?.output],
    [100, 64, 3],
  );
  const result = readResponse({
    type: 'result',
    total_cost_usd: 0.005647999999999999,
    usage: { ...MESSAGE.usage, cache_read_input_tokens: 20_000 },
    modelUsage: { 'claude-opus-5-5': {} },
  });
  assert.deepEqual(
    [result?.input_total, result?.cost, result?.model],
    [20_012, '0.005648', 'claude-opus-5-5'],
  );
  assert.equal(readResponse({ error: {} }), null);
});

test('a side is read from a file of any known form, or one row of it', async () => {
  const cloudflare = { success: true, result: [logged(1), logged(2)] };
  const litellm = { data: [spend(1)], total: 1, page: 1, total_pages: 1 };
  const [{ rows }] = [await readSide(json('page.json', cloudflare), cwd)];
  const bytes = payloadOf('cloudflare', rows, {});
  const inputs = async (asked: string) =>
    (await readSide(asked, cwd)).rows.map((row) => row.input_total);
  assert.deepEqual(
    rows.map((row) => row.input_total),
    [14_001, 14_002],
  );
  const forms: [string, (number | null)[]][] = [
    ['page.json#2', [14_002]],
    [json('row.json', logged(3)), [14_003]],
    [json('litellm.json', litellm), [20_312]],
    [json('array.json', [spend(1), spend(2)]), [20_312, 20_312]],
    [json('message.json', MESSAGE), [12]],
    [
      json('result.json', [
        { type: 'system' },
        { type: 'result', usage: MESSAGE.usage, modelUsage: {} },
      ]),
      [12],
    ],
    [file('pretty.json', JSON.stringify(MESSAGE, null, 2)), [12]],
    [
      file(
        'session.jsonl',
        `${JSON.stringify({ type: 'user' })}\n${JSON.stringify(assistant({}))}\n`,
      ),
      [20_312],
    ],
    [file('payload', Buffer.from(bytes).toString()), [14_001, 14_002]],
    ['payload#1', [14_001]],
    [
      file('rows.jsonl', `${JSON.stringify(logged(1))}\n${JSON.stringify(logged(2))}\n{"cut`),
      [14_001, 14_002],
    ],
  ];
  for (const [asked, expected] of forms) assert.deepEqual(await inputs(asked), expected, asked);
  assert.deepEqual([...(await readSide('rows.jsonl', cwd)).unread], [['the last line was cut', 1]]);
});

test('a file of no known form, one that is not there and a row that is not there are Problems', async () => {
  const fails = (asked: string, code: string) =>
    assert.rejects(
      readSide(asked, cwd),
      (error: unknown) => error instanceof Problem && error.code === code,
    );
  await fails(json('other.json', { hello: 1 }), 'usage.form');
  await fails(file('page.html', '<!doctype html>'), 'usage.form');
  await fails('nowhere.json', 'gateway.unreadable');
  await fails('message.json#2', 'usage.no-row');
});
