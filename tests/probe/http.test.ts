import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { ProbeFailure } from '../../src/probe/conversation.ts';
import { type HttpOptions, probeHttp } from '../../src/probe/http.ts';
import { type Asked, json, type Own, result, SESSION, serveHttp } from '../servers/http-serve.ts';
import { TOOLS } from '../servers/serve.ts';

const SECRET = 'Bearer s3cr3t-t0ken';
const headers = { Authorization: SECRET };

/** What came of probing a server that behaves as `own` says, and what it was asked. */
async function probe(own?: Own, options: Partial<HttpOptions> = {}) {
  await using server = await serveHttp(own);
  const got = await probeHttp({ url: server.url, timeoutMs: 20_000, ...options });
  return { ...got, asked: server.asked, codes: got.warnings.map(({ code }) => code) };
}

/** The failure of a probe that has to fail with this code, without the secret and with a mend. */
async function failure(code: string, own?: Own, options: Partial<HttpOptions> = {}) {
  try {
    await probe(own, options);
  } catch (error) {
    assert.ok(error instanceof ProbeFailure, String(error));
    assert.equal(error.code, code, String(error));
    assert.ok(error.mend !== undefined || code === 'probe.aborted');
    assert.ok(!error.toString().includes('s3cr3t'), 'a secret came out');
    return error;
  }
  return assert.fail(`no ${code}`);
}

/** Answers tools/list only. */
const onList =
  (answer: (asked: Asked, response: ServerResponse) => void): Own =>
  (asked, response) => {
    if (asked.message.method !== 'tools/list') return undefined;
    answer(asked, response);
    return true;
  };

const envelope = ({ message }: Asked) => ({
  jsonrpc: '2.0',
  id: message.id,
  result: result(message),
});

function stream(response: ServerResponse, text: string, end = true): void {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  response.write(text);
  if (end) response.end();
}

const body =
  (type: string, text: string | Buffer, more: Record<string, string> = {}): Own =>
  (_, response) => {
    response.writeHead(200, { ...(type === '' ? {} : { 'content-type': type }), ...more });
    response.end(text);
    return true;
  };

function cutShort(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 });
  response.write('{', () => response.destroy());
}

const status =
  (code: number, text = '', more: Record<string, string> = {}): Own =>
  (_, response) => {
    response.writeHead(code, more).end(text);
    return true;
  };

test('a good server is asked in order, within a session that is ended, and its bytes are kept', async () => {
  const { asked, ...got } = await probe();
  assert.deepEqual(
    asked.map(({ verb, message }) => `${verb} ${message.method ?? ''} ${message.id ?? ''}`.trim()),
    [
      'POST initialize 1',
      'POST notifications/initialized',
      'POST tools/list 1001',
      'POST tools/list 1002',
      'POST tools/list 2001',
      'POST tools/list 2002',
      'DELETE',
    ],
  );
  for (const { headers: sent } of asked.slice(1)) {
    assert.equal(sent['mcp-session-id'], SESSION);
    assert.equal(sent['mcp-protocol-version'], '2025-11-25');
  }
  assert.equal(asked[0]?.headers['mcp-protocol-version'], undefined);
  assert.deepEqual(got.tools, TOOLS);
  assert.deepEqual([got.sameBytes, got.sameOrder, got.warnings], [true, true, []]);
  assert.deepEqual(
    got.pages.map((page) => Buffer.from(page).toString()),
    [
      JSON.stringify({
        jsonrpc: '2.0',
        id: 1001,
        result: { tools: [TOOLS[0]], nextCursor: 'two' },
      }),
      JSON.stringify({ jsonrpc: '2.0', id: 1002, result: { tools: [TOOLS[1]] } }),
    ],
  );
});

test('an answer in a stream gives the same bytes as one in JSON, whatever stands around it', async () => {
  const plain = await probe();
  const streamed = await probe(
    onList((asked, response) => {
      const note = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message' });
      const lines = JSON.stringify(envelope(asked));
      stream(
        response,
        `id: a\ndata: \n\n: ping\n\ndata: ${note}\n\nevent: message\ndata: ${lines}\n\n`,
        false,
      );
    }),
  );
  assert.deepEqual(streamed.pages, plain.pages);
  assert.deepEqual(streamed.codes, []);
});

