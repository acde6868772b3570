import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from '../../src/sources/page.ts';
import { findQuote } from '../../src/sources/quote.ts';
import { readings } from '../../src/sources/reading.ts';

const look = (text: string, quote: string, more: Partial<Page> = {}) =>
  findQuote(readings({ url: 'https://example.org/', type: 'text/html', text, ...more }), quote);

const HELD: [string, string, string, Partial<Page>?][] = [
  ['over a line break', '<p>costs\n   40,784\ttokens</p>', 'costs 40,784 tokens'],
  [
    'through inline markup',
    '<p>co<b>sts <i>4</i></b>0,784 <a href="#">tokens</a>',
    'costs 40,784 tokens',
  ],
  ['with its entities', '<p>A &amp; B&nbsp;&mdash; &#8220;C&#x201d;</p>', 'A & B — “C”'],
  ['with a soft hyphen and a zero-width space', '<p>defi&shy;ni\u200btion</p>', 'definition'],
  ['composed otherwise', '<p>Cafe\u0301</p>', 'Café'],
  ['in a page that never closes a tag', '<body><p>one<p>two <table><tr><td>three', 'three'],
  ['in markdown as written', '**costs** `40`', '**costs** `40`', { type: 'text/markdown' }],
  [
    'in markdown as shown',
    '> It **costs**\n> [40](/x) &amp; more',
    'It costs 40 & more',
    { type: 'text/markdown' },
  ],
  [
    'in markdown sent as plain text',
    '_costs_ 40',
    'costs 40',
    { type: 'text/plain', url: 'https://example.org/a.mdx' },
  ],
  [
    'in a string of JSON',
    '{"a":[{"b":"It \\"costs\\"\\n40"}]}',
    'It "costs" 40',
    { type: 'application/json' },
  ],
  ['in JSON as written', '{"tokens": 40}', '"tokens": 40', { type: 'application/problem+json' }],
  ['in HTML whose type nobody named', ' <p>It <b>costs</b></p>', 'It costs', { type: '' }],
];
for (const [where, text, quote, more] of HELD) {
  test(`finds a quote ${where}`, () => {
    assert.deepEqual(look(text, quote, more), { exact: true, near: null });
  });
}

const NOT_HELD: [string, string, string][] = [
  ['in a script', '<script>const a = "It costs 40";</script>', 'It costs 40'],
  ['in a template', '<template><p>It costs 40</template><p>x', 'It costs 40'],
  ['in a comment', '<!-- It costs 40 --><p>x', 'It costs 40'],
  ['in an attribute', '<p title="It costs 40">x', 'It costs 40'],
  ['glued together from two blocks', '<p>It costs</p><p>40</p>', 'It costs40'],
  ['with another number', '<p>It costs 41', 'It costs 40'],
];
for (const [where, text, quote] of NOT_HELD) {
  test(`finds no quote ${where}`, () => {
    assert.deepEqual(look(text, quote), { exact: false, near: null });
  });
}

test('takes no curly mark for a straight one, and tells the words as they stand', () => {
  assert.deepEqual(look('<p>In all of Notion’s 145–150 Tools.', "notion's 145-150 tools"), {
    exact: false,
    near: 'Notion’s 145–150 Tools',
  });
});

for (const [type, open] of [
  ['text/html', '<div>'],
  ['text/markdown', '> '],
]) {
  test(`reads ${type} nested a million deep within three seconds of processor time`, () => {
    const text = `**It** costs 40\n\n${open!.repeat(1_000_000)}**It** costs 41`;
    const before = process.cpuUsage();
    assert.ok(look(text, 'costs 41', { type: type! }).exact);
    assert.ok(!look(text, 'It costs 42', { type: type! }).exact);
    const { user, system } = process.cpuUsage(before);
    assert.ok(user + system < 3_000_000, `${(user + system) / 1000} ms`);
  });
}
