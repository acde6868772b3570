/** What the intake answers, as one table, to be held against any queue and any server around it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_BODY, readPost } from '../../src/intake/post.ts';
import { type Receipt, receiptFault } from '../../src/intake/receipt.ts';
import { makeSkey, parseVkey } from '../../src/ledger/note.ts';

export const SLUG = 'what-it-costs';
export const KEY = 'the-owner-s-key';
export const SKEY = makeSkey('test.example/intake', new Uint8Array(32).fill(7));
/** What the site around the intake has published, by path. */
export const DOCUMENTS: Readonly<Record<string, unknown>> = {
  [`/api/articles/${SLUG}.json`]: {
    claims: [{ id: 'c1' }],
    sources: [{ id: 's1' }],
    sections: [{ id: 'how' }],
  },
  [`/api/articles/${SLUG}/objections.json`]: {
    article: SLUG,
    objections: [{ id: 'a'.repeat(32), kind: 'objection', status: 'resolved', seq: 3 }],
    queued: [],
  },
  [`/api/objections/${'a'.repeat(32)}.json`]: { id: 'a'.repeat(32), status: 'resolved', seq: 3 },
};

export interface Options {
  terminalKey?: string;
  signed?: boolean;
  /** Posts a minute and at once that one address may make. */
  limit?: number;
}
export interface Running {
  /** Sends one request; the path begins at the site's root. */
  send(path: string, init?: RequestInit): Promise<Response>;
  /** Of its own pages. */
  origin: string;
  stop(): Promise<void>;
}

const JSON_TYPE = 'application/json; charset=utf-8';
const PROBLEM = 'application/problem+json; charset=utf-8';
const FORM = 'application/x-www-form-urlencoded';

const objection = { actor: 'a reader', objection: 'The count leaves out names.', surface: 'S3' };
const claim = {
  slug: SLUG,
  text: 'It costs more than that.',
  tier: 'system',
  source_ids: ['s1'],
  who_claims: 'the owner',
  rationale: 'Counted by hand.',
};
const sources = {
  slug: SLUG,
  sources: [
    {
      type: 'github',
      url: 'https://example.com/x',
      title: 'X',
      quote: 'it does',
      summary: 'It does.',
    },
  ],
};
const update = { actor: 'a reader', target: SLUG, raw_text: 'There is a new release.' };
const OBJECTIONS = `/api/articles/${SLUG}/objections`;

type Row = [
  what: string,
  request: { method?: string; path: string; body?: unknown; headers?: Record<string, string> },
  status: number,
  expect?: { code?: string; field?: string; headers?: Record<string, string | RegExp | null> },
];
const post = (path: string, body: unknown, headers: Record<string, string> = {}) => ({
  method: 'POST',
  path,
  body,
  headers: { 'content-type': 'application/json', ...headers },
});
const form = (fields: Record<string, string>, headers: Record<string, string> = {}) => ({
  method: 'POST',
  path: OBJECTIONS,
  body: new URLSearchParams(fields).toString(),
  headers: { 'content-type': FORM, ...headers },
});
const bad = (field: string) => ({ code: 'field', field });
const READ = { 'access-control-allow-origin': '*', 'content-type': JSON_TYPE };

