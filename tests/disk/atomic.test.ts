import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeDirectory, writeAtomic } from '../../src/disk/atomic.ts';
import { folder } from './folder.ts';

test('a file is replaced whole, and nothing else is left beside it', (t) => {
  const dir = folder(t);
  makeDirectory(join(dir, 'a/b'));
  const path = join(dir, 'a/b/file');
  writeAtomic(path, 'old');
  writeAtomic(path, new TextEncoder().encode('new ☂'));
  assert.equal(readFileSync(path, 'utf8'), 'new ☂');
  assert.deepEqual(readdirSync(join(dir, 'a/b')), ['file']);
});

test('where it can not be written, what stands there stays, and no temporary file is left', (t) => {
  const dir = folder(t);
  mkdirSync(join(dir, 'taken'));
  assert.throws(() => writeAtomic(join(dir, 'taken'), 'x'));
  assert.deepEqual(readdirSync(dir), ['taken']);
});
