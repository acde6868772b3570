import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, type IncomingMessage, request } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { mountIntake } from '../src/intake/mount.ts';
import { Problem } from '../src/problem.ts';
import { type Serving, serve } from '../src/serve.ts';
import { address } from '../src/site.ts';

const FILES: Record<string, string> = {
  'index.html': '<h1>home</h1>',
  'index.md': '# home\n',
  'sitemap.xml': '<urlset/>',
  '404.html': '<h1>not here</h1>',
  'a/x/index.html': '<h1>x</h1>',
  'a/x.md': '# x\n',
  'api/articles.json': '[]\n',
  'api/articles/x/skill/SKILL.md': '---\nname: x\n---\n',
  'ledger/entries/000.jsonl': '{}\n',
  'ledger/blobs/sha256/ab/abcd': '<script>alert(1)</script>',
  'api/articles/x.json': JSON.stringify({ claims: [{ id: 'c1' }], sources: [] }),
  'api/articles/x/topology.json': '{}\n',
  'api/articles/x/invocations.json': JSON.stringify({
    runs: [
      { run: '1', attempts: [{ outcome: 'captured' }, { outcome: 'failed' }] },
      { run: '2', attempts: [{ outcome: 'captured' }] },
    ],
  }),
  'long.md': `${'line\n'.repeat(1_000)}`,
  'long/index.html': `<p>${'word '.repeat(1_000)}`,
  '_astro/page.css': 'p{}',
  'favicon.svg': '<svg/>',
  _headers: '/*\n  x-frame-options: DENY\n',
  _redirects: '/a /b 302\n',
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
  for (const path of ['/', '/healthz', '/api/intake.json']) {
    assert.equal((await fetch(`http://127.0.0.1:${root.port}${path}`)).status, 503, path);
  }
  root.open(dist, (files) =>
    mountIntake(
      {
        dir: join(dist, '.intake'),
        site: address({}),
        port: root.port,
        document: (path) => files.document(path),
      },
      { INTAKE_PER_MINUTE: 'Infinity' },
    ),
  );
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
const PROBLEM = 'application/problem+json; charset=utf-8';
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
  ['GET /healthz', 200, { 'content-type': JSON_TYPE, 'cache-control': 'no-store' }],
  ['GET /api/articles/x', 200, { 'content-type': JSON_TYPE, 'access-control-allow-origin': '*' }],
  ['GET /api/articles/x/bundle?format=markdown', 200, { 'content-type': MARKDOWN }],
  ['GET /api/articles/x/bundle', 200, { 'content-type': MARKDOWN }],
  ['GET /api/articles/x/bundle?format=pdf', 404, {}],
  ['GET /api/articles/x/skill', 200, { 'content-type': MARKDOWN }],
  ['GET /api/articles/x/topology', 200, { 'content-type': JSON_TYPE }],
  ['GET /api/articles/x/revisions', 404, {}],
  ['GET /api/articles/x/invocations?status=failed', 200, { 'content-type': JSON_TYPE }],
  ['GET /api/articles/x/invocations?status=odd', 422, {}],
  ['GET /api/articles/x/objections.json', 200, { 'content-type': JSON_TYPE }],
  ['GET /api/intake.json', 200, { 'content-type': JSON_TYPE }],
  ['DELETE /api/articles/x/objections', 405, { allow: 'GET, HEAD, POST' }],
  ['GET /nothing', 404, { 'content-type': 'text/html; charset=utf-8' }],
  ['GET /api/nothing.json', 404, { 'content-type': PROBLEM }],
  ['GET /a/nothing.md', 404, { 'content-type': PROBLEM }],
  ['GET /a/../../../../../etc/passwd', 404, {}],
  ['GET /%2e%2e/%2e%2e/etc/passwd', 404, {}],
  ['GET /%E0%A4%A', 404, {}],
  ['GET /_headers', 404, { 'content-type': 'text/html; charset=utf-8' }],
  ['GET /%5fredirects', 404, { 'content-type': 'text/html; charset=utf-8' }],
  ['TRACE /', 405, { allow: 'GET, HEAD', 'content-type': PROBLEM }],
  ['TRACE /api/intake', 405, { allow: 'GET, HEAD', 'content-type': PROBLEM }],
  ['TRACE /api/protocol/claim', 405, { allow: 'POST', 'content-type': PROBLEM }],
  ['QUERY /api/articles/x/objections', 405, { allow: 'GET, HEAD, POST' }],
  ['POST /api/articles.json', 405, { allow: 'GET, HEAD', 'content-type': PROBLEM }],
  ['DELETE /', 405, { allow: 'GET, HEAD' }],
];
for (const [line, status, headers] of CONTRACT) {
  test(`${line} answers ${status}`, async () => {
    const [method = '', path = ''] = line.split(' ');
    const { statusCode, headers: got } = await ask(root.port, method, path);
    assert.equal(statusCode, status);
    assert.equal(got['x-content-type-options'], 'nosniff');
    assert.equal(got['x-frame-options'], 'DENY');
    assert.match(String(got['x-request-id']), /^[0-9a-f-]{36}$/);
    for (const [name, value] of Object.entries(headers)) {
      assert.equal(got[name] ?? null, value, name);
    }
  });
}

