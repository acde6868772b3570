import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Problem, problemOf } from '../src/problem.ts';

const thrownBy = (act: () => unknown): unknown => {
  try {
    act();
  } catch (error) {
    return error;
  }
  assert.fail('nothing was thrown');
};

test('a refused system call becomes a problem with its place and a mend; a bug stays a bug', () => {
  const gone = problemOf(thrownBy(() => readFileSync('/no/such/file')));
  assert.equal(gone?.code, 'system.enoent');
  assert.equal(gone.at, '/no/such/file');
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), {
    code: 'ENOSPC',
    syscall: 'write',
  });
  assert.match(problemOf(full)?.toString() ?? '', /\[system\.enospc\]\n {2}Free some disk space/);
  const own = new Problem('x', 'is broken');
  assert.equal(problemOf(own), own);
  assert.equal(problemOf(new TypeError('a bug')), null);
  assert.equal(problemOf(null), null);
});