test('line breaks inside a JSON answer become spaces, so that a page stays one line', async () => {
  const pretty = (asked: Asked) => JSON.stringify(envelope(asked), null, 2);
  const got = await probe(
    onList((asked, response) => body('application/json', `${pretty(asked)}\r\n`)(asked, response)),
  );
  assert.deepEqual(got.codes, ['line-breaks']);
  assert.deepEqual(got.tools, TOOLS);
  for (const page of got.pages) assert.ok(!page.includes(0x0a) && !page.includes(0x0d));
});

test('what the server asks in a stream is answered with a POST of its own', async () => {
  const ping = JSON.stringify({ jsonrpc: '2.0', id: 'p', method: 'ping' });
  let waiting: (() => void) | undefined;
  const { asked } = await probe((one, response) => {
    if (one.message.id === 'p') {
      response.writeHead(202).end();
      waiting?.();
      return true;
    }
    if (one.message.method !== 'tools/list') return undefined;
    stream(response, `data: ${ping}\n\n`, false);
    waiting = () => response.end(`data: ${JSON.stringify(envelope(one))}\n\n`);
    return true;
  });
  assert.deepEqual(JSON.parse(asked.find(({ message }) => message.id === 'p')?.body ?? ''), {
    jsonrpc: '2.0',
    id: 'p',
    result: {},
  });
});

test('a stream that the server closes in order is taken up again where it was left', async () => {
  const open = new Map<string, Asked>();
  const { tools, asked } = await probe((one, response) => {
    const last = one.headers['last-event-id'];
    if (one.verb === 'GET') {
      const left = open.get(String(last));
      stream(response, left === undefined ? '' : `data: ${JSON.stringify(envelope(left))}\n\n`);
      return true;
    }
    if (one.message.method !== 'tools/list') return undefined;
    open.set(`e${one.message.id}`, one);
    stream(response, `id: e${one.message.id}\nretry: 1\ndata:\n\n`);
    return true;
  });
  assert.deepEqual(tools, TOOLS);
  assert.equal(asked.filter(({ verb }) => verb === 'GET').length, 4);
});

test('a compressed answer is kept as what it says, not as it was packed', async () => {
  const got = await probe(
    onList((asked, response) =>
      body('application/json', gzipSync(JSON.stringify(envelope(asked))), {
        'content-encoding': 'gzip',
      })(asked, response),
    ),
  );
  assert.deepEqual(got.tools, TOOLS);
});

test('a redirect within the origin keeps the headers, and is named', async () => {
  for (const code of [301, 302, 307, 308]) {
    const got = await probe(
      (asked, response) =>
        asked.path === '/mcp'
          ? status(code, '', { location: '/mcp/' })(asked, response)
          : undefined,
      { headers },
    );
    assert.deepEqual(got.codes, ['redirected']);
    const sent = got.asked.filter(({ path }) => path === '/mcp/');
    assert.equal(sent.length, got.asked.length - 1, 'the new address is kept');
    assert.ok(
      sent.every(
        ({ headers: { authorization }, body: text }, i) =>
          authorization === SECRET && (i > 0 || text.includes('initialize')),
      ),
    );
  }
});

test('a redirect to another origin keeps no header and no session, also on the way back', async () => {
  let back = '';
  await using other = await serveHttp((asked, response) =>
    status(307, '', { location: back })(asked, response),
  );
  await using first = await serveHttp((asked, response) =>
    asked.path === '/mcp' ? status(307, '', { location: other.url })(asked, response) : undefined,
  );
  back = first.url.replace('/mcp', '/back');
  const got = await probeHttp({
    url: first.url,
    timeoutMs: 20_000,
    headers: { ...headers, 'X-Key': 'another-s3cr3t' },
  });
  assert.deepEqual(got.tools, TOOLS);
  assert.deepEqual([first.asked[0]?.path, first.asked[0]?.headers.authorization], ['/mcp', SECRET]);
  assert.equal(first.asked.length, 8);
  for (const { headers: sent } of [...other.asked, ...first.asked.slice(1)]) {
    assert.equal(sent.authorization, undefined);
    assert.equal(sent['x-key'], undefined);
  }
});

