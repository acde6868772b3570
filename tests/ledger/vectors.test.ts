/** The public vectors, where VECTORS_DIR names their folder; without it our own (tests/vectors) stand alone. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { jcs, parseLine } from '../../src/ledger/canonical.ts';
import { verifyInclusion } from '../../src/ledger/tree.ts';

const dir = process.env.VECTORS_DIR;

function given(t: TestContext, what: string): string | null {
  if (dir === undefined) t.diagnostic(`${what}: VECTORS_DIR was not given, 0 run`);
  return dir ?? null;
}

test('RFC 8785: each input becomes the published output, to the byte', (t) => {
  const root = given(t, 'RFC 8785');
  if (root === null) return;
  const names = readdirSync(join(root, 'jcs/input'));
  for (const name of names) {
    const value: unknown = JSON.parse(readFileSync(join(root, 'jcs/input', name), 'utf8'));
    const want: string = readFileSync(join(root, 'jcs/output', name), 'utf8');
    assert.equal(jcs(value), want, name);
    const hex: string = readFileSync(
      join(root, 'jcs/outhex', name.replace('.json', '.txt')),
      'utf8',
    );
    assert.equal(Buffer.from(jcs(value)).toString('hex'), hex.replaceAll(/\s/g, ''), name);
  }
  assert.ok(names.length > 0);
  t.diagnostic(`RFC 8785: ${names.length} of ${names.length}`);
});

test('JSONTestSuite: no n_ file is a line, and a y_ file is one only if it is canonical', (t) => {
  const root = given(t, 'JSONTestSuite');
  if (root === null) return;
  const at = join(root, 'json-test-suite/test_parsing');
  const names = readdirSync(at);
  let refused = 0;
  for (const name of names) {
    const bytes = readFileSync(join(at, name));
    const read = parseLine(bytes);
    if (name.startsWith('n_')) {
      assert.ok(!read.ok, name);
      refused++;
    } else if (read.ok) assert.equal(jcs(read.value), bytes.toString(), name);
  }
  assert.equal(refused, 188);
  t.diagnostic(`JSONTestSuite: ${names.length} of ${names.length}, n_ refused: ${refused} of 188`);
});

test('RFC 6962: inclusion proofs that hold are accepted, all others refused', (t) => {
  const root = given(t, 'RFC 6962');
  if (root === null) return;
  const at = join(root, 'merkle/inclusion');
  const files = readdirSync(at, { recursive: true, encoding: 'utf8' }).filter((f) =>
    f.endsWith('.json'),
  );
  interface Vector {
    leafIdx: number;
    treeSize: number;
    root: string;
    leafHash: string;
    proof: string[] | null;
    wantErr: boolean;
  }
  const unbase64 = (text: string) => new Uint8Array(Buffer.from(text, 'base64'));
  for (const file of files) {
    const v = JSON.parse(readFileSync(join(at, file), 'utf8')) as Vector;
    const holds = verifyInclusion(
      { index: v.leafIdx, size: v.treeSize, leaf: unbase64(v.leafHash), root: unbase64(v.root) },
      (v.proof ?? []).map(unbase64),
    );
    assert.equal(holds, !v.wantErr, file);
  }
  assert.ok(files.length > 0);
  t.diagnostic(`RFC 6962 inclusion: ${files.length} of ${files.length}`);
});
