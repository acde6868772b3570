import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { folderQueue } from '../../src/intake/folder.ts';
import { intake } from '../../src/intake/handler.ts';
import { Limit, limitsOf, network } from '../../src/intake/limit.ts';
import type { Arrival } from '../../src/intake/queue.ts';
import { shown } from '../../src/intake/shown.ts';
import { signerOf } from '../../src/intake/sign.ts';
import { formatNote, sign } from '../../src/ledger/note.ts';
import { address } from '../../src/site.ts';
import { folder } from '../disk/folder.ts';
import { contract, DOCUMENTS, type Options, SKEY, SLUG } from './contract.ts';

const ORIGIN = 'http://localhost:4321';

/** The handler over a queue in a folder, with nothing around it. */
function mount(dir: string, { terminalKey, signed, limit }: Options, now = () => Date.now()) {
  const queue = folderQueue(dir);
  const each = limit ?? Number.POSITIVE_INFINITY;
  const answer = intake({
    queue,
    site: address({}),
    document: async (path) => DOCUMENTS[path] ?? null,
    terminalKey: terminalKey ?? null,
    skey: signed === true ? SKEY : null,
    limit: new Limit({ perMinute: each, burst: each }, now, randomBytes),
    isOurs: (origin) => origin === ORIGIN,
    now: () => new Date(now()),
    random: randomBytes,
    patience: 200,
    complain: () => {},
  });
  const send = async (path: string, init?: RequestInit, address = '127.0.0.1') =>
    (await answer(new Request(`${ORIGIN}${path}`, init), address)) ??
    new Response(null, { status: 404 });
  return { queue, send, answer };
}

contract(async (options) => {
  const dir = mkdtempSync(join(tmpdir(), 'weighbridge-intake-'));
  const { queue, send } = mount(dir, options);
  return {
    send,
    origin: ORIGIN,
    stop: async () => {
      await queue.close();
      rmSync(dir, { recursive: true });
    },
  };
});

const post = (actor: string): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ actor, objection: `secretly ${actor}`, surface: 'S1' }),
});
const OBJECTIONS = `/api/articles/${SLUG}/objections`;

test('paths that are not the intake’s are left to whoever comes next', async (t) => {
  const { queue, answer } = mount(folder(t), {});
  for (const path of [
    '/',
    '/api/articles.json',
    '/api/objections/',
    '/api/articles/A/objections',
    '/api/articles/x/y/objections',
    '/api/queue/1',
  ]) {
    assert.equal(await answer(new Request(`${ORIGIN}${path}`), ''), null, path);
  }
  await queue.close();
});

test('a queue opened again holds all that was acknowledged, and two may have it open', async (t) => {
  const dir = folder(t);
  const one = mount(dir, {});
  const ids: string[] = [];
  for (const actor of ['a', 'b']) {
    ids.push(((await (await one.send(OBJECTIONS, post(actor))).json()) as { id: string }).id);
  }
  const other = folderQueue(dir);
  assert.deepEqual(
    (await other.list({ limit: 9 })).map(({ id }) => id),
    ids,
  );
  await other.acknowledge(ids[0]!, { status: 'declined', seq: null, reason: 'no' });
  assert.equal((await one.queue.get(ids[0]!))?.status, 'declined');
  await Promise.all([one.queue.close(), other.close()]);
  const again = folderQueue(dir);
  assert.deepEqual(
    (await again.list({ limit: 9 })).map(({ id }) => id),
    ids,
  );
  assert.deepEqual(
    (await again.list({ limit: 9, status: 'queued' })).map(({ id }) => id),
    [ids[1]],
  );
  assert.deepEqual(
    (await again.list({ limit: 1, after: 1 })).map(({ at }) => at),
    [2],
  );
  await again.close();
});

test('what is erased is in no file of the queue any more, and no address ever was', async (t) => {
  const dir = folder(t);
  const { queue, send } = mount(dir, {});
  const response = await send(OBJECTIONS, post('somebody-to-forget'), '203.0.113.77');
  const { id, salt } = (await response.json()) as { id: string; salt: string };
  const bytes = () =>
    readdirSync(dir)
      .map((name) => readFileSync(join(dir, name), 'latin1'))
      .join();
  assert.ok(bytes().includes('somebody-to-forget') && bytes().includes(salt));
  await queue.acknowledge(id, { status: 'erased', seq: null, reason: null });
  assert.ok(!bytes().includes('somebody-to-forget') && !bytes().includes(salt));
  assert.ok(!bytes().includes('203.0.113'));
  await queue.close();
});

