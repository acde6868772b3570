/** The contract once more, on workerd: Worker, Durable Object and static assets as they are deployed. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { formatSkey } from '../../src/ledger/note.ts';
import { folder } from '../disk/folder.ts';
import { contract, SKEY, SLUG } from './contract.ts';
import { startEdge, writeSite } from './edge.ts';

contract(async ({ terminalKey, signed, limit }) => {
  const dir = mkdtempSync(join(tmpdir(), 'weighbridge-edge-'));
  const { port, kill } = await startEdge(writeSite(join(dir, 'site')), join(dir, 'state'), {
    TERMINAL_KEY: terminalKey,
    INTAKE_KEY: signed === true ? formatSkey(SKEY) : undefined,
    INTAKE_PER_MINUTE: String(limit ?? Number.POSITIVE_INFINITY),
  });
  return {
    send: (path, init) => fetch(`http://127.0.0.1:${port}${path}`, init),
    origin: `http://localhost:${port}`,
    stop: async () => {
      await kill();
      rmSync(dir, { recursive: true });
    },
  };
});

const FILES: Readonly<Record<string, string>> = {
  'index.html': 'home page',
  'index.md': 'home text',
  'a/x/index.html': 'x page',
  'a/x.md': 'x text',
  [`a/${SLUG}.md`]: 'its text',
  _headers: '/*\n  x-frame-options: DENY\n',
  _redirects: `/api/articles/${SLUG}/bundle /a/${SLUG}.md 200\n`,
};
const PROBLEM = 'application/problem+json; charset=utf-8';
/** What is asked, how, and what comes: status, body (of a problem its code), and headers. */
const AROUND: [string, RequestInit, number, string, Record<string, string | null>][] = [
  ['/', {}, 200, 'home page', { vary: 'accept', 'access-control-allow-origin': null }],
  ['/', { headers: { accept: 'text/markdown' } }, 200, 'home text', { vary: 'accept' }],
  ['/a/x/', {}, 200, 'x page', { vary: 'accept' }],
  ['/a/x/', { headers: { accept: 'text/markdown' } }, 200, 'x text', { vary: 'accept' }],
  ['/a/x.md', {}, 200, 'x text', { 'access-control-allow-origin': '*' }],
  [`/api/articles/${SLUG}/bundle`, {}, 200, 'its text', { 'access-control-allow-origin': '*' }],
  [`/api/articles/${SLUG}/bundle?format=pdf`, {}, 404, 'path.unknown', { 'content-type': PROBLEM }],
  ['/api/objections/xyz', {}, 404, 'path.unknown', { 'content-type': PROBLEM }],
  ['/api/objections/xyz', { method: 'POST' }, 405, 'method', { allow: 'GET, HEAD' }],
  ['/a/x/', { method: 'POST' }, 405, 'method', { allow: 'GET, HEAD' }],
  ['/_redirects', {}, 404, '', {}],
  ['/_headers', {}, 404, '', {}],
  ['/%5Fheaders', {}, 404, '', {}],
  ['/a/y/', {}, 404, '', { 'access-control-allow-origin': null }],
];

test('around the intake the Worker answers as the server does', async (t) => {
  const site = writeSite(folder(t));
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(site, path)), { recursive: true });
    writeFileSync(join(site, path), text);
  }
  const { port, kill } = await startEdge(site, folder(t), {});
  t.after(kill);
  const home = `http://127.0.0.1:${port}`;
  for (const [path, init, status, text, headers] of AROUND) {
    const what = `${init.method ?? 'GET'} ${path} ${JSON.stringify(init.headers ?? {})}`;
    const response = await fetch(home + path, init);
    const body = await response.text();
    assert.equal(response.status, status, what);
    assert.equal(body.startsWith('{') ? JSON.parse(body).code : body, text, what);
    for (const [name, value] of Object.entries(headers)) {
      assert.equal(response.headers.get(name), value, `${what}: ${name}`);
    }
  }
  // fetch would not send it.
  for (const [path, allow] of [
    ['/api/intake', 'GET, HEAD'],
    ['/api/protocol/claim', 'POST'],
  ]) {
    const { statusCode, headers } = await new Promise<IncomingMessage>((resolve, reject) => {
      request(`${home}${path}`, { method: 'TRACE', agent: false }, resolve)
        .on('error', reject)
        .end();
    });
    assert.deepEqual([statusCode, headers.allow], [405, allow], path);
  }
  const markdown = { accept: 'text/markdown' };
  const tag = (await fetch(`${home}/a/x/`, { headers: markdown })).headers.get('etag') ?? '';
  const again = await fetch(`${home}/a/x/`, { headers: { ...markdown, 'if-none-match': tag } });
  assert.equal(again.status, 304);
  for (const [path, status] of [
    ['/a/x/', 304],
    ['/a/x.md', 304],
    ['/a/y/', 404],
  ] as const) {
    const any = await fetch(home + path, { headers: { 'if-none-match': '*' } });
    assert.equal(any.status, status, path);
  }
});
