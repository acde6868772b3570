import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeHash } from '../../src/disk/hash.ts';
import { Batch } from '../../src/ledger/batch.ts';
import { canonical } from '../../src/ledger/canonical.ts';
import { FILE_LINES, fileName } from '../../src/ledger/file.ts';
import { Fold } from '../../src/ledger/fold.ts';
import { genesis } from '../../src/ledger/genesis.ts';
import { hex } from '../../src/ledger/tree.ts';
import { MAX_PROBLEMS, type Source, verify } from '../../src/ledger/verify.ts';
import vectors from '../vectors/ledger.json' with { type: 'json' };
import { capture, claim, ORIGIN, STAMP, slots, source } from './drafts.ts';

const encode = (text: string) => new TextEncoder().encode(text);

/** A ledger that holds: a capture with its payload, then sources and claims. */
function make(entries: number) {
  const batch = new Batch(new Fold({ genesis: genesis(ORIGIN, nodeHash) }), STAMP);
  const blob = batch.blob(encode('{"result":{"tools":[]}}\n'));
  const { leaf } = batch.add(capture({ blob }));
  for (let i = 1; i < entries; i++) {
    batch.add(i % 2 ? source({ id: `s${i}` }) : claim({ id: `c${i}`, slots: slots(leaf) }));
  }
  const lines = batch.lines.map((line) => new TextDecoder().decode(line));
  return { batch, lines, blobs: new Map(batch.blobs), blob };
}

const read = (text: string, blobs: ReadonlyMap<string, Uint8Array>, more: Partial<Source> = {}) =>
  verify({
    origin: ORIGIN,
    files: [{ name: '000.jsonl', bytes: encode(text) }],
    blob: (name) => blobs.get(name) ?? null,
    blobs: blobs.keys(),
    ...more,
  });
const told = ({ problems }: ReturnType<typeof verify>) =>
  problems.map(({ code, seq }) => `${code} ${seq}`);
const join = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('');

test('a ledger worked out in Python verifies here, with the same root and head', () => {
  const { origin, entries, root } = vectors.chain;
  const verdict = read(join(entries.map(({ line }) => line)), new Map(), { origin });
  assert.deepEqual(verdict.problems, []);
  assert.equal(verdict.root, root);
  assert.equal(verdict.head, entries.at(-1)?.leaf);
  assert.equal(genesis(origin, nodeHash), vectors.chain.genesis);
});

test('a ledger that holds is said to hold, and what can not be known is said as well', () => {
  const { lines, blobs, batch } = make(9);
  const verdict = read(join(lines), blobs);
  assert.deepEqual(verdict.problems, []);
  assert.ok(verdict.ok);
  assert.deepEqual([verdict.entries, verdict.blobs], [9, 1]);
  assert.equal(verdict.head, batch.fold.head);
  assert.match(verdict.limits.join(), /checkpoint/);
});

test('an empty ledger holds: its root is that of no leaves and its head the genesis hash', () => {
  const verdict = verify({ origin: ORIGIN, files: [], blob: () => null, blobs: [] });
  assert.ok(verdict.ok);
  assert.equal(verdict.root, hex(nodeHash(new Uint8Array())));
  assert.equal(verdict.head, genesis(ORIGIN, nodeHash));
});

test('entries of one log are not taken for those of another', () => {
  const { lines, blobs } = make(2);
  assert.deepEqual(told(read(join(lines), blobs, { origin: 'other.example/ledger' })), [
    'chain.prev 0',
  ]);
});

test('every way of tampering with lines is named, with the entry it was done to', () => {
  const { lines, blobs } = make(6);
  const edit = (change: (copy: string[]) => unknown): string => {
    const copy = [...lines];
    change(copy);
    return join(copy);
  };
  const alter = (at: number, from: string | RegExp, to: string) =>
    edit((copy) => {
      copy[at] = copy[at]!.replace(from, to);
    });
  const cases: [string, string, string[]][] = [
    ['altered', alter(2, '17307', '17308'), ['chain.prev 3']],
    ['cut in the middle', edit((c) => c.splice(2, 1)), ['seq.missing 2']],
    ['cut at the head', edit((c) => c.splice(0, 1)), ['seq.missing 0', 'blob.orphan null']],
    ['reordered', edit((c) => c.splice(2, 2, c[3]!, c[2]!)), ['seq.reordered 2']],
    ['duplicated', edit((c) => c.splice(2, 0, c[2]!)), ['seq.duplicate 2']],
    [
      'two writers with one number',
      edit((c) => c.splice(3, 0, c[2]!.replace('17307', '9'))),
      ['seq.duplicate 2'],
    ],
    ['with CR LF', edit((c) => c.splice(2, 1, `${c[2]}\r`)), ['line.crlf 2']],
    ['with a BOM', `\ufeff${join(lines)}`, ['line.bom 0', 'blob.orphan null']],
    ['blank', edit((c) => c.splice(2, 0, '')), ['line.blank 2']],
    ['torn', join(lines).slice(0, -1), ['line.torn 5']],
    ['no JSON', alter(2, /}$/, ''), ['line.json 2']],
    ['spaced', alter(2, '"seq":2', '"seq": 2'), ['line.canonical 2']],
    ['of another version', alter(2, '"v":1', '"v":2'), ['entry.schema 2']],
    ['of an unknown type', alter(2, 'claim.put', 'claim.pat'), ['entry.schema 2']],
    [
      'without a prev that holds',
      alter(1, /"prev":"[0-9a-f]{64}"/, '"prev":"0"'),
      ['entry.schema 1'],
    ],
    [
      're-linked',
      alter(5, /"prev":"[0-9a-f]{64}"/, `"prev":"${'0'.repeat(64)}"`),
      ['chain.prev 5'],
    ],
  ];
  for (const [what, text, want] of cases) {
    const verdict = read(text, blobs);
    assert.equal(verdict.ok, false, what);
    for (const problem of want)
      assert.ok(told(verdict).includes(problem), `${what}: ${told(verdict)}`);
    assert.equal(told(verdict)[0], want[0], what);
  }
});

