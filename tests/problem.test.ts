import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Problem, problemOf, refused } from '../src/problem.ts';

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
  const foreign = new Error('Could not write: No space left on device (os error 28)');
  assert.equal(problemOf(foreign)?.code, 'system.enospc');
  const own = new Problem('x', 'is broken');
  assert.equal(problemOf(own), own);
  assert.equal(problemOf(new TypeError('a bug')), null);
  assert.equal(problemOf(null), null);
});

test('a file that was named and is not there says so under the code of whoever wanted it', () => {
  const gone = refused(
    'x.unreadable',
    thrownBy(() => readFileSync('/no/such/file')),
    'named',
  );
  assert.equal(
    gone.toString(),
    'named: there is no such file or folder [x.unreadable]\n  Name one that is there, from this folder or by its whole path, or make its folder first.',
  );
  const folder = refused(
    'x.unreadable',
    thrownBy(() => readFileSync('.')),
    '.',
  );
  assert.match(
    folder.toString(),
    /EISDIR.* \[x\.unreadable\]\n {2}Name a file where a file is wanted/,
  );
});
