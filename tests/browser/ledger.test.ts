import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { verifySite } from '../../src/verify/site.ts';
import { mine, other, verifyInBrowser, ways } from './ledger.ts';
import { slugs, visit } from './site.ts';
import { type Alter, serveAltered } from './tampered.ts';

after(() => {
  mine.remove();
  other.remove();
});
const untouched: Alter = (_, bytes) => bytes;

test('the whole ledger, verified in the browser, holds, by a script and a worker under budget', async () => {
  const sizes = { page: 0, worker: 0 };
  const { state, says, seconds } = await verifyInBrowser((path, bytes) => {
    if (bytes !== null && path.endsWith('.js')) {
      sizes[path.includes('worker') ? 'worker' : 'page'] += gzipSync(bytes).length;
    }
    return bytes;
  }, mine.skey.vkey.text);
  assert.equal(state, 'equal', says);
  assert.match(
    says,
    new RegExp(`${mine.published.size} entries, ${mine.published.size} of them signed`),
  );
  assert.ok(
    sizes.page < 10_000 && sizes.worker > 0 && sizes.worker < 40_000,
    JSON.stringify(sizes),
  );
  console.log(
    `${mine.published.size} entries verified in Chromium in ${seconds.toFixed(1)} s; gzip ${JSON.stringify(sizes)}`,
  );
});

test('a key from elsewhere that did not sign the log is told', async () => {
  const { state, says } = await verifyInBrowser(untouched, other.skey.vkey.text);
  assert.equal(state, 'differs');
  assert.match(says, /note\.unsigned/);
});

test('one altered bit of a payload is told in the browser', async () => {
  const { code, alter } = ways[0]!;
  const { state, says } = await verifyInBrowser(alter);
  assert.equal(state, 'differs');
  assert.ok(says.includes(code), says);
});

test('the ledger’s page is whole without JavaScript: no button, and the commands stand there', () =>
  visit('/ledger/', { javaScriptEnabled: false }, async (page) => {
    assert.equal(await page.locator('main button').count(), 0);
    assert.match((await page.locator('main').textContent()) ?? '', /npm run -s verify -- --site/);
  }));

async function faultsOf(alter: Alter): Promise<string[]> {
  const served = await serveAltered(mine.published, alter);
  try {
    const { ok, faults, articles } = await verifySite(`${served.home}/`, mine.skey.vkey.text);
    assert.equal(ok, faults.length === 0);
    if (ok) assert.equal(articles, slugs.length);
    return faults.map(({ code }) => code);
  } finally {
    await served.close();
  }
}
const inText =
  (at: RegExp, from: RegExp, to: string): Alter =>
  (path, bytes) =>
    bytes !== null && at.test(path)
      ? Buffer.from(Buffer.from(bytes).toString().replace(from, to))
      : bytes;

test('a deployed copy holds over HTTP: log, meaning, and what its pages show', async () => {
  assert.deepEqual(await faultsOf(untouched), []);
});

const PAGE = /^\/a\/[^/]+\/$/;
for (const [what, code, alter] of [
  [
    'a claim of a page with other words',
    'page.claim',
    inText(PAGE, /(id="claim-[^"]+">[^<]*?)\bthe\b/, '$1no'),
  ],
  [
    'a claim on its own page with other words',
    'page.claim',
    inText(/^\/a\/[^/]+\/claims\/[^/]+\/$/, /(id="claim-[^"]+">[^<]*?)\bthe\b/, '$1no'),
  ],
  [
    'a claim of a page with another grade',
    'page.claim',
    inText(PAGE, /(class="chip status observed"[^>]*>)observed/, '$1derived'),
  ],
  [
    'a claim of the JSON with another tier',
    'page.claim',
    inText(/^\/api\/articles\/[^/]+\.json$/, /("tier": ")(?=[a-z_]+",\s*"status": \[)/, '$1x'),
  ],
  [
    'a source of the JSON with another quote',
    'page.source',
    inText(/^\/api\/articles\/[^/]+\.json$/, /("sources": \[\s*\{[^}]*?"quote": ")/, '$1not '),
  ],
  [
    'an article of another name',
    'page.article',
    inText(/^\/api\/articles\/[^/]+\.json$/, /("title": ")/, '$1Not '),
  ],
  ['a number in the text of a page', 'page.figure', inText(PAGE, /(class="fig"[^>]*>)\d/, '$18')],
  ['a number on a ticket', 'page.figure', inText(PAGE, /(<p class="value">)/, '$19')],
  [
    'a claim in the JSON with other words',
    'page.claim',
    inText(/^\/api\/articles\/[^/]+\.json$/, /("claims": \[[^\]]*?"text": ")/, '$1not '),
  ],
  ['a page that is gone', 'page.missing', (path, bytes) => (PAGE.test(path) ? null : bytes)],
] as [string, string, Alter][]) {
  test(`--site tells ${what} as ${code}`, async () => {
    assert.ok((await faultsOf(alter)).includes(code));
  });
}
