import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Lines, LineTooLong } from '../../src/probe/lines.ts';

function split(chunks: Uint8Array[], limit = 1000): string[] {
  const lines = new Lines(limit);
  const found = chunks.flatMap((chunk) => [...lines.push(chunk)]);
  const rest = lines.end();
  return [...found, ...(rest === null ? [] : [rest])].map((line) => Buffer.from(line).toString());
}

test('the same lines come out wherever the bytes are cut', () => {
  const bytes = Buffer.from('one\r\ntwö\n\n\r\nthr\ree\nlast');
  for (let size = 1; size <= bytes.length; size++) {
    const chunks = [];
    for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size));
    assert.deepEqual(split(chunks), ['one', 'twö', 'thr\ree', 'last'], `cut every ${size} bytes`);
  }
});

test('a line of just the limit passes, with LF, CRLF or no end; one byte more is refused', () => {
  for (const end of ['\n', '\r\n', '']) {
    assert.deepEqual(split([Buffer.from(`12345${end}`)], 5), ['12345']);
    assert.throws(() => split([Buffer.from(`123456${end}`)], 5), LineTooLong);
    assert.throws(() => split([Buffer.from('123'), Buffer.from(`456${end}`)], 5), LineTooLong);
  }
});

test('a long line in many pieces takes time in proportion to its length', () => {
  const chunk = Buffer.alloc(4096, 'x');
  const lines = new Lines(2 ** 26);
  const started = performance.now();
  for (let i = 0; i < 8192; i++) assert.deepEqual([...lines.push(chunk)], []);
  assert.equal([...lines.push(Buffer.from('\n'))][0]?.length, 2 ** 25);
  assert.ok(performance.now() - started < 10_000);
});