test('a post that the disk can’t keep is refused as such, and nothing is said to be kept', async (t) => {
  const { queue, send } = mount(folder(t), {});
  await queue.close();
  const response = await send(OBJECTIONS, post('a'));
  assert.deepEqual([response.status, response.headers.get('retry-after')], [503, '30']);
});

test('a post is answered when the disk has it, and nothing is taken once the disk has refused', async (t) => {
  const dir = folder(t);
  const syncs: PromiseWithResolvers<void>[] = [];
  const queue = folderQueue(dir, () => {
    const one = Promise.withResolvers<void>();
    syncs.push(one);
    return one.promise;
  });
  const arrival = (actor: string): Arrival => ({
    ...{ kind: 'objection', article: SLUG, claim: null, body: '{}', salt: '', commit: '' },
    ...{ id: actor, body_sha256: actor, received_at: '', keyed: false },
  });
  const told: string[] = [];
  const put = (actor: string) =>
    queue.put(arrival(actor), null).then(
      () => told.push(actor),
      () => told.push(`not ${actor}`),
    );
  const begun = async (count: number) => {
    while (syncs.length < count) await new Promise(setImmediate);
  };
  const first = [put('a'), put('b')];
  await begun(1);
  // It comes while those go to the disk, so it waits for a sync that begins after it.
  const second = put('c');
  await new Promise(setImmediate);
  assert.deepEqual([told, syncs.length], [[], 1]);
  syncs[0]!.resolve();
  await Promise.all(first);
  await begun(2);
  assert.deepEqual(told, ['a', 'b']);
  syncs[1]!.reject(new Error('EIO'));
  await second;
  await put('d');
  await assert.rejects(queue.acknowledge('a', { status: 'accepted', seq: 1, reason: null }));
  assert.deepEqual([told, syncs.length], [['a', 'b', 'not c', 'not d'], 2]);
  await queue.close();
});

test('receipts are signed as notes are', async () => {
  const text = 'one\ntwo\n';
  const note = formatNote({ text: '', signatures: [sign(text, SKEY)] });
  assert.equal(`\n${await signerOf(SKEY)(text)}\n`, note);
});

test('a body that does not come in time is given up', async (t) => {
  const { queue, answer } = mount(folder(t), {});
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(new Uint8Array([123])),
  });
  const request = new Request(`${ORIGIN}${OBJECTIONS}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
    duplex: 'half',
  } as RequestInit);
  assert.equal((await answer(request, ''))?.status, 408);
  await queue.close();
});

test('the limit is one per network, comes back with time, and its hashes rotate', () => {
  let now = 0;
  let keys = 0;
  const limit = new Limit(
    { perMinute: 6, burst: 2 },
    () => now,
    (bytes) => new Uint8Array(bytes).fill(++keys),
  );
  assert.deepEqual(
    [1, 2, 3].map(() => limit.take('192.0.2.1')),
    [0, 0, 10],
  );
  assert.equal(limit.take('::ffff:192.0.2.1'), 10);
  assert.equal(limit.take('192.0.2.2'), 0);
  now += 10_000;
  assert.deepEqual([limit.take('192.0.2.1'), limit.take('192.0.2.1')], [0, 10]);
  assert.equal(keys, 1);
  now += 3_600_000;
  assert.deepEqual([limit.take('192.0.2.1'), keys], [0, 2]);
});

test('how often one may post is a number above 0, on one machine as at the edge', () => {
  assert.deepEqual(limitsOf(undefined), { perMinute: 30, burst: 30 });
  assert.deepEqual(limitsOf('0.5'), { perMinute: 0.5, burst: 1 });
  assert.equal(limitsOf('Infinity').perMinute, Number.POSITIVE_INFINITY);
  for (const wrong of ['0', '-1', 'many']) {
    assert.throws(() => limitsOf(wrong), { code: 'intake.setting' });
  }
});

test('of an IPv6 address the network counts, however it is written', () => {
  for (const one of [
    '2001:db8:0:1::1',
    '2001:0DB8::1:aa:bb:cc:dd',
    '2001:db8:0:1:ffff:ffff:ffff:ffff%eth0',
  ]) {
    assert.equal(network(one), '2001:db8:0:1', one);
  }
  assert.equal(network('::1'), '0:0:0:0');
  assert.equal(network('fe80::'), 'fe80:0:0:0');
});

test('text of strangers shows what it hides and keeps its lines', () => {
  assert.equal(
    shown('a\n\tb\u202e\u0000\u200b\r\u2028\ud800é'),
    'a\n\tb\\u{202e}\\u{0}\\u{200b}\\u{d}\\u{2028}\\u{d800}é',
  );
});