test('another origin that then wants authorization is named, and gets none', async () => {
  await using other = await serveHttp(status(401));
  const { message, mend } = await failure(
    'server.unauthorized',
    status(308, '', { location: other.url }),
    { headers },
  );
  assert.match(message, /the headers were given for another origin/);
  assert.ok(mend?.includes(other.url));
  assert.ok(other.asked.every(({ headers: sent }) => sent.authorization === undefined));
});

test('redirects without end, without an address, to GET, and out of http are told apart', async () => {
  await failure('server.redirect-loop', status(307, '', { location: '/mcp' }));
  let n = 0;
  await failure('server.redirect-loop', (asked, response) =>
    status(307, '', { location: `/${n++}` })(asked, response),
  );
  assert.ok(n <= 12);
  await failure('server.bad-redirect', status(307));
  await failure('server.bad-redirect', status(303, '', { location: '/page' }));
  await failure('server.bad-redirect', status(307, '', { location: 'file:///etc/passwd' }));
  await failure('server.bad-redirect', status(307, '', { location: 'http://me:pw@127.0.0.1/' }));
});

test('401 tells what the server asks for, from its challenge and its metadata', async () => {
  const bare = await failure('server.unauthorized', (asked, response) =>
    status(asked.verb === 'GET' ? 404 : 401)(asked, response),
  );
  assert.match(bare.message, /does not say which credentials; no metadata/);

  const metadata = JSON.stringify({
    authorization_servers: ['https://auth.example'],
    scopes_supported: ['tools:read'],
  });
  let gets: Asked[] = [];
  const guarded =
    (challenge: Record<string, string>): Own =>
    (asked, response) => {
      if (asked.verb !== 'GET') return status(401, '{"error":"x"}', challenge)(asked, response);
      gets.push(asked);
      return body('application/json', metadata)(asked, response);
    };
  const wellKnown = await failure('server.unauthorized', guarded({ 'www-authenticate': 'Bearer' }));
  assert.match(
    wellKnown.message,
    /it wants Bearer; scope tools:read; tokens from https:\/\/auth\.example/,
  );
  assert.equal(gets[0]?.path, '/.well-known/oauth-protected-resource/mcp');

  gets = [];
  const challenge =
    'Bearer realm="x, y", error="invalid_token", scope="a b", resource_metadata="/meta"';
  const named = await failure('server.unauthorized', guarded({ 'www-authenticate': challenge }), {
    headers,
  });
  assert.match(
    named.message,
    /refuses the credentials .*it wants Bearer; error invalid_token; scope a b;/,
  );
  assert.deepEqual(
    gets.map(({ path, headers: sent }) => [path, sent.authorization]),
    [['/meta', undefined]],
  );

  gets = [];
  const elsewhere = 'Bearer resource_metadata="http://localhost:1/meta"';
  await failure('server.unauthorized', guarded({ 'www-authenticate': elsewhere }));
  assert.equal(gets.length, 0, 'metadata of another origin is not read');
});

test('what is not an answer is told by its code', async () => {
  const page = '<!doctype html><title>Sign in</title>';
  const notFound = { jsonrpc: '2.0', id: null, error: { code: -32000, message: 'No session' } };
  const cases: [code: string, own: Own, says: RegExp][] = [
    ['server.html', body('text/html; charset=utf-8', page), /"Sign in"/],
    ['server.wrong-type', body('text/plain', '{}'), /"text\/plain"/],
    ['server.wrong-type', body('', '{}'), /no Content-Type/],
    ['server.bad-answer', body('application/json', '{"hello":1}'), /does not answer initialize/],
    ['server.bad-answer', body('application/json', ''), /does not answer initialize/],
    [
      'server.bad-answer',
      body('application/json', '[]', { 'mcp-session-id': 'a b' }),
      /Session-Id/,
    ],
    ['server.not-acceptable', status(406), /HTTP 406$/],
    ['server.http-error', status(500, page), /HTTP 500: "Sign in"/],
    ['server.error', (_, response) => json(response, notFound, 400), /-32000: No session/],
    ['server.http-error', status(400, 'what?'), /HTTP 400: "what\?"/],
    ['server.no-endpoint', status(404), /HTTP 404/],
    ['server.no-endpoint', status(405), /HTTP 405/],
    ['server.forbidden', status(403), /HTTP 403/],
    ['server.busy', status(429), /HTTP 429/],
    [
      'server.session-gone',
      onList((asked, response) => status(404)(asked, response)),
      /tools\/list/,
    ],
    [
      'server.broke-off',
      onList((_, response) => stream(response, 'data: {"a"')),
      /the stream ended/,
    ],
    ['server.unreachable', onList((_, response) => void response.destroy()), /127\.0\.0\.1/],
    ['server.broke-off', onList((_, response) => cutShort(response)), /tools\/list broke off/],
    [
      'server.broke-off',
      body('application/json', 'not gzip', { 'content-encoding': 'gzip' }),
      /header/,
    ],
    [
      'server.bad-utf8',
      body('application/json', Buffer.from('{"jsonrpc":"2.0","id":1,"result":"\xff"}', 'latin1')),
      /UTF-8/,
    ],
  ];
  for (const [code, own, says] of cases) {
    assert.match((await failure(code, own, { headers })).message, says);
  }
});

