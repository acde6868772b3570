import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { askPage, plainAddress } from '../../src/sources/page.ts';
import { house } from './house.ts';

const { origin, asked, close } = await house();
after(close);
const ask = (path: string, more: { timeoutMs?: number; maxBytes?: number } = {}) =>
  askPage(origin + path, { agent: 'tester (+https://example.org/)', ...more });

test('gives a page with where it came from, and says who asks', async () => {
  const text = '<p>It costs <b>40</b> tokens.</p>';
  const page = { url: `${origin}/page`, type: 'text/html', text };
  assert.deepEqual(await ask('/to'), { page });
  assert.deepEqual(asked.at(-1), { path: '/page', agent: 'tester (+https://example.org/)' });
});

for (const path of ['/latin', '/meta']) {
  test(`decodes a page in the encoding that it names: ${path}`, async () => {
    const answer = await ask(path);
    assert.match('page' in answer ? answer.page.text : '', /Café$/);
  });
}

for (const status of [404, 410]) {
  test(`takes ${status}, and nothing else, for gone`, async () => {
    assert.deepEqual(await ask(`/status/${status}`), { gone: status });
  });
}

const REFUSED: [string, string, RegExp, { timeoutMs?: number; maxBytes?: number }?][] = [
  ...[401, 403, 406, 429, 451, 500, 503].map((status): [string, string, RegExp] => [
    `${status}, whatever its body says`,
    `/status/${status}`,
    new RegExp(`^it answered ${status}$`),
  ]),
  ['a redirect loop', '/loop', /^it redirects more than 5 times$/],
  ['a redirect to a file', '/file', /^it leads to file: addresses$/],
  ['what is no text', '/pdf', /^it is application\/pdf, which is not read here$/],
  ['an unknown encoding', '/odd', /^it could not be asked: .*klingon/],
  ['an endless page', '/endless', /^it is larger than 50000 bytes$/, { maxBytes: 50_000 }],
  ['a silent server', '/silent', /^no whole answer came within 0.2 s$/, { timeoutMs: 200 }],
  ['a page that breaks off', '/cut', /^it could not be asked: /],
];
for (const [what, path, because, more] of REFUSED) {
  test(`says why a page could not be had: ${what}`, async () => {
    const answer = await ask(path, more);
    assert.match('refused' in answer ? answer.refused : JSON.stringify(answer), because);
  });
}

test('says why a page could not be had: nobody listens', async () => {
  const answer = await askPage('http://127.0.0.1:1/', { agent: 'tester' });
  assert.match('refused' in answer ? answer.refused : '', /^it could not be asked: .+/);
});

test('asks GitHub for the file and not for the page around it', () => {
  assert.equal(
    plainAddress('https://github.com/o/r/blob/v1.0/docs/a%20b.md?plain=1#L3'),
    'https://raw.githubusercontent.com/o/r/v1.0/docs/a%20b.md',
  );
  for (const other of ['https://github.com/o/r/issues/3', 'https://example.org/o/r/blob/v1/a.md']) {
    assert.equal(plainAddress(other), other);
  }
});
