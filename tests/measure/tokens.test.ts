import assert from 'node:assert/strict';
import { test } from 'node:test';
import { o200k } from '../../src/measure/o200k.ts';
import { createTokenizer } from '../../src/measure/tokens.ts';
import { agreesOnRandomText, assertAgrees, base64, milliseconds } from './oracle.ts';

test('gives the tokens of js-tiktoken for text that is hard to split or merge', () => {
  for (const text of [
    '',
    ' ',
    'hello world',
    "I'M we'll they'd 'S",
    'createPullRequestReview HTMLParser snake_case kebab-case',
    '{"type":"object","properties":{"n":{"type":"integer","minimum":0}}}',
    '1 12 123 1234 12345678901',
    '\r\n\r\n  \t x\u00a0y \u2028 \u0085 \ufeff',
    '   leading, trailing   ',
    'e\u0301 é ñ \u0301\u0301 ﬁ',
    '日本語 中文 한국어 ไทย עברית العربية हिन्दी',
    '😀👍🏽👨‍👩‍👧 𝒳',
    '\0\u0001\u007f',
    'a'.repeat(300),
    '-'.repeat(300),
    '中'.repeat(300),
    `${' '.repeat(300)}x`,
  ]) {
    assertAgrees(text);
  }
});

test('gives the tokens of js-tiktoken for random text', () => {
  agreesOnRandomText(400);
});

test('takes special tokens in text as ordinary text, and never throws on them', () => {
  for (const text of ['<|endoftext|>', 'a<|endofprompt|>b', '<|endoftext|><|endoftext|>']) {
    assertAgrees(text);
    assert.ok(o200k().count(text) > 2);
  }
});

test('takes a lone surrogate as U+FFFD, as js-tiktoken does', () => {
  for (const text of ['\ud800', 'a\udfff b', '\udc00\ud800', '\ud83d 😀 \ude00'])
    assertAgrees(text);
});

test('counts 100,000 of one character, 100 kB of Chinese and of base64 in under 0.3 s each', () => {
  o200k();
  const hostile = {
    a: 'a'.repeat(100_000),
    A: 'A'.repeat(100_000),
    space: ' '.repeat(100_000),
    newline: '\n'.repeat(100_000),
    dash: '-'.repeat(100_000),
    surrogate: '\ud800'.repeat(100_000),
    accent: '\u0301'.repeat(50_000),
    emoji: '😀'.repeat(25_000),
    'one Chinese character': '中'.repeat(33_334),
    Chinese: '的一是在不了有和人这中大为上个国我以要他'.repeat(1667),
    base64: base64(100_000),
  };
  for (const [what, text] of Object.entries(hostile)) {
    const took = milliseconds(() => o200k().count(text));
    assert.ok(took < 300, `${what} took ${took} ms`);
  }
});

test('keeps counting right while its cache of pieces overflows', () => {
  const words = Array.from({ length: 70_000 }, (_, i) => `q${(i * 7919).toString(36)}z`);
  const text = words.join(' ');
  const first = o200k().count(text);
  assert.equal(o200k().count(text), first);
  assertAgrees(words.slice(-500).join(' '));
});

test('merges the lowest rank first, the leftmost among equals, and drops what no pattern matches', () => {
  const ranks = new Map([...'abc'].map((letter, rank) => [letter, rank]));
  ranks.set('aa', 3).set('bc', 4).set('ab', 5).set('abc', 6);
  const tokenizer = createTokenizer({ patterns: ['[abc]+'], ranks }, 'test');
  assert.deepEqual(tokenizer.encode('aaa'), [3, 0]);
  assert.deepEqual(tokenizer.encode('abc'), [6]);
  assert.deepEqual(tokenizer.encode('abcab'), [6, 5]);
  assert.deepEqual(tokenizer.encode('a-😀b'), [0, 1]);
});
