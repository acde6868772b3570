import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Collected } from '../../src/gateway/collected.ts';
import { filesBelow, readExports, readSessions } from '../../src/gateway/files.ts';
import { Row } from '../../src/gateway/row.ts';
import { Problem } from '../../src/problem.ts';
import { assistant, request, shape } from './own-session.ts';

const folder = mkdtempSync(join(tmpdir(), 'gateway-files-'));
after(() => rmSync(folder, { recursive: true }));
const real = join(import.meta.dirname, 'real');

function file(name: string, lines: readonly unknown[], end = '\n'): string {
  const path = join(folder, name);
  writeFileSync(
    path,
    lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n') + end,
  );
  return path;
}
async function sessions(...paths: string[]): Promise<Collected> {
  const into = new Collected();
  await readSessions(into, paths);
  return into;
}
async function exports(...paths: string[]): Promise<Collected> {
  const into = new Collected();
  await readExports(into, paths);
  return into;
}

test('a session that Claude Code 2.1.165 wrote has a row for each request, with cache and fresh input added', async () => {
  const into = await sessions(join(real, 'session-2.1.165.jsonl'));
  assert.equal(into.unread, 0);
  assert.deepEqual(
    into.rows().map(({ id: _, ...row }) => row),
    ['2026-11-30T23:38:25.086Z', '2026-11-30T23:38:29.981Z'].map((at) => ({
      ...{ at, model: 'claude-opus-4-8', answered: 'model', cost: null, tools: null },
      ...{ input_total: 20_312, input_cached: 20_000, cache_write: 300, output: 5 },
      convention: 'anthropic/usage',
      said: {
        input_tokens: 12,
        cache_creation_input_tokens: 300,
        cache_read_input_tokens: 20_000,
        output_tokens: 5,
      },
    })),
  );
});

test('of the records of one message the last holds, and a session that was copied counts once', async () => {
  const blocks = [assistant({ output: 1 }), assistant({ output: 40 }), assistant({ output: 170 })];
  const one = file('one.jsonl', blocks);
  const copy = file('copy.jsonl', [
    ...blocks,
    assistant({ id: 'msg_2', request: 'req_2', output: 9 }),
  ]);
  const into = await sessions(one, copy);
  assert.deepEqual(
    into.rows().map(({ output }) => output),
    [170, 9],
  );
  assert.equal(into.repeated, 1);
});

test('tools come from the shape of the request that a message refers to', async () => {
  const tools = [{ name: 'a' }, { name: 'b', defer_loading: true }];
  const path = file('shapes.jsonl', [
    shape('s1', tools),
    request('r1', 's1'),
    assistant({ ref: 'r1' }),
    shape('s2', []),
    request('r2', 's2'),
    assistant({ id: 'msg_2', request: 'req_2', ref: 'r2' }),
    assistant({ id: 'msg_3', request: 'req_3', ref: 'r3' }),
  ]);
  assert.deepEqual(
    (await sessions(path)).rows().map((row) => row.tools),
    [
      { count: 2, deferred: 1, bytes: Buffer.byteLength(JSON.stringify(tools)) },
      { count: 0, deferred: 0, bytes: 2 },
      null,
    ],
  );
});

test('a session cut in the middle keeps what is whole and says what was cut; unknown lines are passed over', async () => {
  const whole = JSON.stringify(assistant({ id: 'msg_9', request: 'req_9' }));
  const path = file(
    'cut.jsonl',
    [
      { type: 'a-kind-of-the-future', message: { usage: 'what?' } },
      assistant({}),
      '{"torn": "by a kill, and written on',
      [1, 2],
      { ...assistant({ id: 'msg_2', request: 'req_2' }), unknown: { deep: [null] } },
      { type: 'assistant', message: { id: 'x', model: '<synthetic>', usage: { input_tokens: 0 } } },
      { type: 'assistant', message: null },
      whole.slice(0, whole.length / 2),
    ],
    '',
  );
  const into = await sessions(path);
  assert.equal(into.size, 2);
  assert.deepEqual(
    [...into.unreadable],
    [
      ['a line is no JSON', 1],
      ['the last line was cut', 1],
    ],
  );
  const again = await sessions(file('empty.jsonl', []));
  assert.equal(again.size, 0);
});

