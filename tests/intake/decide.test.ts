import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { append } from '../../src/disk/append.ts';
import { openLedger, verifyLedger } from '../../src/disk/ledger.ts';
import { erasePost } from '../../src/disk/withdraw.ts';
import { recordPost, resolvePost, waiting } from '../../src/intake/decide.ts';
import { type FolderQueue, folderQueue } from '../../src/intake/folder.ts';
import { bodyHash, readPost } from '../../src/intake/post.ts';
import { proposalOf } from '../../src/intake/proposal.ts';
import type { Kept, Outcome } from '../../src/intake/queue.ts';
import { remoteQueue } from '../../src/intake/remote.ts';
import { commitment } from '../../src/ledger/commitment.ts';
import { Problem } from '../../src/problem.ts';
import { folder, ledgerFolder } from '../disk/folder.ts';
import { ARTICLE, claim, STAMP } from '../ledger/drafts.ts';

function open(t: TestContext): FolderQueue {
  const queue = folderQueue(folder(t));
  t.after(() => queue.close());
  return queue;
}

let count = 0;
async function put(queue: FolderQueue, kind: Kept['kind'], value: object): Promise<Kept> {
  const post = readPost(kind, kind === 'objection' ? ARTICLE : null, value);
  assert.ok('body' in post, JSON.stringify(post));
  const salt = new Uint8Array(32).fill(++count);
  const { kept } = await queue.put(
    {
      ...post,
      id: count.toString(16).padStart(32, '0'),
      salt: Buffer.from(salt).toString('hex'),
      commit: commitment(salt, new TextEncoder().encode(post.body)),
      body_sha256: bodyHash(post.body),
      received_at: STAMP.ts,
      keyed: kind !== 'objection',
    },
    null,
  );
  return kept;
}
const objection = { actor: 'somebody', objection: 'It is not so.', surface: 'S4', claim_id: 'c1' };

test('a post goes through the queue into the ledger, is answered and erased, each once', async (t) => {
  const [dir, queue] = [ledgerFolder(t), open(t)];
  await append(dir, STAMP, (batch) => void batch.add(claim()));
  const kept = await put(queue, 'objection', objection);
  const { id } = kept;
  // As often as a command stops before the queue is told.
  for (let i = 0; i < 3; i++) {
    const [one] = await waiting(queue);
    assert.deepEqual(await recordPost(dir, STAMP, one!, null), {
      status: 'accepted',
      seq: 1,
      reason: null,
    });
  }
  await queue.acknowledge(id, await recordPost(dir, STAMP, kept, null));
  assert.deepEqual(await waiting(queue), []);
  const { received } = openLedger(dir).fold.objections.get(id)!;
  assert.deepEqual([received.entry.body.claim?.id, received.entry.body.surface], ['c1', 'S4']);
  const answer = { id, answer: 'Put right.', claim: 'c1' };
  for (let i = 0; i < 2; i++) assert.equal((await resolvePost(dir, STAMP, answer)).seq, 2);
  assert.equal((await resolvePost(dir, STAMP, { ...answer, answer: 'Put right again.' })).seq, 3);
  await assert.rejects(resolvePost(dir, STAMP, { ...answer, claim: 'c9' }), {
    code: 'resolve.claim',
  });
  await assert.rejects(resolvePost(dir, STAMP, { ...answer, id: 'f'.repeat(32) }), {
    code: 'resolve.unknown',
  });
  assert.equal(await erasePost(dir, STAMP, { id, reason: 'asked for' }), 4);
  assert.equal((await recordPost(dir, STAMP, kept, null)).status, 'erased');
  assert.deepEqual([verifyLedger(dir).ok, openLedger(dir).fold.size], [true, 5]);
});

test('what is declined is recorded with its reason, once', async (t) => {
  const [dir, queue] = [ledgerFolder(t), open(t)];
  const kept = await put(queue, 'objection', { ...objection, claim_id: null });
  const declined: Outcome = { status: 'declined', seq: 1, reason: 'It is so.' };
  for (let i = 0; i < 2; i++)
    assert.deepEqual(await recordPost(dir, STAMP, kept, 'It is so.'), declined);
  assert.equal(openLedger(dir).fold.size, 2);
});

