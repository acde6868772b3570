import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Batch, Refused } from '../../src/ledger/batch.ts';
import { Fold } from '../../src/ledger/fold.ts';
import { anthropic } from '../../src/wire/anthropic.ts';
import { readDigest, recordRuns } from '../../src/wire/record.ts';
import type { ClientRun } from '../../src/wire/run.ts';
import { digested, MESSAGES } from './capture.ts';

const stamp = { actor: 'test', ts: '2026-01-02T03:04:05.678Z' };
const empty = () => new Batch(new Fold({ genesis: '0'.repeat(64) }), stamp);

const run = (more: Partial<ClientRun> = {}): ClientRun => ({
  kind: 'client_request',
  outcome: 'captured',
  client: 'claude-code',
  variant: 'baseline',
  package: { name: '@anthropic-ai/claude-code', version: '2.1.304', integrity: 'sha512-x' },
  run: stamp.ts,
  recipe: {
    args: ['-p'],
    env: { HOME: '/h' },
    servers: ['memory@2026.8.31'],
    always_load: false,
    place: '/tmp/weighbridge/wire-0',
    node: 'v24.0.0',
    platform: 'linux-x64',
    isolation: 'namespace',
  },
  request: digested(anthropic, '/v1/messages', MESSAGES),
  others: [],
  missing_servers: [],
  outside: ['github.com:443'],
  ended: { code: 0, signal: null, elapsed_ms: 12 },
  failure: null,
  ...more,
});
const failed = run({
  outcome: 'failed',
  request: null,
  failure: { code: 'client.hung', message: 'it had sent nothing', said: 'e\u0301 \ud800' },
});

test('a digest that came before is unchanged, another is captured, a failure keeps the capture', () => {
  const batch = empty();
  const other = run({ request: digested(anthropic, '/v1/messages', { ...MESSAGES, tools: [] }) });
  const bodies = recordRuns(batch, [run(), run(), other, failed, run({ variant: 'betas-off' })]);
  assert.deepEqual(
    bodies.map(({ outcome }) => outcome),
    ['captured', 'unchanged', 'captured', 'failed', 'captured'],
  );
  const [first, , third] = batch.recorded;
  assert.equal(bodies[1]?.unchanged_from, first?.leaf);
  const standing = batch.fold.requests.get('claude-code@2.1.304/baseline');
  assert.equal(standing?.captured?.leaf, third?.leaf);
  assert.equal(standing?.latest.entry.body.failure?.said, 'é �', 'NFC, well formed');
  assert.equal(batch.fold.captures.size, 0);
  assert.ok(batch.fold.hasInput(third?.leaf ?? '') && batch.fold.requests.size === 2);
});

test('what is stored is the digest, in one canonical line, and reads back as it was', () => {
  const batch = empty();
  const [body] = recordRuns(batch, [run()]);
  const bytes = batch.blobs.get(body?.blob?.sha256 ?? '');
  assert.ok(bytes);
  assert.equal(bytes.indexOf(0x0a), bytes.length - 1);
  assert.deepEqual(readDigest(bytes), run().request);
  assert.equal(body?.answer?.tools, 3);
  const line = Buffer.from(batch.lines[0] ?? []).toString();
  assert.doesNotMatch(line + Buffer.from(bytes).toString(), /You are a test|say ok/);
});

test('an outcome that does not fit what came with it is refused', () => {
  const batch = empty();
  assert.throws(() => recordRuns(batch, [run({ outcome: 'failed' })]), Refused);
  assert.throws(() => recordRuns(batch, [run({ request: null })]), Refused);
});