test('counts that are null, text or too large are unknown, never 0', async () => {
  const path = file('odd.jsonl', [
    assistant({ usage: { input_tokens: null, cache_read_input_tokens: 5, output_tokens: -1 } }),
    assistant({
      id: 'msg_2',
      request: 'req_2',
      usage: { input_tokens: 7, cache_read_input_tokens: null, output_tokens: 2 ** 60 },
    }),
    assistant({ id: 'msg_3', request: 'req_3', usage: {} }),
  ]);
  const rows = (await sessions(path)).rows();
  assert.deepEqual(
    rows.map(({ input_total, input_cached, output }) => [input_total, input_cached, output]),
    [
      [null, 5, null],
      [7, null, null],
    ],
  );
  assert.ok(rows.every((row) => Row.safeParse(row).success));
});

test('what Claude Code 2.1.332 sent to a collector is one row: its event and its span are one request', async () => {
  const into = await exports(join(real, 'otlp-2.1.332.jsonl'));
  assert.equal(into.repeated, 1);
  const [{ id: _, ...row } = { id: '' }, ...more] = into.rows();
  assert.deepEqual(more, []);
  assert.deepEqual(row, {
    ...{ at: '2026-11-30T23:38:08.870Z', model: 'claude-opus-5-5', answered: 'model' },
    ...{ input_total: 20_312, input_cached: 20_000, cache_write: 300, output: 5, cost: '0.005648' },
    ...{ tools: null, convention: 'claude-code/otel' },
    said: {
      ...{ input_tokens: 12, output_tokens: 5, cache_read_tokens: 20_000 },
      ...{ cache_creation_tokens: 300, cost_usd: '0.005648' },
    },
  });
});

test('an event excludes the cache and a GenAI span includes it: both come to the same input', async () => {
  const [logs = '', traces = ''] = readFileSync(join(real, 'otlp-2.1.332.jsonl'), 'utf8').split(
    '\n',
  );
  const [event] = (await exports(file('logs.json', [logs]))).rows();
  const [span] = (await exports(file('traces.json', [traces]))).rows();
  assert.equal(event?.convention, 'claude-code/otel');
  assert.equal(span?.convention, 'otel/gen-ai');
  assert.equal(span?.said['gen_ai.usage.input_tokens'], 20_312);
  assert.equal(event?.said['input_tokens'], 12);
  const counts = (row: Row | undefined) => [
    row?.id,
    row?.input_total,
    row?.input_cached,
    row?.cache_write,
    row?.output,
  ];
  assert.deepEqual(counts(event), counts(span));
  // 2.1.165 has no GenAI counts on its span yet.
  const older = await exports(join(real, 'otlp-2.1.165.jsonl'));
  assert.deepEqual(
    older.rows().map(({ convention, input_total, cost }) => [convention, input_total, cost]),
    [['claude-code/otel', 20_312, '0.01206']],
  );
});

test('OTLP integers may be text, spans of agents and tools repeat their requests, other files are told', async () => {
  const span = (operation: string, spanId: string) => ({
    spanId,
    startTimeUnixNano: '1796081888058000000',
    attributes: [
      { key: 'gen_ai.operation.name', value: { stringValue: operation } },
      { key: 'gen_ai.request.model', value: { stringValue: 'gpt-5' } },
      { key: 'gen_ai.usage.input_tokens', value: { intValue: '120' } },
      { key: 'gen_ai.usage.output_tokens', value: { intValue: '7' } },
      { key: 'gen_ai.prompt', value: { arrayValue: { values: [] } } },
    ],
  });
  const spans = [span('chat', 'a'), span('invoke_agent', 'b'), span('execute_tool', 'c')];
  const into = await exports(
    file('spans.jsonl', [{ resourceSpans: [{ scopeSpans: [{ spans }] }] }, { other: 1 }, '{']),
    file('page.json', ['<!doctype html>']),
  );
  assert.deepEqual(
    into
      .rows()
      .map(({ at, model, input_total, input_cached, output }) => [
        at,
        model,
        input_total,
        input_cached,
        output,
      ]),
    [['2026-11-30T23:38:08.058Z', 'gpt-5', 120, null, 7]],
  );
  assert.equal(into.unread, 3);
});

test('files are found below a folder in the order of their paths; one that is not there is a Problem', async () => {
  const below = join(folder, 'projects', 'p', 'subagents');
  mkdirSync(below, { recursive: true });
  for (const name of ['b.jsonl', 'a.jsonl', 'note.txt']) writeFileSync(join(below, name), '');
  const found = await filesBelow(join(folder, 'projects'), ['.jsonl']);
  assert.deepEqual(found, [join(below, 'a.jsonl'), join(below, 'b.jsonl')]);
  const unreadable = (error: unknown) =>
    error instanceof Problem && error.code === 'gateway.unreadable';
  await assert.rejects(filesBelow(join(folder, 'nowhere'), ['.jsonl']), unreadable);
  await assert.rejects(sessions(join(folder, 'nowhere.jsonl')), unreadable);
});
