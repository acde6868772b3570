import assert from 'node:assert/strict';
import { test } from 'node:test';
import { purityProblems } from '../../src/articles/purity.ts';

const codes = (source: string) =>
  purityProblems('content/articles/x/figures.ts', source).map(({ code }) => code);

test('a module of measure may be imported, anything else may not', () => {
  assert.deepEqual(codes("import { share } from '../../../src/measure/figures.ts';\n"), []);
  for (const path of [
    'node:fs',
    '../../../src/disk/append.ts',
    '../../../src/measure/../load.ts',
  ]) {
    assert.deepEqual(codes(`import { x } from '${path}';\n`), ['figures.import'], path);
  }
});

test('the word from inside a string is no import', () => {
  assert.deepEqual(codes("const columns = [{ key: 'from', label: 'From' }];\n"), []);
});
