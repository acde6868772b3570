import assert from 'node:assert/strict';
import { test } from 'node:test';
import { budget, type Plan } from '../../src/measure/budget.ts';
import { LAYOUTS } from '../../src/measure/memory.ts';

const plan: Plan = {
  ...{ loading: 'upfront', window: 200_000, turns: 20, sessions: 100 },
  ...{ write: 5, read: 0.2, layout: null },
};
const servers = [
  { upfront: 1000, deferred: 10 },
  { upfront: 3000, deferred: 30 },
];

test('a session pays for writing the definitions once and for reading them in every turn after', () => {
  const { tokens, share, monthTokens, month, reserved } = budget(servers, plan);
  assert.equal(tokens, 4000);
  assert.equal(share, 2);
  assert.equal(monthTokens, 4000 * 2000);
  assert.equal(month, (4000 * 100 * (5 + 19 * 0.2)) / 1e6);
  assert.equal(reserved, null);
});

test('where nothing is cached every turn pays the same', () => {
  assert.equal(budget(servers, { ...plan, read: 5 }).month, (4000 * 2000 * 5) / 1e6);
  assert.equal(budget(servers, { ...plan, turns: 1 }).month, (4000 * 100 * 5) / 1e6);
});

test('deferred servers cost their names alone, and no server costs nothing', () => {
  assert.equal(budget(servers, { ...plan, loading: 'deferred' }).tokens, 40);
  assert.equal(budget([], plan).month, 0);
});

test('a layout reserves cache in its own steps', () => {
  const { layout } = LAYOUTS['qwen3.8-27b']!;
  const { reserved } = budget([{ upfront: 257, deferred: 0 }], { ...plan, layout });
  assert.equal(reserved, 512 * 65_536);
});