test('endless streams, bodies and events are floods, and slow ones end at the timeout', async () => {
  const endless =
    (type: string, piece: string): Own =>
    (_, response) => {
      response.writeHead(200, { 'content-type': type });
      const more = () => {
        while (!response.destroyed && response.write(piece));
        if (!response.destroyed) response.once('drain', more);
      };
      more();
      return true;
    };
  const limits = { lineBytes: 100_000, stdoutBytes: 400_000 };
  const note = `data: ${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/x' })}\n\n`;
  await failure('server.flood', endless('text/event-stream', note), { limits });
  await failure('server.flood', endless('text/event-stream', 'data: x\n'), { limits });
  await failure('server.flood', endless('text/event-stream', ': keep-alive\n\n'), { limits });
  await failure('server.flood', endless('application/json', ' '.repeat(1000)), { limits });
  const slow: Own = (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).write('{');
    return true;
  };
  const late = await failure('server.timeout', slow, { timeoutMs: 300 });
  assert.ok(late.elapsedMs >= 300 && late.elapsedMs < 5000);
});

test('an abort ends it at once, before as in the middle', async () => {
  await failure('probe.aborted', undefined, { signal: AbortSignal.abort() });
  const abort = new AbortController();
  const own: Own = () => {
    abort.abort();
    return true;
  };
  const { elapsedMs } = await failure('probe.aborted', own, { signal: abort.signal });
  assert.ok(elapsedMs < 5000);
});

test('a server that shows a secret header is refused, and no message of it comes through', async () => {
  const echo = (text: string): Own =>
    onList(({ message }, response) => {
      const tools = [{ name: 'x', description: text, inputSchema: {} }];
      json(response, { id: message.id, result: { tools } });
    });
  await failure('server.echoes-secret', echo(SECRET), { headers });
  await failure('server.echoes-secret', echo('token=s3cr3t-t0ken.'), { headers });
  await failure('server.http-error', status(500, `for ${SECRET}`), { headers });
  await failure('server.bad-redirect', status(307, '', { location: `ftp://x/${SECRET}` }), {
    headers,
  });
});

test('an address that cannot be asked is told before anything is sent', async () => {
  for (const url of ['ftp://example.com/', 'nonsense', 'http://me:s3cr3t@127.0.0.1/mcp']) {
    await failure('probe.bad-url', undefined, { url });
  }
  await failure('header.reserved', undefined, { headers: { Host: 'x' } });
  const { message } = await failure('server.unreachable', undefined, {
    url: 'http://127.0.0.1:1/mcp?key=s3cr3t',
  });
  assert.match(message, /127\.0\.0\.1:1/);
});

test('plain http is named when it leaves the machine, and said to carry the headers', async () => {
  await using server = await serveHttp();
  const url = server.url.replace('127.0.0.1', '0.0.0.0');
  const got = await probeHttp({ url, timeoutMs: 20_000, headers });
  assert.deepEqual(
    got.warnings.map(({ code }) => code),
    ['plain-http'],
  );
  assert.match(got.warnings[0]?.message ?? '', /the secret headers go to 0\.0\.0\.0/);
});
