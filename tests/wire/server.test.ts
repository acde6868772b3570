import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { test } from 'node:test';
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { MAX_BODY_BYTES, startWire } from '../../src/wire/server.ts';
import { CHAT, capture, count, GENERATE, MESSAGES, RESPONSES } from './capture.ts';

/** Sends raw bytes and gives all that came back. */
function raw(port: number, text: string): Promise<string> {
  return new Promise((done, fail) => {
    let got = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    socket.setEncoding('utf8').on('data', (chunk) => {
      got += chunk;
    });
    socket.on('close', () => done(got)).on('error', fail);
  });
}

test('the contract: request, status, type, how the answer ends', async () => {
  const { wire, next, post } = await capture();
  const anthropicVersion = { 'anthropic-version': '2023-06-01' };
  const gem = '/v1beta/models/gemini-3-pro';
  const sse = 'text/event-stream';
  const plain = 'application/json';
  for (const [path, body, type, end, endpoint] of [
    ['/v1/messages?beta=true', MESSAGES, sse, /event: message_stop\ndata: .*\n\n$/, 'messages'],
    ['/v1/messages', { ...MESSAGES, stream: false }, plain, /"stop_reason":"end_turn"/, 'messages'],
    ['/v1/messages/count_tokens', MESSAGES, plain, /^\{"input_tokens":\d+\}$/, 'count_tokens'],
    ['/v1/responses', RESPONSES, sse, /event: response.completed\ndata: .*\n\n$/, 'responses'],
    ['/responses', { ...RESPONSES, stream: false }, plain, /"status":"completed"/, 'responses'],
    ['/v1/chat/completions', CHAT, sse, /"usage":.*\n\ndata: \[DONE\]\n\n$/, 'chat_completions'],
    [
      '/v1/chat/completions',
      { ...CHAT, stream: false },
      plain,
      /"finish_reason":"stop"/,
      'chat_completions',
    ],
    [
      `${gem}:streamGenerateContent?alt=sse&key=x`,
      GENERATE,
      sse,
      /"STOP".*\n\n$/,
      'stream_generate_content',
    ],
    [`${gem}:streamGenerateContent`, GENERATE, plain, /^\[.*\]$/, 'stream_generate_content'],
    [`${gem}:generateContent`, GENERATE, plain, /"text":"ok"/, 'generate_content'],
    [`${gem}:countTokens`, GENERATE, plain, /^\{"totalTokens":\d+\}$/, 'count_tokens'],
  ] as const) {
    const response = await post(path, body);
    const text = await response.text();
    assert.equal(response.status, 200, path);
    assert.equal(response.headers.get('content-type'), type, path);
    assert.match(text, end, path);
    const record = await next();
    assert.deepEqual([record.endpoint, record.status], [endpoint, 200], path);
    assert.equal(record.body_bytes, JSON.stringify(body).length);
  }
  for (const [method, path, headers, endpoint] of [
    ['HEAD', '/', {}, 'head'],
    ['HEAD', '/api/hello', {}, 'hello'],
    ['GET', '/v1/models', anthropicVersion, 'models'],
    ['GET', '/v1/models', {}, 'models'],
    ['GET', '/v1beta/models', {}, 'models'],
  ] as const) {
    const response = await fetch(wire.url + path, { method, headers });
    await response.arrayBuffer();
    assert.equal(response.status, 200, path);
    const record = await next();
    assert.deepEqual([record.endpoint, record.turn], [endpoint, false], path);
  }
});

test('it listens on the loopback address alone', async () => {
  const { port } = await capture();
  const others = Object.values(networkInterfaces())
    .flatMap((all) => all ?? [])
    .filter(({ family, internal }) => family === 'IPv4' && !internal);
  for (const { address } of others) {
    await assert.rejects(fetch(`http://${address}:${port}/`), `answers at ${address}`);
  }
});

test('a page of another site and a name that points here are refused, and nothing is read', async () => {
  const { next, post, port } = await capture();
  const page = await post('/v1/messages', MESSAGES, { origin: 'https://example.org' });
  assert.equal(page.status, 403);
  assert.equal((await next()).tools.count, 0);
  const named = await raw(
    port,
    'GET /v1/models HTTP/1.1\r\nhost: example.org\r\nconnection: close\r\n\r\n',
  );
  assert.match(named, /^HTTP\/1.1 403 /);
});

test('an encoded body is decoded, both sizes recorded', async () => {
  const { next, post } = await capture();
  const text = JSON.stringify(MESSAGES);
  for (const [encoding, encode] of [
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['zstd', zstdCompressSync],
  ] as const) {
    const sent = encode(text);
    assert.equal((await post('/v1/messages', sent, { 'content-encoding': encoding })).status, 200);
    const { body_bytes, decoded_bytes, tools, encoding: recorded } = await next();
    assert.deepEqual([body_bytes, decoded_bytes, recorded], [sent.length, text.length, encoding]);
    assert.equal(tools.count, 3);
  }
});

