import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readRow } from '../../src/gateway/cloudflare.ts';
import { Head, payloadOf } from '../../src/gateway/payload.ts';
import { recordLog } from '../../src/gateway/record.ts';
import { costOf, countOf, modelOf, Row, timeOf } from '../../src/gateway/row.ts';
import { Batch } from '../../src/ledger/batch.ts';
import { Entry } from '../../src/ledger/entry.ts';
import { captureName, Fold } from '../../src/ledger/fold.ts';
import { Problem } from '../../src/problem.ts';
import { ACCOUNT, GATEWAY, row as logged, TOKEN } from './stand-in-cloudflare.ts';

const IDENTIFIERS = {
  CLOUDFLARE_API_TOKEN: TOKEN,
  CLOUDFLARE_ACCOUNT_ID: ACCOUNT,
  CLOUDFLARE_GATEWAY_ID: GATEWAY,
};
const leak = (error: unknown) => error instanceof Problem && error.code === 'gateway.leak';

function rowOf(more: Record<string, unknown> = {}): Row {
  const read = readRow(logged(1, more));
  assert.ok('row' in read);
  return read.row;
}

const linesOf = (text: string): unknown[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

test('a stored row holds no account, gateway, metadata, path or id, wherever the log had them', () => {
  const told = {
    metadata: { user: ACCOUNT, gateway: GATEWAY, tools: 9 },
    path: `accounts/${ACCOUNT}`,
    request_head: 'a prompt',
    [GATEWAY]: TOKEN,
  };
  const text = Buffer.from(payloadOf('cloudflare', [rowOf(told)], IDENTIFIERS)).toString();
  for (const secret of [
    ACCOUNT,
    GATEWAY,
    TOKEN,
    '01STANDIN',
    'a prompt',
    'someone',
    'workers-ai',
  ]) {
    assert.ok(!text.includes(secret), `${secret} in ${text}`);
  }
  assert.match(text, /"tokens_in":14001/);
});

test('no text that a log may hold comes through, whatever stands in any field', () => {
  const canary = 'CANARY';
  fc.assert(
    fc.property(
      fc.dictionary(
        fc.constantFrom(
          'id',
          'created_at',
          'model',
          'cost',
          'tokens_in',
          'tokens_out',
          'metadata',
          'usage_metadata',
          'cached',
          'success',
        ),
        fc.oneof(
          fc.string().map((s) => `${s} ${canary}\n`),
          fc.jsonValue(),
          fc.constant(canary.repeat(12)),
          fc.double(),
        ),
      ),
      (more) => {
        const text = Buffer.from(
          payloadOf('cloudflare', [rowOf({ ...more, tokens_in: more['tokens_in'] ?? null })], {}),
        ).toString();
        // A model may be called anything that has the form of a model's name, but not in a sentence.
        assert.ok(!text.includes(canary), text);
        for (const row of linesOf(text).slice(1)) Row.parse(row);
      },
    ),
    { numRuns: 60 },
  );
});

test('it fails closed: a name that can’t be told from an identifier, or a form that no row has, is refused', () => {
  const named = rowOf({ model: GATEWAY });
  assert.throws(() => payloadOf('cloudflare', [named], IDENTIFIERS), leak);
  assert.ok(payloadOf('cloudflare', [named], {}).length > 0);
  const more = { ...rowOf(), prompt: 'x' };
  assert.throws(() => payloadOf('cloudflare', [more], {}), leak);
  assert.throws(() => payloadOf('cloudflare', [{ ...rowOf(), model: 'say ok' }], {}), leak);
  assert.throws(() => payloadOf('cloudflare', [{ ...rowOf(), said: { 'a prompt': 1 } }], {}), leak);
});

test('models keep their names, but for those that may tell an account, a key or a route', () => {
  for (const name of [
    'claude-opus-4-8[1m]',
    '@cf/moonshotai/kimi-k2.7-code',
    'anthropic/claude-3-5-sonnet-20241022',
    'us.anthropic.claude-opus-4-8-v1:0',
    'vertex_ai/gemini-3.0-pro@002'.replace('@002', ''),
  ]) {
    assert.equal(modelOf(name), name);
  }
  for (const name of [
    'arn:aws:bedrock:us-east-1:123456789012:inference-profile/x',
    'bedrock/arn:aws:x',
    'dynamic/our-route',
    'custom-acme/m',
    '/home/me/model.gguf',
    'a b',
    ACCOUNT,
    'azure/0f8fad5b-d9cb-469f-a165-70867728950e',
    'x'.repeat(81),
  ]) {
    assert.match(modelOf(name) ?? '', /^hidden-[0-9a-f]{12}$/, name);
  }
  assert.equal(modelOf(''), null);
  assert.equal(modelOf(7), null);
});

test('numbers and times are read as sources write them, and nothing else is', () => {
  assert.deepEqual([12, '12', 0, -1, 1.5, '1e3', null, '', 2 ** 53].map(countOf), [
    12,
    12,
    0,
    null,
    null,
    null,
    null,
    null,
    null,
  ]);
  assert.deepEqual(
    [0.000019999999999999998, 0.00456265, 5e-9, 0, '1.5e-7', 12, -1, Number.NaN, 'free', 1e300].map(
      costOf,
    ),
    ['0.00002', '0.00456265', '0.000000005', '0', '0.00000015', '12', null, null, null, null],
  );
  assert.deepEqual(
    [
      '2026-07-26T03:43:18.667Z',
      '2026-07-26 03:43:18',
      '2026-07-26T05:43:18+02:00',
      '1796081888870000000',
      'soon',
      5,
    ].map(timeOf),
    [
      '2026-07-26T03:43:18.667Z',
      '2026-07-26T03:43:18.000Z',
      '2026-07-26T03:43:18.000Z',
      '2026-11-30T23:38:08.870Z',
      null,
      null,
    ],
  );
});

test('a payload says its source, then holds the rows as they were', () => {
  const rows = [rowOf(), rowOf({ id: null, cost: null })];
  const bytes = payloadOf('cloudflare', rows, {});
  const [head, ...lines] = linesOf(Buffer.from(bytes).toString());
  assert.equal(Head.parse(head).source, 'cloudflare');
  assert.deepEqual(lines, rows);
});

test('a log is captured, then unchanged while its rows are the same, under the name that it is given', () => {
  const batch = new Batch(new Fold({ genesis: '0'.repeat(64) }), {
    actor: 'test',
    ts: '2026-01-02T03:04:05.678Z',
  });
  const record = (rows: Row[], name = 'work') =>
    recordLog(batch, {
      ...{
        source: 'cloudflare',
        name,
        run: '2026-01-02T03:04:05.678Z',
        args: ['--source', 'cloudflare'],
        rows,
      },
      counts: { repeated: 1, unread: 0 },
      payload: payloadOf('cloudflare', rows, {}),
    });
  const late = rowOf({ id: 'later', created_at: '2026-07-26T00:01:00Z' });
  const bodies = [
    record([rowOf()]),
    record([rowOf()]),
    record([rowOf(), late]),
    record([rowOf()], 'other'),
  ];
  assert.deepEqual(
    bodies.map(({ outcome }) => outcome),
    ['captured', 'unchanged', 'captured', 'captured'],
  );
  assert.deepEqual(bodies[2]?.answer, {
    ...{ rows: 2, first: '2026-07-26T00:00:01.000Z', last: '2026-07-26T00:01:00.000Z' },
    ...{ models: ['@cf/moonshotai/kimi-k2.7-code'], repeated: 1, unread: 0 },
  });
  const { fold, recorded } = batch;
  assert.deepEqual([...fold.logs.keys()], ['cloudflare/work', 'cloudflare/other']);
  assert.equal(fold.logs.get('cloudflare/work')?.captured?.leaf, recorded[2]?.leaf);
  assert.equal(captureName(bodies[0]!), 'log:cloudflare/work');
  const [first] = recorded;
  assert.ok(recorded.every(({ entry }) => Entry.safeParse(entry).success));
  const half = { ...first?.entry, body: { ...bodies[0], outcome: 'unchanged' } };
  assert.equal(Entry.safeParse(half).success, false, 'unchanged from nothing');
  assert.ok(fold.hasInput(recorded[0]!.leaf) && !fold.hasInput(recorded[1]!.leaf));
});
