import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isServed } from '../src/endpoints.ts';
import { brokenLinks } from '../src/links.ts';

const ORIGIN = 'https://weighbridge.test';
const check = (files: Record<string, string>, base = '') =>
  brokenLinks({ files: new Map(Object.entries(files)), origin: ORIGIN, base });

test('a site whose links all lead somewhere has no fault', () => {
  const faults = check({
    '/index.html': `<link href="/_astro/p.css"><a href="/a/x/#f1">x</a><a href="#here" id="here">h</a><a href="https://elsewhere.test/x">e</a><a href="/a/x/#s=chosen">c</a>`,
    '/a/x/index.html': '<p id="f1">1</p><a href="../../">up</a><a href="/a/x.md#m1">m</a>',
    '/a/x.md': `# X\n\n[page](${ORIGIN}/a/x/#f1) <a id="m1"></a> [x](#x) [row](#a.b)\n\n| id |\n| - |\n| \`a.b\` |\n`,
    '/api/x.json': JSON.stringify({
      url: `${ORIGIN}/a/x/`,
      page: '/a/x/',
      prose: 'see /nowhere/ at all',
      template: `${ORIGIN}/nowhere/{name}/`,
    }),
    '/_astro/p.css': '@font-face{src:url(/_astro/f.woff2)}',
    '/_astro/f.woff2': '',
  });
  assert.deepEqual(faults, []);
});

test('what a server answers leads somewhere, though nothing is built for it', () => {
  const files = new Map([
    ['/x.json', JSON.stringify([`${ORIGIN}/sub/api/protocol/claim`, '/sub/api/objections/7'])],
  ]);
  const dist = { files, origin: ORIGIN, base: '/sub' };
  assert.deepEqual(brokenLinks({ ...dist, isServed }), []);
  assert.equal(brokenLinks(dist).length, 2);
  assert.equal(isServed('/api/objections/7.json'), false, 'a file, if anything');
});

const BROKEN: [string, Record<string, string>, string][] = [
  [
    'a page that is not there',
    { '/index.html': '<a href="/b/">b</a>' },
    '/index.html: /b/ leads to nothing that was built',
  ],
  [
    'an id that is not there',
    { '/index.html': '<a href="#b">b</a>' },
    '/index.html: #b names no id of its target',
  ],
  [
    'an image that is not there',
    { '/index.html': '<img src="/b.png">' },
    '/index.html: /b.png leads to nothing that was built',
  ],
  [
    'a link of llms.txt',
    { '/llms/a.txt': '- [b](/b.md)' },
    '/llms/a.txt: /b.md leads to nothing that was built',
  ],
  [
    'a link of a feed or of the sitemap',
    { '/x.xml': `<loc>${ORIGIN}/</loc><link href="${ORIGIN}/b"/>`, '/index.html': '' },
    `/x.xml: ${ORIGIN}/b leads to nothing that was built`,
  ],
  ['a link in markdown', { '/x.md': '[b](/b.md)' }, '/x.md: /b.md leads to nothing that was built'],
  [
    'a link in JSON',
    { '/x.json': `{"u":["${ORIGIN}/b"]}` },
    `/x.json: ${ORIGIN}/b leads to nothing that was built`,
  ],
  [
    'a font in CSS',
    { '/x.css': 'a{src:url("b.woff2")}' },
    '/x.css: b.woff2 leads to nothing that was built',
  ],
  [
    'a folder without its slash',
    { '/index.html': '<a href="/b">b</a>', '/b/index.html': '' },
    '/index.html: /b leads to nothing that was built',
  ],
  [
    'an id that stands twice',
    { '/index.html': '<p id="a"></p><p id="a"></p>' },
    '/index.html: id "a" stands twice',
  ],
];
for (const [what, files, fault] of BROKEN) {
  test(`names ${what}`, () => assert.deepEqual(check(files), [fault]));
}

test('under a base path a link that forgets the base is a fault', () => {
  const files = {
    '/index.html': '<a href="/sub/">ok</a><a href="/sub">too</a><a href="/">forgot</a>',
  };
  assert.deepEqual(check(files, '/sub'), ['/index.html: / leaves the base path /sub']);
});
