import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { Problem } from '../src/problem.ts';
import { type Serving, serve } from '../src/serve.ts';

const FILES: Record<string, string> = {
  'index.html': '<h1>home</h1>',
  '404.html': '<h1>not here</h1>',
  'a/x/index.html': '<h1>x</h1>',
  'a/x.md': '# x\n',
  'api/articles.json': '[]\n',
  'api/articles/x/skill/SKILL.md': '---\nname: x\n---\n',
  'ledger/entries/000.jsonl': '{}\n',
  'ledger/blobs/sha256/ab/abcd': '<script>alert(1)</script>',
  '_astro/page.css': 'p{}',
  'favicon.svg': '<svg/>',
};
const dist = mkdtempSync(join(tmpdir(), 'weighbridge-serve-'));
let root: Serving;
let sub: Serving;

before(async () => {
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(dist, path)), { recursive: true });
    writeFileSync(join(dist, path), text);
  }
  [root, sub] = await Promise.all([serve(0, ''), serve(0, '/sub')]);
  assert.equal((await fetch(`http://127.0.0.1:${root.port}/`)).status, 503);
  root.open(dist);
  sub.open(dist);
});
after(async () => {
  await Promise.all([root.close(), sub.close()]);
  rmSync(dist, { recursive: true });
});

const HTML = 'text/html;charset=utf-8';
const MARKDOWN = 'text/markdown; charset=utf-8';
const JSON_TYPE = 'application/json; charset=utf-8';
const TEXT = 'text/plain; charset=utf-8';

/** The contract: request, status, and the headers that must be so (null: must not be there). */
const CONTRACT: [string, number, Record<string, string | null>][] = [
  [
    'GET /',
    200,
    { 'content-type': HTML, 'access-control-allow-origin': null, 'cache-control': 'no-cache' },
  ],
  ['HEAD /', 200, { 'content-type': HTML, 'content-length': '13' }],
  ['GET /a/x/', 200, { 'content-type': HTML }],
  ['GET /a/x/?from=there', 200, { 'content-type': HTML }],
  ['GET /a/x.md', 200, { 'content-type': MARKDOWN, 'access-control-allow-origin': '*' }],
  [
    'GET /api/articles.json',
    200,
    { 'content-type': JSON_TYPE, 'access-control-allow-origin': '*' },
  ],
  [
    'GET /api/articles/x/skill/SKILL.md',
    200,
    { 'content-type': MARKDOWN, 'access-control-allow-origin': '*' },
  ],
  [
    'GET /ledger/entries/000.jsonl',
    200,
    { 'content-type': TEXT, 'access-control-allow-origin': '*' },
  ],
  ['GET /ledger/blobs/sha256/ab/abcd', 200, { 'content-type': TEXT }],
  [
    'GET /_astro/page.css',
    200,
    { 'content-type': 'text/css', 'cache-control': 'public, max-age=31536000, immutable' },
  ],
  ['GET /favicon.svg', 200, { 'content-type': 'image/svg+xml' }],
  ['GET /nothing', 404, { 'content-type': 'text/html; charset=utf-8' }],
  ['GET /a/../../../../../etc/passwd', 404, {}],
  ['GET /%2e%2e/%2e%2e/etc/passwd', 404, {}],
  ['GET /%E0%A4%A', 404, {}],
  ['POST /api/articles.json', 405, { allow: 'GET, HEAD' }],
  ['DELETE /', 405, { allow: 'GET, HEAD' }],
];
for (const [line, status, headers] of CONTRACT) {
  test(`${line} answers ${status}`, async () => {
    const [method = '', path = ''] = line.split(' ');
    const { statusCode, headers: got } = await ask(root.port, method, path);
    assert.equal(statusCode, status);
    assert.equal(got['x-content-type-options'], 'nosniff');
    for (const [name, value] of Object.entries(headers)) {
      assert.equal(got[name] ?? null, value, name);
    }
  });
}

/** One request with its path as it is given: fetch would resolve the dots in it. */
function ask(port: number, method: string, path: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, method, path, agent: false }, (response) => {
      response.resume().on('end', () => resolve(response));
    });
    sent.on('error', reject).end();
  });
}

test('serves bodies byte for byte and answers 304 to a tag it gave', async () => {
  const url = `http://127.0.0.1:${root.port}/ledger/blobs/sha256/ab/abcd`;
  const first = await fetch(url);
  assert.equal(await first.text(), FILES['ledger/blobs/sha256/ab/abcd']);
  const again = await fetch(url, { headers: { 'if-none-match': first.headers.get('etag') ?? '' } });
  assert.equal(again.status, 304);
});

test('under a base path serves that path alone and leads the bare root there', async () => {
  const at = (path: string) =>
    fetch(`http://127.0.0.1:${sub.port}${path}`, { redirect: 'manual' }).then(
      ({ status, headers }) => [status, headers.get('location')],
    );
  assert.deepEqual(await at('/sub/a/x/'), [200, null]);
  assert.deepEqual(await at('/sub/'), [200, null]);
  assert.deepEqual(await at('/'), [302, '/sub/']);
  assert.deepEqual(await at('/a/x/'), [404, null]);
  assert.deepEqual(await at('/subway/'), [404, null]);
});

test('a port that is taken is a Problem that names another', async () => {
  await assert.rejects(
    serve(root.port, ''),
    (error) =>
      error instanceof Problem &&
      error.code === 'serve.port-taken' &&
      error.toString().includes(`--port ${root.port + 1}`),
  );
});

test('a port taken on one of the two loopback addresses counts as taken, and the other is let go', async (t) => {
  const other = createServer();
  const listening = await new Promise<boolean>((resolve) => {
    other.once('error', () => resolve(false));
    other.listen({ port: 0, host: '::1' }, () => resolve(true));
  });
  t.after(() => listening && other.close());
  if (!listening) return; // this machine has no IPv6, so there is no second address to take
  const { port } = other.address() as { port: number };
  await assert.rejects(serve(port, ''), { code: 'serve.port-taken' });
  const free = createServer();
  await new Promise<void>((resolve, reject) => {
    free.once('error', reject);
    free.listen({ port, host: '127.0.0.1' }, resolve);
  });
  free.close();
});
