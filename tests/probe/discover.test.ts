import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { ProbeFailure } from '../../src/probe/conversation.ts';
import { discoverHttp, discoverStdio } from '../../src/probe/discover.ts';
import type { ProbeOptions } from '../../src/probe/stdio.ts';
import { json, type Own, result, serveHttp } from '../servers/http-serve.ts';
import { TOOLS } from '../servers/serve.ts';

const home = mkdtempSync(join(tmpdir(), 'discover-'));
after(() => rmSync(home, { recursive: true }));

const VERSION = 'io.modelcontextprotocol/protocolVersion';
const META = {
  [VERSION]: '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'weighbridge', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

function discover(fixture: string, options: Partial<ProbeOptions> = {}) {
  return discoverStdio({
    command: process.execPath,
    args: [join(import.meta.dirname, '../servers', `${fixture}.ts`)],
    env: { PATH: dirname(process.execPath), HOME: home },
    cwd: home,
    timeoutMs: 20_000,
    graceMs: 1000,
    ...options,
  });
}

/** A server of the later era over HTTP, which refuses what a strict one would refuse. */
const modern =
  (more: object = {}, page: object = {}): Own =>
  ({ verb, headers, message }, response) => {
    const { id, method, params } = message;
    const { _meta } = (params ?? {}) as { _meta?: Record<string, unknown> };
    const version = headers['mcp-protocol-version'];
    if (verb !== 'POST' || 'mcp-session-id' in headers)
      return response.writeHead(405).end() && true;
    if (version !== _meta?.[VERSION] || headers['mcp-method'] !== method) {
      return json(response, { id, error: { code: -32020, message: 'Header mismatch' } }, 400);
    }
    if (version !== '2026-07-28') {
      const error = { code: -32022, message: 'Unsupported', data: { supported: ['2026-07-28'] } };
      return json(response, { id, error }, 400);
    }
    if (method === 'server/discover') {
      const told = { supportedVersions: ['2026-07-28'], capabilities: { tools: {} }, ...more };
      return json(response, { id, result: { resultType: 'complete', ...told } });
    }
    const list = { resultType: 'complete', ...result(message), ...page };
    return json(response, { id, result: list });
  };

test('a server of the later era is asked with metadata on every request, and never to initialize', async () => {
  const info = { name: 'modern', version: '2.0.0' };
  await using server = await serveHttp(
    modern(
      {
        instructions: 'Weigh first.',
        ttlMs: 3_600_000,
        cacheScope: 'public',
        _meta: { 'io.modelcontextprotocol/serverInfo': info },
      },
      { ttlMs: 0, cacheScope: 'private' },
    ),
  );
  const got = await discoverHttp({ url: server.url, timeoutMs: 20_000 });
  assert.ok(got.outcome === 'spoken');
  assert.deepEqual(got.tools, TOOLS);
  assert.deepEqual([got.serverName, got.serverVersion], ['modern', '2.0.0']);
  assert.deepEqual(got.caching, {
    discover: { ttlMs: 3_600_000, cacheScope: 'public' },
    list: { ttlMs: 0, cacheScope: 'private' },
  });
  assert.equal(got.instructions, 'Weigh first.');
  assert.equal(JSON.parse(Buffer.from(got.discovery).toString()).id, 1);
  assert.deepEqual(
    server.asked.map(({ message }) => `${message.method} ${message.id}`),
    [
      'server/discover 1',
      'tools/list 1001',
      'tools/list 1002',
      'tools/list 2001',
      'tools/list 2002',
    ],
  );
  for (const { message } of server.asked) {
    assert.deepEqual((message.params as { _meta?: object })._meta, META);
  }
});

test('over stdio, too, and what caching it does not say stays unknown', async () => {
  const got = await discover('later-era');
  assert.ok(got.outcome === 'spoken');
  assert.deepEqual(got.tools, TOOLS);
  assert.deepEqual(got.caching.list, { ttlMs: null, cacheScope: null });
  assert.deepEqual(got.caching.discover, { ttlMs: 500, cacheScope: 'public' });
  assert.deepEqual(
    got.warnings.map(({ code }) => code),
    ['stray-request'],
    'a request of the server is named and not answered',
  );
});

test('an older server refuses by an error, by silence or by leaving', async () => {
  const error = await discover('knows-no-discover');
  assert.ok(error.outcome === 'refused');
  assert.deepEqual([error.how, error.code, error.message], ['error', -32601, 'Method not found']);
  assert.deepEqual(JSON.parse(Buffer.from(error.discovery ?? []).toString()), {
    jsonrpc: '2.0',
    id: 1,
    error: { code: -32601, message: 'Method not found' },
  });
  const silence = await discover('never-answers', { timeoutMs: 2000 });
  assert.ok(silence.outcome === 'refused' && silence.how === 'silence' && silence.code === null);
  assert.equal(silence.discovery, null);
  const exit = await discover('exits-early');
  assert.ok(exit.outcome === 'refused' && exit.how === 'exit');
  await using server = await serveHttp();
  const status = await discoverHttp({ url: server.url, timeoutMs: 20_000 });
  assert.ok(status.outcome === 'refused' && status.how === 'status');
  assert.match(status.message, /HTTP 400/);
});

test('a server of other revisions names them', async () => {
  await using later = await serveHttp((asked, response) =>
    json(
      response,
      {
        id: asked.message.id,
        error: { code: -32022, message: 'Unsupported', data: { supported: ['2027-01-01'] } },
      },
      400,
    ),
  );
  await using other = await serveHttp(modern({ supportedVersions: ['2027-01-01'] }));
  for (const { url } of [later, other]) {
    const got = await discoverHttp({ url, timeoutMs: 20_000 });
    assert.ok(got.outcome === 'refused' && got.how === 'version' && got.code === -32022);
    assert.deepEqual(got.supportedVersions, ['2027-01-01']);
  }
});

test('what says nothing of the era is a failure, not a refusal', async () => {
  const cases: [code: string, own: Own][] = [
    ['server.unauthorized', (_, response) => response.writeHead(401).end() && true],
    ['server.no-tools', modern({ capabilities: {} })],
    ['server.bad-answer', modern({}, { resultType: 'input_required' })],
    ['server.bad-answer', modern({ supportedVersions: 'all' })],
  ];
  for (const [code, own] of cases) {
    await using server = await serveHttp(own);
    await assert.rejects(discoverHttp({ url: server.url, timeoutMs: 20_000 }), (error) => {
      assert.ok(error instanceof ProbeFailure);
      assert.equal(error.code, code, String(error));
      return true;
    });
  }
  await assert.rejects(discover('good', { command: '/nonexistent' }), { code: 'server.not-found' });
});