test('bodies that cannot be read get a clear error and a record, and the server stays up', async () => {
  const { next, post } = await capture();
  const deep = `{"tools":${'['.repeat(200_000)}${']'.repeat(200_000)}}`;
  const broken: [string, string | Uint8Array, Record<string, string>, number, string][] = [
    ['not JSON', '{"model":', {}, 400, 'invalid-json'],
    ['an array', '[]', {}, 400, 'invalid-json'],
    ['nothing', '', {}, 400, 'invalid-json'],
    ['too deep', deep, {}, 400, 'too-deep'],
    ['not UTF-8', Uint8Array.of(0x7b, 0xff, 0x7d), {}, 400, 'invalid-json'],
    ['not gzip', 'plain', { 'content-encoding': 'gzip' }, 400, 'bad-encoding'],
    ['an unknown encoding', 'plain', { 'content-encoding': 'rot13' }, 400, 'bad-encoding'],
    [
      'a bomb',
      gzipSync(Buffer.alloc(MAX_BODY_BYTES + 1)),
      { 'content-encoding': 'gzip' },
      413,
      'too-large',
    ],
    ['50 MB', Buffer.alloc(50_000_000, 0x20), {}, 413, 'too-large'],
  ];
  for (const [what, body, headers, status, unread] of broken) {
    const response = await post('/v1/messages', body, headers);
    const { type, error } = (await response.json()) as { type: string; error: { message: string } };
    assert.deepEqual([response.status, type], [status, 'error'], what);
    assert.ok(error.message.length > 10, what);
    const record = await next();
    assert.equal(record.unread, unread, what);
    assert.equal(record.body_bytes, typeof body === 'string' ? body.length : body.byteLength, what);
    assert.equal(record.endpoint, 'messages');
  }
  assert.equal((await post('/v1/messages', MESSAGES)).status, 200);
});

test('an unknown endpoint is a 404 whose record holds nothing of its path', async () => {
  const { wire, next } = await capture();
  const response = await fetch(`${wire.url}/home/CANARY?key=CANARY`);
  assert.equal(response.status, 404);
  const record = await next();
  assert.equal(record.endpoint, null);
  assert.doesNotMatch(JSON.stringify(record), /CANARY/);
});

test('HTTP/1.0 without a Host gets its stream, unchunked, and the connection ends with it', async () => {
  const { next, port } = await capture();
  const body = JSON.stringify(MESSAGES);
  const got = await raw(
    port,
    `POST /v1/messages HTTP/1.0\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  );
  assert.match(got, /\r\n\r\nevent: message_start\n/);
  assert.match(got, /event: message_stop\ndata: .*\n\n$/);
  assert.doesNotMatch(got, /transfer-encoding/i);
  assert.equal((await next()).http, '1.0');
});

test('a client that breaks off, and one that speaks no HTTP, leave the server up', async () => {
  const { next, post, port } = await capture();
  await new Promise<void>((done) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(
        'POST /v1/messages HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100\r\n\r\n{"a"',
      );
      setTimeout(() => socket.destroy(), 50);
    });
    socket.on('close', () => done());
  });
  const { unread, status } = await next();
  assert.deepEqual([unread, status], ['aborted', null]);
  assert.match(await raw(port, 'hello\r\n\r\n'), /^HTTP\/1.1 400 /);
  assert.equal((await post('/v1/messages', MESSAGES)).status, 200);
});

test('what is asked through it as a proxy is refused, and only the host is recorded', async () => {
  const { next, port } = await capture();
  const connected = await raw(
    port,
    'CONNECT example.org:443 HTTP/1.1\r\nhost: example.org:443\r\n\r\n',
  );
  assert.match(connected, /^HTTP\/1.1 403 /);
  assert.deepEqual((await next()).outside, 'example.org:443');
  const url = 'http://example.org/CANARY?CANARY';
  const got = await raw(
    port,
    `GET ${url} HTTP/1.1\r\nhost: example.org\r\nconnection: close\r\n\r\n`,
  );
  assert.match(got, /^HTTP\/1.1 403 /);
  const record = await next();
  assert.equal(record.outside, 'example.org:80');
  assert.doesNotMatch(JSON.stringify(record), /CANARY/);
});

test('each fault does what it says, to what it says, and is recorded', async () => {
  const undeferred = { ...MESSAGES, tools: MESSAGES.tools.slice(0, 2) };
  const beta = { 'anthropic-beta': 'effort-2025-11-24' };

  const defer = await capture('reject-defer-loading');
  assert.equal((await defer.post('/v1/messages', MESSAGES)).status, 400);
  assert.equal((await defer.next()).fault, 'reject-defer-loading');
  assert.equal((await defer.post('/v1/messages', undeferred)).status, 200);
  assert.equal((await defer.next()).fault, null, 'it was not played on this one');

  const betas = await capture('reject-beta');
  assert.equal((await betas.post('/v1/messages', MESSAGES, beta)).status, 400);
  assert.equal((await betas.post('/v1/messages', MESSAGES)).status, 200);

  const stop = await capture('drop-message-stop');
  const streamed = await (await stop.post('/v1/messages', MESSAGES)).text();
  assert.match(streamed, /message_delta/);
  assert.doesNotMatch(streamed, /message_stop/);

  const shut = await capture('unauthorized');
  for (const [path, body] of [
    ['/v1/messages', MESSAGES],
    ['/v1/responses', RESPONSES],
    ['/v1beta/models/m:generateContent', GENERATE],
  ] as const) {
    assert.equal((await shut.post(path, body)).status, 401);
    assert.equal((await shut.next()).tools.count, 3, 'what came is recorded all the same');
  }

  const slow = await capture('slow');
  const started = performance.now();
  await (await slow.post('/v1/messages', { ...MESSAGES, stream: false })).text();
  assert.ok(performance.now() - started >= 990);
});

test('a port that is taken rejects with the reason', async () => {
  const { port } = await capture();
  const again = startWire({ listen: { port }, count, onRequest: () => {} });
  await assert.rejects(again, { code: 'EADDRINUSE' });
});