/** Each row by itself, against a server with a key and without a limit. */
const ROWS: Row[] = [
  [
    'an objection',
    post(OBJECTIONS, objection),
    201,
    { headers: { location: /\/api\/objections\/[0-9a-f]{32}$/ } },
  ],
  [
    'with a claim and a patch',
    post(OBJECTIONS, { ...objection, claim_id: 'c1', minimum_patch: 'Say so.' }),
    201,
  ],
  [
    'a form',
    form({ ...objection, claim_id: '', minimum_patch: '' }),
    201,
    {
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': /default-src 'none'/,
      },
    },
  ],
  ['a form of another site', form(objection, { origin: 'https://elsewhere.example' }), 403],
  ['a form without an origin of its own', form(objection, { origin: 'null' }), 403],
  [
    'a field twice',
    {
      method: 'POST',
      path: OBJECTIONS,
      body: 'actor=a&actor=b',
      headers: { 'content-type': FORM },
    },
    422,
  ],
  [
    'a form whose bytes are no text',
    {
      method: 'POST',
      path: OBJECTIONS,
      body: 'actor=%ff%fe&objection=x&surface=S1',
      headers: { 'content-type': FORM },
    },
    400,
  ],
  ['a form with per cents', form({ ...objection, objection: 'At 100% it is é, %zz or +.' }), 201],
  ['no body', post(OBJECTIONS, ''), 400, { code: 'body.json' }],
  [
    'no JSON',
    post(OBJECTIONS, '{"actor":'),
    400,
    { code: 'body.json', headers: { 'content-type': PROBLEM } },
  ],
  [
    'bytes that are no text',
    post(OBJECTIONS, new Uint8Array([0x7b, 0xff, 0x7d])),
    400,
    { code: 'body.utf8' },
  ],
  ['JSON that is no object', post(OBJECTIONS, '[1]'), 422, bad('body')],
  ['nobody', post(OBJECTIONS, { ...objection, actor: ' ' }), 422, bad('actor')],
  ['no objection', post(OBJECTIONS, { actor: 'x', surface: 'S1' }), 422, bad('objection')],
  [
    'an objection that is a number',
    post(OBJECTIONS, { ...objection, objection: 7 }),
    422,
    bad('objection'),
  ],
  ['an unknown surface', post(OBJECTIONS, { ...objection, surface: 'S9' }), 422, bad('surface')],
  [
    'the surface as a list',
    post(OBJECTIONS, { ...objection, surface: ['S1'] }),
    422,
    bad('surface'),
  ],
  ['an unknown claim', post(OBJECTIONS, { ...objection, claim_id: 'c9' }), 422, bad('claim_id')],
  [
    'a claim that can be none',
    post(OBJECTIONS, { ...objection, claim_id: '../c1' }),
    422,
    bad('claim_id'),
  ],
  ['an unknown field', post(OBJECTIONS, { ...objection, colour: 'red' }), 422, bad('colour')],
  [
    'a field of the prototype',
    post(OBJECTIONS, '{"__proto__":{"actor":"x"},"objection":"x","surface":"S1"}'),
    422,
    bad('__proto__'),
  ],
  [
    'half a character',
    post(OBJECTIONS, '{"actor":"\\ud800","objection":"x","surface":"S1"}'),
    422,
    bad('actor'),
  ],
  [
    'too long a text',
    post(OBJECTIONS, { ...objection, objection: 'x'.repeat(8_001) }),
    422,
    bad('objection'),
  ],
  [
    'too large a body',
    post(OBJECTIONS, { ...objection, objection: 'x'.repeat(MAX_BODY) }),
    413,
    { code: 'body.large' },
  ],
  ['deep nesting', post(OBJECTIONS, '['.repeat(8_000) + ']'.repeat(8_000)), 422, bad('body')],
  [
    'another type',
    post(OBJECTIONS, 'x', { 'content-type': 'text/plain' }),
    415,
    { code: 'body.type' },
  ],
  [
    'an unknown article',
    post('/api/articles/no-such/objections', objection),
    404,
    { code: 'article.unknown' },
  ],
  [
    'too long an idempotency key',
    post(OBJECTIONS, objection, { 'idempotency-key': 'x'.repeat(256) }),
    422,
    bad('idempotency-key'),
  ],
  ['reading objections', { path: `${OBJECTIONS}.json` }, 200, { headers: READ }],
  ['their head', { method: 'HEAD', path: `${OBJECTIONS}.json` }, 200, { headers: READ }],
  ['reading without .json', { path: OBJECTIONS }, 200, { headers: READ }],
  [
    'reading of an unknown article',
    { path: '/api/articles/no-such/objections.json' },
    404,
    { headers: { 'access-control-allow-origin': '*', 'content-type': PROBLEM } },
  ],
  [
    'an objection in the log',
    { path: `/api/objections/${'a'.repeat(32)}` },
    200,
    { headers: READ },
  ],
  [
    'an unknown objection',
    { path: `/api/objections/${'b'.repeat(32)}` },
    404,
    { code: 'post.unknown' },
  ],
  [
    'whether other sites may read',
    {
      method: 'OPTIONS',
      path: OBJECTIONS,
      headers: { origin: 'https://elsewhere.example', 'access-control-request-method': 'POST' },
    },
    204,
    {
      headers: {
        'access-control-allow-origin': '*',
        'access-control-allow-methods': 'GET, HEAD',
        allow: 'GET, HEAD, POST',
      },
    },
  ],
  [
    'whether other sites may post',
    { method: 'OPTIONS', path: '/api/protocol/thread-update' },
    204,
    { headers: { 'access-control-allow-origin': null, allow: 'POST' } },
  ],
  [
    'removing objections',
    { method: 'DELETE', path: OBJECTIONS },
    405,
    { headers: { allow: 'GET, HEAD, POST' } },
  ],
  [
    'writing over an objection',
    { method: 'PUT', path: `/api/objections/${'a'.repeat(32)}` },
    405,
    { headers: { allow: 'GET, HEAD' } },
  ],
  ['reading where one posts', { path: '/api/protocol/claim' }, 405, { headers: { allow: 'POST' } }],
  ['an update', post('/api/protocol/thread-update', update), 201],
  [
    'an update of nothing',
    post('/api/protocol/thread-update', { ...update, target: 'no-such' }),
    422,
    bad('target'),
  ],
  [
    'the state of a thread',
    { path: `/api/protocol/thread-state?target=${SLUG}` },
    200,
    { headers: READ },
  ],
  ['the state of no thread', { path: '/api/protocol/thread-state' }, 422, bad('target')],
  ['the state of an unknown thread', { path: '/api/protocol/thread-state?target=no-such' }, 404],
  ['a claim', post('/api/protocol/claim', claim, { 'x-terminal-key': KEY }), 201],
  ['a claim without the key', post('/api/protocol/claim', claim), 401, { code: 'key.wrong' }],
  [
    'a claim with another key',
    post('/api/protocol/claim', claim, { 'x-terminal-key': `${KEY}x` }),
    401,
  ],
  [
    'a claim with a beginning of the key',
    post('/api/protocol/claim', claim, { 'x-terminal-key': KEY.slice(0, -1) }),
    401,
  ],
  [
    'a claim of an unknown tier',
    post('/api/protocol/claim', { ...claim, tier: 'godly' }, { 'x-terminal-key': KEY }),
    422,
    bad('tier'),
  ],
  [
    'a claim on an unknown source',
    post('/api/protocol/claim', { ...claim, source_ids: ['s1', 's9'] }, { 'x-terminal-key': KEY }),
    422,
    bad('source_ids.1'),
  ],
  [
    'a claim on no article',
    post('/api/protocol/claim', { ...claim, slug: 'no-such' }, { 'x-terminal-key': KEY }),
    422,
    bad('slug'),
  ],
  ['sources', post('/api/protocol/sources', sources, { 'x-terminal-key': KEY }), 201],
  [
    'a source that is a script',
    post(
      '/api/protocol/sources',
      { ...sources, sources: [{ ...sources.sources[0], url: 'javascript:alert(1)' }] },
      { 'x-terminal-key': KEY },
    ),
    422,
    bad('sources.0.url'),
  ],
  ...(
    [
      ['url', 'http://a:b:c@[zz'],
      ['url', 'http://[::1'],
      ['url', 'https://x:99999/'],
      ['published', '9999-99-99'],
      ['published', '2026-02-29'],
      ['published', '9999-12-31'],
    ] as const
  ).map(
    ([name, value]): Row => [
      `a source with ${name} ${value}`,
      post(
        '/api/protocol/sources',
        { ...sources, sources: [sources.sources[0], { ...sources.sources[0], [name]: value }] },
        { 'x-terminal-key': KEY },
      ),
      422,
      bad(`sources.1.${name}`),
    ],
  ),
  [
    'a source of a day that was',
    post(
      '/api/protocol/sources',
      { ...sources, sources: [{ ...sources.sources[0], published: '2024-02-29' }] },
      { 'x-terminal-key': KEY },
    ),
    201,
  ],
  [
    'a claim that rests on nothing',
    post('/api/protocol/claim', { ...claim, source_ids: [] }, { 'x-terminal-key': KEY }),
    422,
    bad('source_ids'),
  ],
  [
    'a claim for no section',
    post('/api/protocol/claim', { ...claim, section: 'nowhere' }, { 'x-terminal-key': KEY }),
    422,
    bad('section'),
  ],
  [
    'a claim for a section',
    post('/api/protocol/claim', { ...claim, section: 'how' }, { 'x-terminal-key': KEY }),
    201,
  ],
  [
    'no sources',
    post('/api/protocol/sources', { ...sources, sources: [] }, { 'x-terminal-key': KEY }),
    422,
    bad('sources'),
  ],
  ['the queue without the key', { path: '/api/queue' }, 401],
  ['a decision without the key', post(`/api/queue/${'b'.repeat(32)}`, { status: 'accepted' }), 401],
  [
    'a decision on nothing',
    post(`/api/queue/${'b'.repeat(32)}`, { status: 'accepted' }, { 'x-terminal-key': KEY }),
    404,
  ],
  [
    'a decision that is none',
    post(`/api/queue/${'b'.repeat(32)}`, { status: 'queued' }, { 'x-terminal-key': KEY }),
    422,
    bad('status'),
  ],
  ['what the intake is', { path: '/api/intake.json' }, 200, { headers: READ }],
];

