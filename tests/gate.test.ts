import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refuseUnpublishable } from '../src/gate.ts';
import { Problem } from '../src/problem.ts';

test('a site with nothing unrecorded and no problem may be published', () => {
  assert.doesNotThrow(() => refuseUnpublishable({ problems: [], unrecorded: [] }));
});

test('a refusal names each thing that is not recorded, and the command that records it', () => {
  assert.throws(
    () => refuseUnpublishable({ problems: [], unrecorded: ['claim.put c3 supersedes #12'] }),
    (error) =>
      error instanceof Problem &&
      error.code === 'build.unrecorded' &&
      /claim\.put c3 supersedes #12[\s\S]*npm run record/.test(error.toString()),
  );
});

test('a refusal names each problem with its place', () => {
  const problem = new Problem('x', 'is broken', { at: 'claims.yaml:3:1' });
  assert.throws(
    () => refuseUnpublishable({ problems: [problem], unrecorded: [] }),
    /claims\.yaml:3:1: is broken/,
  );
});
