import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toBase64 } from '../../src/ledger/base64.ts';
import { signCheckpoint } from '../../src/ledger/checkpoint.ts';
import { formatProof, parseProof, proveEntry, verifyProof } from '../../src/ledger/proof.ts';
import { TileReader } from '../../src/ledger/tile.ts';
import { flip, headOf, OTHER, SKEY, serve, sha256, signedLog } from './tiled.ts';

const VKEYS = [SKEY.vkey];
const prove = async (size: number, index: number) => {
  const made = signedLog(size);
  const reader = new TileReader(serve(made.log), made.head, sha256);
  return { ...made, proof: await proveEntry(reader, made.checkpoint, index) };
};

test('a proof stands alone: with the public key it gives the entry, its place and the checkpoint', async () => {
  for (const [size, index] of [
    [1, 0],
    [2, 1],
    [300, 0],
    [300, 150],
    [300, 299],
  ] as const) {
    const { proof, lines, head } = await prove(size, index);
    const proven = verifyProof(proof, VKEYS);
    assert.deepEqual(proven.line, lines[index]);
    assert.equal(proven.index, index);
    assert.equal(proven.checkpoint.size, head.size);
    assert.deepEqual(verifyProof(proof, VKEYS, lines[index]).line, lines[index]);
  }
});

test('a proof without the entry needs it, and says so', async () => {
  const { proof, lines } = await prove(9, 4);
  const bare = formatProof({ ...parseProof(proof), extra: null });
  assert.ok(!bare.includes('extra'));
  assert.equal(verifyProof(bare, VKEYS, lines[4]).index, 4);
  assert.throws(() => verifyProof(bare, VKEYS), { code: 'proof.entry' });
});

test('what is written is what is read', async () => {
  const { proof } = await prove(300, 77);
  assert.equal(formatProof(parseProof(proof)), proof);
});

test('another entry, place, hash, order of hashes or tree does not hold', async () => {
  const { proof, lines } = await prove(300, 77);
  const parsed = parseProof(proof);
  const no = (code: string, change: Partial<typeof parsed>, line: Uint8Array | null = null) =>
    assert.throws(() => verifyProof(formatProof({ ...parsed, ...change }), VKEYS, line), { code });
  const { hashes } = parsed;
  no('proof.altered', {}, lines[78]!);
  no('proof.altered', { extra: flip(parsed.extra!, 3) });
  no('proof.altered', { index: 76 });
  no('proof.altered', { index: 300 });
  no('proof.altered', { hashes: hashes.with(2, flip(hashes[2]!, 100)) });
  no('proof.altered', { hashes: hashes.with(0, hashes[1]!).with(1, hashes[0]!) });
  no('proof.altered', { hashes: hashes.slice(1) });
  no('proof.altered', { hashes: [...hashes, hashes[0]!] });
  no('proof.altered', { checkpoint: signCheckpoint(headOf(lines.slice(0, 299)), SKEY) });
  no('note.unsigned', { checkpoint: signCheckpoint(headOf(lines), OTHER) });
});

test('one bit anywhere in a proof is caught, and by the part of it that broke', async () => {
  const { proof } = await prove(5, 2);
  const bytes = new TextEncoder().encode(proof);
  const codes = new Set<string>();
  const dash = proof.lastIndexOf('\u2014');
  for (let bit = 0; bit < bytes.length * 8; bit += 5) {
    const text = new TextDecoder().decode(flip(bytes, bit));
    assert.throws(
      () => verifyProof(text, VKEYS),
      (error: Error) => 'code' in error && Boolean(codes.add(String(error.code))),
      `bit ${bit} of ${dash}`,
    );
  }
  const all = ['note.form', 'note.signature', 'note.unsigned', 'proof.altered', 'proof.form'];
  for (const code of all) assert.ok(codes.has(code), `${code} among ${[...codes]}`);
});

test('a proof that is not exactly of the form is refused', async () => {
  const { proof } = await prove(9, 4);
  const { extra } = parseProof(proof);
  const line = `extra ${toBase64(extra!)}`;
  for (const bad of [
    '',
    proof.replace('@v1', '@v2'),
    proof.replaceAll('\n', '\r\n'),
    proof.replace('index 4', 'index 04'),
    proof.replace('index 4', 'index -4'),
    proof.replace('index 4', 'index 4 '),
    proof.replace('index 4', 'index 9007199254740992'),
    proof.replace('index 4\n', ''),
    proof.replace(line, `${line}\n${line}`),
    proof.replace(line, `${line}=`),
    proof.replace('index 4', 'index 4\nAAAA'),
    proof.replace('index 4', `index 4${`\n${toBase64(new Uint8Array(32))}`.repeat(50)}`),
    proof.slice(0, proof.indexOf('\n\n')),
  ]) {
    assert.throws(() => verifyProof(bad, VKEYS), { code: 'proof.form' }, bad);
  }
});