test('the attempts of one outcome can be asked for by themselves', async () => {
  const url = `http://127.0.0.1:${root.port}/api/articles/x/invocations`;
  const asked = await fetch(`${url}?status=failed`);
  const { runs } = (await asked.json()) as { runs: { run: string; attempts: unknown[] }[] };
  assert.deepEqual(runs, [{ run: '1', attempts: [{ outcome: 'failed' }] }]);
  assert.equal(((await (await fetch(url)).json()) as { runs: unknown[] }).runs.length, 2);
});

/** Accept and Accept-Encoding of a page with a twin in markdown: which of them comes, and how. */
const NEGOTIATED: [string, string, string, string | null][] = [
  ['text/html,*/*;q=0.8', 'gzip, deflate, br', HTML, 'br'],
  ['*/*', 'gzip', HTML, 'gzip'],
  ['', 'br;q=0, gzip;q=0.1', HTML, 'gzip'],
  ['', 'identity', HTML, null],
  ['text/markdown', '', MARKDOWN, null],
  ['text/markdown, text/html;q=0.9', '*', MARKDOWN, 'br'],
  ['text/markdown;q=0.5, text/html', '', HTML, null],
  ['text/markdown, */*;q=0.1', '', MARKDOWN, null],
  ['text/markdown;q=0, */*', '', HTML, null],
];
test('the home page is there as markdown too, and a sitemap is no feed', async () => {
  const home = await ask(root.port, 'GET', '/', { accept: 'text/markdown' });
  assert.equal(home.headers['content-type'], MARKDOWN);
  const map = await ask(root.port, 'GET', '/sitemap.xml');
  assert.equal(map.headers['content-type'], 'application/xml; charset=utf-8');
});

test('a page comes in the form and the encoding that is asked for, each under its own tag', async () => {
  const tags = new Set<string>();
  for (const [accept, encoding, type, expected] of NEGOTIATED) {
    const headers = { accept, 'accept-encoding': encoding };
    const { headers: got } = await ask(root.port, 'GET', '/long/', headers);
    const what = `${accept} / ${encoding}`;
    assert.equal(got['content-type'], type, what);
    assert.equal(got['content-encoding'] ?? null, expected, what);
    assert.equal(got.vary, 'accept, accept-encoding', what);
    tags.add(`${got.etag}`);
    const again = await ask(root.port, 'GET', '/long/', {
      ...headers,
      'if-none-match': `${got.etag}`,
    });
    assert.equal(again.statusCode, 304, what);
  }
  assert.equal(tags.size, 5);
  const response = await fetch(`http://127.0.0.1:${root.port}/long/`, {
    headers: { 'accept-encoding': 'br' },
  });
  assert.equal(response.headers.get('content-encoding'), 'br');
  assert.equal(await response.text(), FILES['long/index.html']);
});