test('a deployed queue is worked through exactly once, whatever fails in between', async (t) => {
  const [dir, queue] = [ledgerFolder(t), open(t)];
  for (const actor of ['a', 'b', 'c'])
    await put(queue, 'objection', { ...objection, actor, claim_id: null });
  let asked = 0;
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://x');
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const [, id] = /^\/api\/queue\/(\w+)$/.exec(url.pathname) ?? [];
    // Every other answer is lost, now before and now after it took effect.
    const lost = ++asked % 2 === 0;
    if (lost && asked % 4 === 0) return void request.socket.destroy();
    const answer = id
      ? await queue.acknowledge(id, JSON.parse(Buffer.concat(chunks).toString()) as Outcome)
      : {
          posts: await queue.list({
            status: 'queued',
            after: Number(url.searchParams.get('after')),
            limit: 2,
          }),
        };
    if (lost) return void request.socket.destroy();
    response.setHeader('connection', 'close').end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const remote = remoteQueue(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 'key');
  const posts = await waiting(remote);
  assert.equal(posts.length, 3);
  for (const kept of posts) {
    const outcome = await recordPost(dir, STAMP, kept, null);
    await remote.acknowledge(kept.id, outcome);
  }
  assert.deepEqual(await waiting(remote), []);
  assert.deepEqual([openLedger(dir).fold.size, verifyLedger(dir).ok], [3, true]);
  assert.ok(asked > 6, String(asked));
});

test('a deployed queue that tells other words than it committed to is not believed', async (t) => {
  const queue = open(t);
  const kept = await put(queue, 'objection', objection);
  const told = [
    { ...kept, body: kept.body?.replace('not so', 'so') },
    { ...kept, id: '../x' },
    { ...kept, salt: '00' },
  ];
  const server = createServer((_, response) => {
    response.setHeader('connection', 'close').end(JSON.stringify({ posts: [told.shift()] }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const remote = remoteQueue(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 'key');
  for (let i = 0; i < 3; i++) await assert.rejects(waiting(remote), { code: 'queue.altered' });
});

const INDEX = '---\ntitle: x\n---\n\n## One\n\ntext\n\n## Two\n\nmore\n';
const post = {
  slug: ARTICLE,
  text: 'It costs more: "really".',
  tier: 'system',
  source_ids: ['s1', 's2'],
  who_claims: 'the owner',
  rationale: 'Read.',
};

test('a claim becomes an item of claims.yaml and a place in its section, once', async (t) => {
  const kept = await put(open(t), 'claim', { ...post, section: 'one' });
  const files: Record<string, string> = { 'index.mdx': INDEX, 'claims.yaml': '# ours\n- id: c1\n' };
  const types = new Map([
    ['s1', 'specification'],
    ['s2', 'github'],
  ] as const);
  const { edits, ids } = proposalOf(kept, (name) => files[name] ?? null, types);
  const [yaml, mdx] = edits;
  assert.match(
    yaml!.after,
    /^# ours\n- id: c1\n- id: post-0+\d?\n {2}text: 'It costs more: "really"\.'\n/,
  );
  assert.match(yaml!.after, /status:\n {4}- specified\n {4}- externally_attested\n/);
  assert.equal(mdx!.after, INDEX.replace('text\n\n', `text\n\n<Claim id="${ids[0]}"/>\n\n`));
  const again = proposalOf(
    kept,
    (name) => (name === 'index.mdx' ? mdx!.after : yaml!.after),
    types,
  );
  assert.deepEqual(
    again.edits.map(({ before, after }) => before === after),
    [true, true],
  );
  const last = await put(open(t), 'claim', post);
  const end = proposalOf(last, (name) => files[name] ?? null, types);
  assert.ok(end.edits[1]!.after.endsWith(`more\n\n<Claim id="${end.ids[0]}"/>\n`));
  const nowhere = await put(open(t), 'claim', { ...post, section: 'three' });
  assert.throws(
    () => proposalOf(nowhere, (name) => files[name] ?? null, types),
    (error) => error instanceof Problem && error.code === 'proposal.section',
  );
});

test('sources become items of sources.yaml, unverified until they are looked for', async (t) => {
  const source = {
    type: 'github',
    url: 'https://example.com/',
    title: 'T',
    quote: 'q',
    summary: 'S',
  };
  const kept = await put(open(t), 'sources', {
    slug: ARTICLE,
    sources: [source, { ...source, quote: '' }],
  });
  const { edits, ids } = proposalOf(kept, () => null, new Map());
  assert.equal(ids.length, 2);
  assert.match(edits[0]!.after, /quote: q\n {2}quote_status: unverified\n/);
  assert.equal(
    edits[0]!.path,
    join('content/articles', ARTICLE, 'sources.yaml').replaceAll('\\', '/'),
  );
});
