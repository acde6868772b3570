/** Law 2 by table: what the number lint catches, and what it leaves alone. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Constant, lintNumbers, nearest, numbersIn } from '../../src/articles/lint.ts';
import { parseBody } from '../../src/articles/mdx.ts';

const texts = (text: string, options?: Parameters<typeof numbersIn>[1]): string[] =>
  numbersIn(text, options).map((found) => found.text);

const CAUGHT: [text: string, ...found: string[]][] = [
  ['24 tools', '24'],
  ['it has 1,234 of them', '1,234'],
  ['1.5 times, or .5', '1.5', '5'],
  ['81.1% of it', '81.1%'],
  ['81.1 % of it', '81.1'],
  ['10x as much', '10x'],
  ['2KB, 5ms and 10k', '2KB', '5ms', '10k'],
  ['2.5MB and 1e6', '2.5MB', '1e6'],
  ['1h30m in all', '1h30m'],
  ['a 2x4 grid', '2x4'],
  ['１，２３４ and ２４ full width', '１', '２３４', '２４'],
  ['٢٤ tools in Arabic digits', '٢٤'],
  ['१२ in Devanagari', '१२'],
  ['½ of it, 2½ times', '½', '2½'],
  ['10² and ①', '10²', '①'],
  ['Ⅻ as one character', 'Ⅻ'],
  ['1_000 tools', '1_000'],
  ['$12 or €12 or ±3', '12', '12', '3'],
  ['minus -5 and −5', '5', '5'],
  ['10–20 tools, 3/4 of it', '10', '20', '3', '4'],
  ['a 200-token window', '200'],
  ['the year 2026', '2026'],
  ['SHA-256 and UTF-8', '256', '8'],
  ['JSON-RPC 2.0', '2.0'],
  ['127.0.0.1 is no version', '127.0.0.1'],
  ['30 Nov 2026', '30', '2026'],
  ['32 November 2026', '32'],
  ['2026-13-01 and 2026-11-32', '2026', '13', '01', '2026', '11', '32'],
  ['RFC 8785.5 and step 3% of', '8785.5', '3%'],
  ['issue 1,200 tools', '1,200'],
  ['steps 12', '12'],
  ['eleven servers and twenty-five tools', 'eleven', 'twenty-five'],
  ['two hundred and five, a dozen', 'two hundred and five', 'dozen'],
  ['Thousands of tools, a million', 'Thousands', 'million'],
  ['the twelfth, the twentieth, a hundredfold', 'twelfth', 'twentieth', 'hundredfold'],
  ['ten or eleven', 'eleven'],
  ['qwen3,24 tools', '24'],
  ['1st and 22nd', '1st', '22nd'],
];
for (const [text, ...found] of CAUGHT) {
  test(`catches ${JSON.stringify(found)} in "${text}"`, () => assert.deepEqual(texts(text), found));
}

const EXEMPT = [
  'on 2026-11-30, at 2026-11-30T04:05:06Z, in 2026-11',
  'on 30 November 2026, on 17 August, in November 2026 and on November 30, 2026',
  'revision 2025-11-25 of the protocol',
  'version 2.5.2, v1.0.0-beta.1 and 2025.4.8',
  'o200k_base, qwen3, h2, v2, qwen2.5 and tool_2',
  'one, two, ten and the tenth, tenfold',
  'RFC 8785, RFC8785, HTTP 404, issue 5, Issue #7, #12, S3, step 4, Step 4, § 5 and §6',
  'https://example.org/2026/11?page=3',
  'someone, often, attention, weights and hundredweight',
];
for (const text of EXEMPT) {
  test(`leaves "${text}" alone`, () => assert.deepEqual(texts(text), []));
}

test('a constant covers its value however it is grouped or spelled, and nothing longer', () => {
  const constants: Constant[] = [
    { value: 200000, reason: 'a window' },
    { value: 64, reason: 'a threshold' },
    { value: 'SHA-256', reason: 'a name' },
  ];
  assert.deepEqual(texts('200,000 or 200000, SHA-256, 64 and sixty-four', { constants }), []);
  assert.deepEqual(texts('1,200,000, 200, 256 and SHA-2567', { constants }), [
    '1,200,000',
    '200',
    '256',
    '2567',
  ]);
});

test('a heading may begin with its own ordinal and hold no other number', () => {
  assert.deepEqual(texts('2.1. What it costs', { heading: true }), []);
  assert.deepEqual(texts('3) What it costs', { heading: true }), []);
  assert.deepEqual(texts('24 tools cost', { heading: true }), ['24']);
  assert.deepEqual(texts('2. What 24 tools cost', { heading: true }), ['24']);
  assert.deepEqual(texts('2. What it costs'), ['2']);
});

test('a slot is a bound number only where slots are read', () => {
  assert.deepEqual(texts('{servers.s2.tokens} and 5', { slots: true }), ['5']);
  assert.deepEqual(texts('{servers 12}', { slots: true }), ['12']);
  assert.deepEqual(texts('{12}'), ['12']);
});

const lint = (mdx: string): string[] => {
  const body = parseBody('x.mdx', mdx);
  assert.deepEqual(body.problems, []);
  return lintNumbers(body.prose, [], [{ id: 'a.b', text: '24', value: 24 }]).map(
    ({ at, message }) => `${at} ${message}`,
  );
};

test('MDX is linted in its text alone: code, quotes, links and component ids are left out', () => {
  assert.deepEqual(
    lint(
      'Some `12` <Fig id="servers.x1.n"/>.\n\n```js\n12\n```\n\n> 13\n\n[14](http://x/15) https://x.org/16\n\n1. a list',
    ),
    [],
  );
});

test('alternative texts and titles are prose', () => {
  assert.deepEqual(lint('![a 17](x.png "b 18") [c](y "d 19")').length, 3);
});

test('a number is named with its file, line, column and nearest figure', () => {
  assert.deepEqual(lint('One.\r\n\r\n𝒳 &amp; **25 tools** 24\n'), [
    'x.mdx:3:12 "25" is bound to no figure; the nearest is a.b (24)',
    'x.mdx:3:23 "24" is bound to no figure; the nearest is a.b (24)',
  ]);
});

test('a number spelled by entities is still caught, at the start of its text', () => {
  assert.deepEqual(lint('Some &#50;&#53; tools'), [
    'x.mdx:1:1 "25" is bound to no figure; the nearest is a.b (24)',
  ]);
});

test('a comment right behind a number excuses that number alone', () => {
  assert.deepEqual(lint('Of 12 and 13 {/* number: said in passing */} and 14'), [
    'x.mdx:1:4 "12" is bound to no figure; the nearest is a.b (24)',
    'x.mdx:1:50 "14" is bound to no figure; the nearest is a.b (24)',
  ]);
});

test('a comment that excuses nothing, or says nothing, is a problem of its own', () => {
  assert.match(lint('Nothing {/* number: here */} at all')[0]!, /excuses no number/);
  const codes = (mdx: string) => parseBody('x.mdx', mdx).problems.map(({ code }) => code);
  assert.deepEqual(codes('12 {/* number: */}'), ['number.reason']);
  assert.deepEqual(codes('{/* number: alone */}'), ['number.reason']);
  assert.deepEqual(codes('{/* any other comment */}'), []);
});

test('the nearest figure is the one that looks the same, before the one that is closest', () => {
  const figures = [
    { id: 'close', text: '17,306', value: 17306 },
    { id: 'same', text: '17,307', value: 17307.2 },
    { id: 'small', text: '0.5', value: 0.5 },
  ];
  const near = (text: string) => nearest(numbersIn(text)[0]!, figures)?.id;
  assert.equal(near('17,307 tokens'), 'same');
  assert.equal(near('17306 tokens'), 'close');
  assert.equal(near('½ of it'), 'small');
  assert.equal(near('seventeen thousand tokens'), 'close');
});
