import assert from 'node:assert/strict';
import { test } from 'node:test';
import { o200k } from '../../src/measure/o200k.ts';
import { parsePayload } from '../../src/measure/payload.ts';
import { weigh } from '../../src/measure/weigh.ts';
import { milliseconds } from './oracle.ts';

test('weighs a catalogue of 20 MB in under 45 s of processor time', () => {
  // Distinct words and numbers throughout: neither the cache nor the repeats make it easy.
  const tools = Array.from({ length: 9000 }, (_, i) => ({
    name: `tool_${i}`,
    description: `Tool ${i} ${'changes the thing it is given and says so. '.repeat(20)}`,
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(
        Array.from({ length: 16 }, (_, j) => [
          `field_${(i * 131 + j * 7919).toString(36)}`,
          {
            type: 'string',
            description: `The ${(i * 7 + j).toString(36)} of ${i + j}`,
            maxLength: i,
          },
        ]),
      ),
    },
  }));
  const payload = new TextEncoder().encode(`${JSON.stringify({ result: { tools } })}\n`);
  assert.ok(payload.length > 20e6, `${payload.length} bytes`);
  const took = milliseconds(() => {
    const options = { shape: 'anthropic', server: 'big', tokenizer: o200k() } as const;
    assert.equal(weigh(parsePayload(payload), options).tools, 9000);
  }, 1);
  assert.ok(took < 45_000, `${took} ms`);
});
