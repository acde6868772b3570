/** Bodies as a network brings them, too long, cut off or unread, against a real server. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import { mountIntake } from '../../src/intake/mount.ts';
import { serve } from '../../src/serve.ts';
import { address } from '../../src/site.ts';
import { folder } from '../disk/folder.ts';
import { SLUG } from './contract.ts';
import { writeSite } from './edge.ts';

const PATH = `/api/articles/${SLUG}/objections`;
const JSON_TYPE = { 'content-type': 'application/json' };
/** A little longer than a post may be, so that its end comes after all; and without any hope of it. */
const LENGTHS = [17_000, 5_000_000];

async function start(t: TestContext): Promise<number> {
  const [dist, dir] = [writeSite(folder(t)), folder(t)];
  const serving = await serve(0, '');
  t.after(() => serving.close());
  serving.open(dist, (files) =>
    mountIntake(
      { dir, site: address({}), port: serving.port, document: (path) => files.document(path) },
      {},
    ),
  );
  return serving.port;
}

/** The status of a post, whose body is sent in pieces; null where the connection was closed before. */
function post(port: number, path: string, headers: object, body: Buffer, piece: number) {
  const sent = request({
    ...{ host: '127.0.0.1', port, path, method: 'POST', agent: false },
    headers: { ...headers },
  });
  return new Promise<number | null>((resolve) => {
    sent.on('response', (response) => {
      response.resume();
      resolve(response.statusCode ?? null);
    });
    sent.on('error', () => resolve(null));
    let at = 0;
    const next = () => {
      while (at < body.length) {
        const part = body.subarray(at, at + piece);
        at += piece;
        if (!sent.write(part)) return;
      }
      sent.end();
    };
    sent.on('drain', next);
    next();
  });
}

const good = (port: number, actor: string) => {
  const text = JSON.stringify({ actor, objection: 'It is not so.', surface: 'S1' });
  return post(port, PATH, JSON_TYPE, Buffer.from(text), 7);
};

test('a body without end, or one that nobody reads, is refused and takes nothing else down', async (t) => {
  const port = await start(t);
  const cases: [path: string, headers: object, status: number, sized?: true][] = [
    [PATH, JSON_TYPE, 413],
    [PATH, JSON_TYPE, 413, true],
    [PATH, { 'content-type': 'text/plain' }, 415],
    ['/api/protocol/claim', JSON_TYPE, 503],
    ['/api/intake.json', JSON_TYPE, 405],
    ['/', JSON_TYPE, 405],
  ];
  for (const length of LENGTHS) {
    for (const [path, headers, expected, sized] of cases) {
      const body = Buffer.alloc(length, 'x');
      const all = sized ? { ...headers, 'content-length': length } : headers;
      const status = await post(port, path, all, body, 4_096);
      // Who is still sending may see the connection close before it sees the answer.
      assert.ok(status === expected || status === null, `${path}: ${status}`);
      assert.equal(await good(port, `${length} ${path} ${JSON.stringify(all)}`), 201, path);
    }
  }
});

test('a body that is cut off leaves the server as it was', async (t) => {
  const port = await start(t);
  for (const length of [100, ...LENGTHS]) {
    for (const bytes of [0, 50, 40_000]) {
      const socket = connect(port, '127.0.0.1');
      await once(socket, 'connect');
      socket.on('error', () => {});
      socket.write(
        `POST ${PATH} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n${'x'.repeat(bytes)}`,
      );
      await new Promise(setImmediate);
      socket.destroy();
      assert.equal(await good(port, `${length} ${bytes}`), 201);
    }
  }
});
