/** js-tiktoken as the oracle of token counts, and text to compare on. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Tiktoken } from 'js-tiktoken/lite';
import o200kBase from 'js-tiktoken/ranks/o200k_base';
import { o200k } from '../../src/measure/o200k.ts';

let oracle: Tiktoken | undefined;

export function assertAgrees(text: string): void {
  oracle ??= new Tiktoken(o200kBase);
  const expected = oracle.encode(text, [], []);
  assert.deepEqual(o200k().encode(text), expected, JSON.stringify(text.slice(0, 200)));
  assert.equal(o200k().count(text), expected.length);
}

/** Text that mixes words, code, JSON, scripts, spaces, surrogates and special tokens. */
const mixed = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: 'grapheme' }),
      fc.string({
        unit: fc.constantFrom('a', 'B', ' ', '\n', '\r', '\t', "'", 's', '1', '/', '中'),
      }),
      fc.json(),
      fc.constantFrom('<|endoftext|>', "'ll", ' the', 'Parser', '\ud800', '\u0301', 'ǅ', 'ʰ', '٣'),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''));

export function agreesOnRandomText(runs: number): void {
  fc.assert(fc.property(mixed, assertAgrees), { numRuns: runs });
}

/** Base64 of bytes that no table holds, always the same. */
export function base64(length: number): string {
  let state = 1;
  const bytes = Uint8Array.from({ length }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return state >>> 24;
  });
  return Buffer.from(bytes).toString('base64').slice(0, length);
}

/**
 * Milliseconds of processor time, the least of three runs: a machine that is busy with other things
 * makes the clock run on, not this.
 */
export function milliseconds(act: () => void, runs = 3): number {
  return Math.min(
    ...Array.from({ length: runs }, () => {
      const before = process.cpuUsage();
      act();
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1000;
    }),
  );
}
