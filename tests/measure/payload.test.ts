import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parsePayload } from '../../src/measure/payload.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const page = (...tools: unknown[]) =>
  `${JSON.stringify({ jsonrpc: '2.0', id: 1001, result: { tools } })}\n`;

test('reads the tools of all pages in order, with every field they came with', () => {
  const a = { name: 'a', description: 'A', inputSchema: { type: 'object' }, title: 'x' };
  assert.deepEqual(parsePayload(bytes(page(a, { name: 'b' }) + page() + page({ name: 'c' }))), [
    a,
    { name: 'b' },
    { name: 'c' },
  ]);
});

test('refuses what is no payload and names the page', () => {
  for (const [text, message] of [
    ['', /line feed/],
    [page().trimEnd(), /line feed/],
    [`${page()}\n`, /page 2 is not JSON/],
    [`\ufeff${page()}`, /page 1 is not JSON/],
    [`${page()}{"result":\n`, /page 2 is not JSON/],
    ['null\n', /page 1 has no list/],
    ['{"error":{}}\n', /page 1 has no list/],
    ['{"result":{"tools":{}}}\n', /page 1 has no list/],
    [page({ name: 'a' }, { title: 'b' }), /page 1: tool 2 has no name/],
    [page(null), /tool 1 has no name/],
    [page([]), /tool 1 has no name/],
    [page({ name: 7 }), /tool 1 has no name/],
  ] as const) {
    assert.throws(() => parsePayload(bytes(text)), { name: 'SyntaxError', message }, text);
  }
  assert.throws(() => parsePayload(Uint8Array.of(0x22, 0xff, 0x22, 0x0a)), TypeError);
});