test('posts reach the intake through the server, and what is too large is refused and let go', async () => {
  const url = `http://127.0.0.1:${root.port}/api/articles/x/objections`;
  const send = (objection: string) =>
    fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ actor: 'a', objection, surface: 'S1', claim_id: 'c1' }),
    });
  assert.equal((await send('It is not so.')).status, 201);
  assert.equal((await send('x'.repeat(1_000_000))).status, 413);
  const { queued } = (await (await fetch(url)).json()) as { queued: { claim: string }[] };
  assert.deepEqual(
    queued.map(({ claim }) => claim),
    ['c1'],
  );
});

test('a server that stops ends what was begun, and logs a line a request without query or address', async () => {
  const lines: string[] = [];
  const serving = await serve(0, '', { log: (line) => lines.push(line) });
  let go = () => {};
  let mounted = false;
  serving.open(dist, () => ({
    answer: async (_, response) => {
      await new Promise<void>((resolve) => {
        go = resolve;
      });
      response.end('done');
      return true;
    },
    close: async () => {
      mounted = true;
    },
  }));
  const url = `http://127.0.0.1:${serving.port}`;
  const slow = fetch(`${url}/slow?secret=1`, { headers: { connection: 'close' } });
  while (go.length === 0 && String(go) === '() => {}') await new Promise(setImmediate);
  const closing = serving.close();
  await assert.rejects(fetch(url));
  assert.equal(mounted, false);
  go();
  assert.equal(await (await slow).text(), 'done');
  await closing;
  assert.equal(mounted, true);
  const [line] = lines;
  const logged = JSON.parse(line ?? '') as Record<string, unknown>;
  assert.deepEqual(Object.keys(logged), ['ts', 'id', 'method', 'path', 'status', 'ms']);
  assert.deepEqual([logged['method'], logged['path'], logged['status']], ['GET', '/slow', 200]);
});

test('a server that stops takes no more on a connection that is open, and ends soon', async () => {
  let asked = 0;
  const serving = await serve(0, '');
  serving.open(dist, () => ({
    // Of different lengths, so that some are under way whenever it is told to stop.
    answer: async (_, response) => {
      asked++;
      await sleep(3 * (asked % 8));
      response.end('done');
      return true;
    },
    close: async () => {},
  }));
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  let answers = 0;
  const asking = Array.from({ length: 8 }, async () => {
    for (;;) {
      const response = await ask(serving.port, 'GET', '/', {}, agent).catch(() => null);
      if (response === null) return;
      answers++;
    }
  });
  while (answers < 20) await new Promise(setImmediate);
  const before = answers;
  await serving.close();
  await Promise.all(asking);
  // Of each connection at most the answer that was on its way, and the one that says it is the last.
  assert.ok(answers - before <= 16, `${answers - before} answers after it was told to stop`);
});

/** One request with its path as it is given: fetch would resolve the dots in it. */
function ask(
  port: number,
  method: string,
  path: string,
  headers: Record<string, string> = {},
  agent: Agent | false = false,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const to = { host: '127.0.0.1', port, method, path, headers, agent };
    const sent = request(to, (response) => {
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
  const any = (path: string) =>
    fetch(`http://127.0.0.1:${root.port}${path}`, { headers: { 'if-none-match': '*' } });
  assert.equal((await any('/ledger/blobs/sha256/ab/abcd')).status, 304);
  assert.equal((await any('/nothing')).status, 404);
});

test('a request that names two hosts is refused', async () => {
  for (const [hosts, status] of [
    [['a'], 200],
    [['a', 'b'], 400],
    [['a', 'a'], 400],
  ] as const) {
    const { statusCode } = await new Promise<IncomingMessage>((resolve, reject) => {
      const headers = hosts.flatMap((host) => ['host', host]);
      request({ host: '127.0.0.1', port: root.port, path: '/', headers, agent: false }, resolve)
        .on('error', reject)
        .end();
    });
    assert.equal(statusCode, status, hosts.join());
  }
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