test('a cut of whole entries at the end shows where it orphans a payload, and only there', () => {
  const { batch, lines, blobs } = make(3);
  const more = new Batch(batch.fold, STAMP);
  const blob = more.blob(encode('{"result":{"tools":[1]}}\n'));
  more.add(capture({ server: 'github', blob }));
  const all = new Map([...blobs, ...more.blobs]);
  assert.deepEqual(told(read(join(lines), all)), ['blob.orphan null']);
  const cutClaim = read(join(lines.slice(0, -1)), blobs);
  assert.ok(cutClaim.ok);
  assert.match(cutClaim.limits.join(), /nobody can tell/);
});

test('autocrlf, which alters every line, gives a list that ends and says how long it is', () => {
  const { lines, blobs } = make(FILE_LINES);
  const verdict = read(lines.map((line) => `${line}\r\n`).join(''), blobs);
  assert.equal(verdict.problems.length, MAX_PROBLEMS + 1);
  assert.deepEqual(verdict.problems.at(-1), {
    code: 'more',
    seq: null,
    message: `and ${FILE_LINES + 1 - MAX_PROBLEMS} more`, // the payload's line was refused too
  });
});

test('every byte of a line counts: no single flipped bit goes unseen', () => {
  const { lines, blobs } = make(3);
  const whole = encode(join(lines));
  for (let at = 0; at < whole.length - lines[2]!.length - 1; at += 3) {
    const altered = whole.slice();
    altered[at]! ^= 1;
    const verdict = read('', blobs, { files: [{ name: '000.jsonl', bytes: altered }] });
    assert.equal(verdict.ok, false, `byte ${at}`);
  }
});

test('a blob that is altered, shorter, missing or named by nobody is told', () => {
  const { lines, blobs, blob } = make(2);
  const text = join(lines);
  const payload = blobs.get(blob.sha256)!;
  const altered = payload.slice();
  altered[3]! ^= 1;
  const put = (bytes: Uint8Array) => new Map([[blob.sha256, bytes]]);
  assert.deepEqual(told(read(text, put(altered))), ['blob.altered 0']);
  assert.deepEqual(told(read(text, put(payload.subarray(1)))), ['blob.altered 0']);
  assert.deepEqual(told(read(text, new Map())), ['blob.missing 0']);
  const more = new Map([...blobs, ['f'.repeat(64), payload]]);
  assert.deepEqual(told(read(text, more)), ['blob.orphan null']);
});

test('a redacted blob is gone without being missed, and told where it is still there', () => {
  const { batch, lines, blob, blobs } = make(2);
  const { sha256 } = blob;
  batch.add({ type: 'blob.redact', article: null, body: { sha256, reason: 'a secret' } });
  const text = join([...lines, new TextDecoder().decode(batch.lines.at(-1))]);
  const verdict = read(text, new Map());
  assert.deepEqual([verdict.problems, verdict.redacted, verdict.blobs], [[], 1, 0]);
  assert.deepEqual(told(read(text, blobs)), ['blob.kept 2']);
});

test('a file is full before the next begins, and stands under its own name', () => {
  const { lines, blobs } = make(2 * FILE_LINES + 3);
  const part = (from: number, to?: number) => encode(join(lines.slice(from, to)));
  const files = [part(0, 256), part(256, 512), part(512)].map((bytes, i) => ({
    name: fileName(i * FILE_LINES),
    bytes,
  }));
  const told3 = (some: typeof files) => told(read('', blobs, { files: some }));
  assert.deepEqual(told3(files), []);
  const [a, b, c] = files as [(typeof files)[0], (typeof files)[0], (typeof files)[0]];
  assert.deepEqual(told3([{ ...a, bytes: part(0, 255) }, { ...b, bytes: part(255, 512) }, c]), [
    'file.short null',
    'file.full null',
  ]);
  assert.deepEqual(told3([a, { ...b, name: '003.jsonl' }, c]), ['file.name null']);
  assert.ok(told3([a, c]).includes('file.name null'));
  assert.ok(told3([b, a, c]).includes('file.name null'));
  assert.equal(fileName(1000 * FILE_LINES), '1000.jsonl');
});

test('references are verified too: a line that links well but names what is not there is told', () => {
  const { batch, lines, blobs } = make(2);
  const body = { ...claim().body, slots: slots('a'.repeat(64)) };
  const { size: seq, head: prev } = batch.fold;
  const line = canonical({ ...STAMP, ...claim(), body, seq, prev, v: 1 });
  assert.deepEqual(told(read(join([...lines, line]), blobs)), ['ref.input 2']);
});

test('moving characters from one field to the next gives another leaf', () => {
  const leaf = (url: string, title: string) => {
    const batch = new Batch(new Fold({ genesis: genesis(ORIGIN, nodeHash) }), STAMP);
    return batch.add(source({ url, title })).leaf;
  };
  assert.notEqual(leaf('https://a|b', 'c'), leaf('https://a', 'b|c'));
});