/** Runs all of it. `start` gives a server with an empty queue. */
export function contract(start: (options: Options) => Promise<Running>): void {
  const within = async (options: Options, act: (running: Running) => Promise<void>) => {
    const running = await start(options);
    try {
      await act(running);
    } finally {
      await running.stop();
    }
  };
  const sendJson = (running: Running, path: string, body: unknown, headers = {}) => {
    const { path: to, ...init } = post(path, body, headers);
    return running.send(to, { ...init, body: JSON.stringify(body) });
  };

  test('every row of the contract is answered as the table says', async () => {
    await within({ terminalKey: KEY }, async (running) => {
      for (const [
        what,
        { path, body, method = 'GET', headers = {} },
        status,
        expect = {},
      ] of ROWS) {
        const raw = typeof body === 'string' || body instanceof Uint8Array || body === undefined;
        const response = await running.send(path, {
          method,
          headers,
          ...(body === undefined ? {} : { body: raw ? (body as string) : JSON.stringify(body) }),
        });
        const text = await response.text();
        assert.equal(response.status, status, `${what}: ${text}`);
        for (const [name, value] of Object.entries(expect.headers ?? {})) {
          const got = response.headers.get(name);
          if (value instanceof RegExp) assert.match(got ?? '', value, `${what}: ${name}`);
          else assert.equal(got, value, `${what}: ${name}`);
        }
        if (status < 400 || response.headers.get('content-type')?.startsWith('text/html')) continue;
        const problem = JSON.parse(text) as Record<string, unknown>;
        assert.equal(response.headers.get('content-type'), PROBLEM, what);
        assert.equal(problem['status'], status, what);
        if (expect.code !== undefined) assert.equal(problem['code'], expect.code, what);
        assert.equal(problem['field'], expect.field, what);
      }
    });
  });

  test('a form of the site’s own page is taken, and its page shows what hides', async () => {
    await within({}, async (running) => {
      const text = 'x\u202e<b>y</b> https://example.com/';
      const body = new URLSearchParams({ ...objection, objection: text }).toString();
      const headers = { 'content-type': FORM, origin: running.origin };
      const response = await running.send(OBJECTIONS, { method: 'POST', headers, body });
      assert.equal(response.status, 201);
      const html = await response.text();
      assert.ok(html.includes('x\\u{202e}&lt;b&gt;y&lt;/b&gt; https://example.com/'), html);
      assert.ok(!html.includes('href="https://example.com'));
    });
  });

  for (const signed of [false, true]) {
    test(`a receipt ${signed ? 'that is signed' : 'without a signature'} can be worked out again, and from nothing else`, async () => {
      await within({ signed }, async (running) => {
        const sent = { ...objection, objection: 'e\u0301\r\nnext', claim_id: 'c1' };
        const receipt = (await (await sendJson(running, OBJECTIONS, sent)).json()) as Receipt;
        const again = readPost('objection', SLUG, sent);
        assert.ok('body' in again);
        const { vkey } = (await (await running.send('/api/intake.json')).json()) as {
          vkey: string | null;
        };
        assert.equal(vkey, signed ? SKEY.vkey.text : null);
        const key = vkey === null ? null : parseVkey(vkey);
        assert.equal(receiptFault(receipt, again.body, key), null);
        assert.match(receipt.says, signed ? /^Signed/ : /does not prove/);
        for (const field of ['body_sha256', 'salt', 'commit'] as const) {
          const forged = {
            ...receipt,
            [field]: receipt[field].replace(/^./, (c) => (c === '0' ? '1' : '0')),
          };
          assert.notEqual(receiptFault(forged, again.body, key), null, field);
        }
        assert.notEqual(receiptFault(receipt, again.body.replace('next', 'nest'), key), null);
        if (!signed) return;
        assert.notEqual(
          receiptFault({ ...receipt, received_at: '2000-01-01T00:00:00.000Z' }, again.body, key),
          null,
        );
      });
    });
  }

  test('a post that comes again gets the first receipt, by its words or by its key', async () => {
    await within({}, async (running) => {
      const key = { 'idempotency-key': 'one' };
      const first = (await (await sendJson(running, OBJECTIONS, objection, key)).json()) as Receipt;
      for (const headers of [{}, key, { 'idempotency-key': 'two' }]) {
        const again = await sendJson(running, OBJECTIONS, objection, headers);
        assert.deepEqual([again.status, again.headers.get('idempotency-replayed')], [201, 'true']);
        assert.deepEqual(await again.json(), first);
      }
      for (const headers of [key, { 'idempotency-key': 'two' }]) {
        const other = await sendJson(running, OBJECTIONS, { ...objection, actor: 'b' }, headers);
        assert.equal(other.status, 422);
        assert.equal(((await other.json()) as { code: string }).code, 'idempotency-key');
      }
      const both = await Promise.all(
        Array.from({ length: 8 }, () =>
          sendJson(running, OBJECTIONS, { ...objection, actor: 'c' }),
        ),
      );
      const ids = await Promise.all(both.map(async (one) => ((await one.json()) as Receipt).id));
      assert.equal(new Set(ids).size, 1);
      const listed = (await (await running.send(`${OBJECTIONS}.json`)).json()) as {
        queued: unknown[];
      };
      assert.equal(listed.queued.length, 2);
    });
  });

  test('what is queued stands apart from the log, without its salt, until it is decided', async () => {
    await within({ terminalKey: KEY }, async (running) => {
      const owner = { 'x-terminal-key': KEY };
      const { id, salt } = (await (
        await sendJson(running, OBJECTIONS, objection)
      ).json()) as Receipt;
      const read = async (path: string) =>
        (await (await running.send(path)).json()) as Record<string, unknown>;
      const listed = await read(`${OBJECTIONS}.json`);
      assert.deepEqual((listed['objections'] as unknown[]).length, 1);
      const [queued] = listed['queued'] as Record<string, unknown>[];
      assert.deepEqual(
        [queued?.['id'], queued?.['status'], queued?.['in_log']],
        [id, 'queued', false],
      );
      assert.ok(!JSON.stringify(listed).includes(salt));
      const page = (await (await running.send('/api/queue', { headers: owner })).json()) as {
        posts: { id: string; salt: string; at: number }[];
      };
      assert.deepEqual([page.posts[0]?.id, page.posts[0]?.salt], [id, salt]);
      const decide = async (outcome: unknown) => {
        const response = await sendJson(running, `/api/queue/${id}`, outcome, owner);
        assert.equal(response.status, 200);
      };
      await decide({ status: 'accepted', seq: 31 });
      await decide({ status: 'accepted', seq: 31 });
      assert.deepEqual((await read(`${OBJECTIONS}.json`))['queued'], []);
      const accepted = await read(`/api/objections/${id}`);
      assert.deepEqual(
        [accepted['status'], accepted['seq'], accepted['in_log']],
        ['accepted', 31, true],
      );
      await decide({ status: 'erased', seq: 32 });
      await decide({ status: 'accepted', seq: 31 });
      const erased = await read(`/api/objections/${id}`);
      assert.deepEqual([erased['status'], erased['post'], erased['seq']], ['erased', null, 32]);
      // Its words are forgotten, so that the same ones are a new post.
      const again = (await (await sendJson(running, OBJECTIONS, objection)).json()) as Receipt;
      assert.notEqual(again.id, id);
    });
  });

  test('what is queued is told page by page, each kind apart', async () => {
    await within({}, async (running) => {
      const actors = Array.from({ length: 201 }, (_, i) => `actor ${i}`);
      for (const actor of actors) {
        const response = await sendJson(running, OBJECTIONS, { ...objection, actor });
        assert.equal(response.status, 201);
        await response.arrayBuffer();
      }
      await sendJson(running, '/api/protocol/thread-update', update);
      type Page = { queued: { post: { actor: string } }[]; next: number | null };
      const read = async (path: string) => (await (await running.send(path)).json()) as Page;
      const first = await read(`${OBJECTIONS}.json`);
      const second = await read(`${OBJECTIONS}.json?after=${first.next}`);
      assert.deepEqual([first.queued.length, second.next], [200, null]);
      assert.deepEqual(
        [...first.queued, ...second.queued].map(({ post }) => post.actor),
        actors,
      );
      const state = (await read(`/api/protocol/thread-state?target=${SLUG}`)) as unknown as {
        updates: Page;
      };
      assert.deepEqual([state.updates.queued.length, state.updates.next], [1, null]);
      assert.equal((await running.send(`${OBJECTIONS}.json?after=x`)).status, 422);
    });
  });

  test('without an owner’s key nothing of the owner’s is open, and the reason is told', async () => {
    await within({}, async (running) => {
      for (const [path, body] of [
        ['/api/protocol/claim', claim],
        ['/api/protocol/sources', sources],
      ] as const) {
        for (const headers of [{}, { 'x-terminal-key': '' }, { 'x-terminal-key': KEY }]) {
          const response = await sendJson(running, path, body, headers);
          assert.equal(response.status, 503);
          assert.equal(((await response.json()) as { code: string }).code, 'key.unset');
        }
      }
      assert.equal((await running.send('/api/queue')).status, 503);
    });
  });

  test('an address that posts too often is told when to come again', async () => {
    await within({ limit: 3 }, async (running) => {
      const answers = [];
      for (let i = 0; i < 4; i++) {
        answers.push(await sendJson(running, OBJECTIONS, { ...objection, actor: `${i}` }));
      }
      assert.deepEqual(
        answers.map(({ status }) => status),
        [201, 201, 201, 429],
      );
      const wait = Number(answers[3]?.headers.get('retry-after'));
      assert.ok(wait >= 1 && wait <= 20, String(wait));
      assert.equal((await running.send(`${OBJECTIONS}.json`)).status, 200);
    });
  });
}
