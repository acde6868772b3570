import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judge, type Limits, LOCK_VERSION, type Lock, readLock } from '../../src/measure/gate.ts';

const lock = (sizes: Record<string, number>): Lock => ({
  lock_version: LOCK_VERSION,
  method: 'tokens/o200k_base/anthropic/compact@1',
  servers: Object.entries(sizes).map(([server, tokens]) => ({
    server,
    tokens,
    tools: [{ name: 't', tokens, sha256: String(tokens % 10).repeat(64) }],
  })),
});
const limits = (more: Partial<Limits>): Limits => ({
  maxGrowth: { tokens: 0 },
  maxTokens: null,
  frozen: false,
  ...more,
});

test('growth up to the limit passes, one token more does not', () => {
  const before = lock({ a: 1000 });
  for (const [maxGrowth, most] of [
    [{ percent: 5 }, 1050],
    [{ percent: 0.1 }, 1001],
    [{ tokens: 0 }, 1000],
    [{ tokens: 7 }, 1007],
  ] as const) {
    assert.equal(judge(before, lock({ a: most }), limits({ maxGrowth })).ok, true);
    const { ok, broken } = judge(before, lock({ a: most + 1 }), limits({ maxGrowth }));
    assert.equal(ok, false);
    assert.deepEqual(broken, [
      { rule: 'max-growth', found: most + 1 - 1000, allowed: most - 1000 },
    ]);
  }
});

test('the whole may not pass the ceiling, with a baseline or without', () => {
  const maxTokens = limits({ maxTokens: 1000 });
  assert.equal(judge(null, lock({ a: 600, b: 400 }), maxTokens).ok, true);
  assert.deepEqual(judge(null, lock({ a: 600, b: 401 }), maxTokens).broken, [
    { rule: 'max-tokens', found: 1001, allowed: 1000 },
  ]);
  assert.equal(judge(lock({ a: 2000 }), lock({ a: 1001 }), maxTokens).ok, false);
});

test('one server may grow where another shrinks, and both are told', () => {
  const { ok, servers } = judge(lock({ a: 10, b: 20 }), lock({ a: 15, b: 15 }), limits({}));
  assert.equal(ok, true);
  assert.deepEqual(
    servers.map(({ server, changes }) => [server, changes[0]?.change]),
    [
      ['a', 'grew'],
      ['b', 'shrank'],
    ],
  );
});

test('servers that are new or gone are told as such', () => {
  const { servers } = judge(lock({ a: 1 }), lock({ b: 1 }), limits({}));
  assert.deepEqual(
    servers.map(({ server, before, after }) => [server, before, after]),
    [
      ['b', null, 1],
      ['a', 1, null],
    ],
  );
});

test('frozen refuses what changed without growing, which else passes but is named', () => {
  const before = lock({ a: 7 });
  const after = structuredClone(before);
  after.servers[0]!.tools[0]!.sha256 = 'f'.repeat(64);
  const seen = judge(before, after, limits({}));
  assert.equal(seen.ok, true);
  assert.equal(seen.servers[0]?.changes[0]?.change, 'changed');
  assert.deepEqual(judge(before, after, limits({ frozen: true })).broken, [
    { rule: 'frozen', found: 1, allowed: 0 },
  ]);
  assert.equal(judge(before, before, limits({ frozen: true })).ok, true);
});

test('reads the lock files it writes, and says what is wrong with others', () => {
  const good = lock({ a: 1 });
  assert.deepEqual(readLock(JSON.stringify(good)), { lock: good });
  const fault = (value: unknown) => {
    const read = readLock(typeof value === 'string' ? value : JSON.stringify(value));
    return 'fault' in read ? read.fault : assert.fail('it was read');
  };
  assert.match(fault('{'), /^not JSON/);
  assert.match(fault({ ...good, lock_version: 2 }), /^version 2 of a lock file, where 1/);
  assert.match(fault({}), /^no version of a lock file/);
  assert.match(fault([]), /not a lock file/);
  assert.match(fault({ ...good, method: 1 }), /method/);
  assert.match(fault({ ...good, servers: [...good.servers, ...good.servers] }), /twice/);
});
