import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Asker } from '../../src/gateway/ask.ts';
import { Collected, type Window } from '../../src/gateway/collected.ts';
import { type PagesOptions, readCloudflare, readLitellm } from '../../src/gateway/pages.ts';
import { Problem } from '../../src/problem.ts';
import {
  ACCOUNT,
  GATEWAY,
  type Instead,
  row,
  standInCloudflare,
  TOKEN,
} from './stand-in-cloudflare.ts';
import { KEY, spend, standInLitellm } from './stand-in-litellm.ts';

const ALL: Window = { since: null, until: '2026-07-27T00:00:00.000Z' };
const JULY: Window = { since: '2026-07-26T00:00:00.000Z', until: ALL.until };
const rows = (count: number, from = 0) => Array.from({ length: count }, (_, i) => row(from + i));

function around(env: Record<string, string>, more: Partial<PagesOptions> = {}) {
  const waits: number[] = [];
  const said: string[] = [];
  const options: PagesOptions = {
    ...{ env, window: ALL, settleMs: 0 },
    sleep: async (ms) => void waits.push(ms),
    log: (line) => said.push(line),
    ...more,
  };
  return { options, waits, said };
}

async function cloudflare(
  t: TestContext,
  visible: Parameters<typeof standInCloudflare>[0],
  {
    instead,
    env = {},
    ...more
  }: { instead?: Instead; env?: Record<string, string> } & Omit<Partial<PagesOptions>, 'env'> = {},
) {
  const server = await standInCloudflare(visible, instead);
  t.after(() => server.close());
  const { options, waits, said } = around({ ...server.env, ...env }, more);
  const into = new Collected(options.window);
  const failure = await readCloudflare(into, options).then(
    () => null,
    (error: unknown) => error as Problem,
  );
  return { into, failure, asked: server.asked, waits, said };
}

test('pages are read, 50 rows each and the newest first, until an empty one', async (t) => {
  const { into, failure, asked } = await cloudflare(t, () => rows(120));
  assert.equal(failure, null);
  assert.equal(into.size, 120);
  assert.equal(into.repeated, 0);
  const queries = asked.map(({ searchParams: query }) =>
    [query.get('page'), query.get('per_page'), query.get('order_by_direction')].join(' '),
  );
  // Four until the empty one; the fifth looks again whether anything came.
  assert.deepEqual(queries, ['1 50 desc', '2 50 desc', '3 50 desc', '4 50 desc', '1 50 desc']);
  const [first] = into.rows();
  assert.deepEqual(first, {
    ...{ id: first?.id, at: '2026-07-26T00:00:00.000Z', model: '@cf/moonshotai/kimi-k2.7-code' },
    ...{
      answered: 'model',
      input_total: 14_000,
      input_cached: 12_480,
      cache_write: null,
      output: 170,
    },
    ...{ cost: '0.00456265', tools: { count: 9, deferred: null, bytes: null } },
    convention: 'cloudflare/log',
    said: { tokens_in: 14_000, tokens_out: 170, cost: '0.00456265', input_cached_tokens: 12_480 },
  });
});

test('rows that come in while it reads move the pages, and none is lost or counted twice', async (t) => {
  // Ten more, newest of all, at each request.
  const { into } = await cloudflare(t, (asked) => rows(120 + 10 * (asked - 1)), {
    window: { since: null, until: row(125)['created_at'] as string },
  });
  assert.equal(into.size, 125, 'those before the end of the window, each once');
  assert.ok(into.repeated > 0);
});

test('a row that appears late is found once the window has settled', async (t) => {
  const late = row(60.5, { id: '01STANDINLATE' });
  const { into, waits, said } = await cloudflare(
    t,
    (asked) => (asked > 3 ? [...rows(100), late] : rows(100)),
    {
      window: { since: null, until: new Date().toISOString() },
      settleMs: 60_000,
    },
  );
  assert.equal(into.size, 101);
  assert.equal(waits.length, 1);
  assert.ok(waits[0]! > 50_000 && waits[0]! <= 60_000, `${waits}`);
  assert.match(said.join(), /looking again in 60 s/);
});

test('on a busy gateway the late row is found beneath all that came meanwhile, and a bad row is told once', async (t) => {
  const now = Date.now();
  const at = (ms: number) => new Date(now + ms).toISOString();
  const old = [...rows(60), { id: 'bad' }];
  const late = row(900, { created_at: at(-20_000) });
  const meanwhile = Array.from({ length: 120 }, (_, i) =>
    row(1000 + i, { created_at: at(1000 + i) }),
  );
  const { into } = await cloudflare(
    t,
    (asked) => (asked > 3 ? [...meanwhile, late, ...old] : old),
    { window: { since: null, until: at(0) }, settleMs: 60_000 },
  );
  assert.equal(into.size, 61);
  assert.deepEqual([into.repeated, into.outside, into.unread], [0, 0, 1]);
});

test('reading stops at the page that is older than --since as a whole', async (t) => {
  const { into, asked } = await cloudflare(t, () => rows(500), {
    window: { since: row(470)['created_at'] as string, until: ALL.until },
  });
  assert.equal(into.size, 30);
  assert.equal(asked.length, 3, 'two pages, and the first again');
});

test('metadata as text or as an object, null tokens, failures and answers from a cache are all rows', async (t) => {
  const given = [
    row(1, { metadata: { tools: 856 } }),
    row(2, {
      metadata: 'not JSON',
      tokens_in: null,
      tokens_out: null,
      cost: undefined,
      usage_metadata: undefined,
    }),
    row(3, { success: false, tokens_in: 0, tokens_out: 0, status_code: 429 }),
    row(4, { cached: true }),
    row(5, { tokens_in: 100 }),
    row(6, { model: 'dynamic/name-of-a-route' }),
    { id: 'x', created_at: '2026-07-26T00:00:00Z' },
  ];
  const { into } = await cloudflare(t, () => given);
  const read = into.rows();
  assert.deepEqual(
    read.map(({ tools, input_total, output, cost, answered }) => [
      tools?.count ?? null,
      input_total,
      output,
      cost,
      answered,
    ]),
    [
      [856, 14_001, 170, '0.00456265', 'model'],
      [null, null, null, null, 'model'],
      [9, null, 0, '0.00456265', 'error'],
      [9, 14_004, 170, '0.00456265', 'cache'],
      // Less than came from the cache: it can't have meant all input, and no total is made up.
      [9, null, 170, '0.00456265', 'model'],
      [9, 14_006, 170, '0.00456265', 'model'],
    ],
  );
  assert.match(read.at(-1)?.model ?? '', /^hidden-[0-9a-f]{12}$/);
  assert.deepEqual([...into.unreadable], [['it has no tokens_in', 1]]);
});

test('429 is waited for as retry-after says, in seconds or as a date, and 5xx a little', async (t) => {
  const busy = (headers: Record<string, string>, status = 429) => ({
    status,
    body: '{"success":false,"errors":[{"message":"slow down"}]}',
    headers,
  });
  const answers = [
    busy({ 'retry-after': '7' }),
    busy({ 'retry-after': new Date(Date.now() + 20_000).toUTCString() }),
    busy({}),
    busy({}, 502),
  ];
  const { into, waits, said, failure } = await cloudflare(t, () => rows(1), {
    instead: (asked) => answers[asked - 1] ?? null,
  });
  assert.equal(failure, null);
  assert.equal(into.size, 1);
  assert.equal(waits[0], 7000);
  assert.ok(waits[1]! > 15_000 && waits[1]! <= 20_000);
  assert.deepEqual(waits.slice(2), [300_000, 8000]);
  assert.match(said[0] ?? '', /429: slow down; again in 7 s/);
});

test('it gives up after five tries, and at once where it is to wait too long', async (t) => {
  const always = await cloudflare(t, () => [], {
    instead: () => ({
      status: 503,
      body: 'unavailable',
      headers: { 'content-type': 'text/plain' },
    }),
  });
  assert.equal(always.failure?.code, 'gateway.failed');
  assert.equal(always.asked.length, 5);
  const long = await cloudflare(t, () => [], {
    instead: () => ({ status: 429, body: '{}', headers: { 'retry-after': '86400' } }),
  });
  assert.equal(long.failure?.code, 'gateway.limited');
  assert.match(long.failure?.message ?? '', /86400 s/);
});

test('400, 401, 403, 404, HTML and another form each say what is wrong, and tell no credential', async (t) => {
  const html = {
    status: 200,
    body: '<!doctype html><title>Sign in</title>',
    headers: { 'content-type': 'text/html' },
  };
  const error = (status: number, message: string) => ({
    status,
    body: JSON.stringify({ success: false, errors: [{ code: 1, message }] }),
  });
  const cases: [Parameters<typeof cloudflare>[2], string, RegExp][] = [
    [
      { instead: () => error(400, 'per_page must be at most 50') },
      'gateway.failed',
      /400: per_page must be at most 50 \(1\)/,
    ],
    [
      { env: { CLOUDFLARE_API_TOKEN: 'another-token-that-is-secret' } },
      'gateway.refused',
      /401: Authentication error for account \[account\]/,
    ],
    [
      { instead: () => error(403, `${GATEWAY} is not yours, ${TOKEN}`) },
      'gateway.refused',
      /403: \[gateway\] is not yours, \[authorization\]/,
    ],
    [
      { env: { CLOUDFLARE_GATEWAY_ID: 'no-such-gateway' } },
      'gateway.form',
      /no such account or gateway/,
    ],
    [{ instead: () => html }, 'gateway.not-json', /200 with text\/html that is no JSON/],
    [{ instead: () => ({ ...html, status: 403 }) }, 'gateway.refused', /403/],
    [{ instead: () => ({ status: 200, body: '{"result":"?"}' }) }, 'gateway.form', /another form/],
    [
      { env: { CLOUDFLARE_API_TOKEN: '' } },
      'gateway.no-credentials',
      /^CLOUDFLARE_API_TOKEN not set$/,
    ],
    [
      { env: { CLOUDFLARE_BASE_URL: 'http://api.example.com' } },
      'gateway.address',
      /no https address/,
    ],
  ];
  for (const [options, code, message] of cases) {
    const { failure } = await cloudflare(t, () => rows(1), options);
    assert.ok(failure instanceof Problem, code);
    assert.equal(failure.code, code, failure.toString());
    assert.match(failure.message, message);
    assert.ok(failure.mend !== undefined, code);
    for (const secret of [TOKEN, ACCOUNT, GATEWAY, 'another-token']) {
      assert.ok(!failure.toString().includes(secret), failure.toString());
    }
  }
});

test('an answer that breaks off on page 2 fails as a whole: a part of a log is no log', async (t) => {
  const { failure } = await cloudflare(t, () => rows(80), {
    instead: (asked) =>
      asked >= 2 ? { status: 200, body: '{"success":true,"result":[{"id"' } : null,
  });
  assert.equal(failure?.code, 'gateway.not-json');
});

test('a proxy’s spend log is read by its pages, or from the older endpoint, to the same rows', async (t) => {
  const given = [0, 1, 2, 3, 4, 4].map((number) => spend(number));
  const sides = await Promise.all(
    [{ pageSize: 2 }, { newer: false }].map(async (options) => {
      const server = await standInLitellm(given, options);
      t.after(() => server.close());
      const into = new Collected(JULY);
      await readLitellm(into, around(server.env, { window: JULY }).options);
      return into;
    }),
  );
  const [newer, older] = sides;
  assert.equal(newer?.size, 5);
  assert.equal(newer?.repeated, 1);
  assert.deepEqual(newer?.rows(), older?.rows());
  const [{ id: _, ...first } = { id: '' }] = newer?.rows() ?? [];
  assert.deepEqual(first, {
    ...{ at: '2026-07-26T00:00:00.000Z', model: 'anthropic/claude-opus-5-5', answered: 'model' },
    ...{ input_total: 20_312, input_cached: 20_000, cache_write: 300, output: 5, cost: '0.0135' },
    ...{ tools: null, convention: 'litellm/spend-log' },
    said: {
      ...{ prompt_tokens: 20_312, completion_tokens: 5, total_tokens: 20_317, spend: '0.0135' },
      ...{ cache_read_input_tokens: 20_000, cache_creation_input_tokens: 300 },
    },
  });
});

test('cache_hit is of the proxy’s own cache of answers; metadata may be text; a summary has no rows', async (t) => {
  const server = await standInLitellm([
    spend(1, { cache_hit: 'True' }),
    spend(2, {
      metadata: JSON.stringify({ usage_object: { prompt_tokens_details: { cached_tokens: 7 } } }),
    }),
    spend(3, { metadata: {}, status: 'failure', prompt_tokens: 0, completion_tokens: 0 }),
    { startTime: '2026-07-26', spend: 1, models: {} },
  ]);
  t.after(() => server.close());
  const into = new Collected(JULY);
  await readLitellm(into, around(server.env, { window: JULY }).options);
  assert.deepEqual(
    into.rows().map(({ answered, input_cached }) => [answered, input_cached]),
    [
      ['cache', 20_000],
      ['model', 7],
      ['error', null],
    ],
  );
  assert.equal(into.unread, 1);
});

test('LiteLLM wants a window, a key that may, and its own address; no message tells the key', async (t) => {
  const server = await standInLitellm([spend(1)]);
  t.after(() => server.close());
  const fails = async (env: Record<string, string>, window: Window, code: string) => {
    const reading = readLitellm(
      new Collected(window),
      around({ ...server.env, ...env }, { window }).options,
    );
    await assert.rejects(
      reading,
      (error: Problem) => error.code === code && !String(error).includes(KEY),
    );
  };
  await fails({}, ALL, 'gateway.no-window');
  await fails({ LITELLM_API_KEY: `${KEY}x` }, JULY, 'gateway.refused');
  await fails({ LITELLM_BASE_URL: `${server.env['LITELLM_BASE_URL']}/v1` }, JULY, 'gateway.form');
  await fails({ LITELLM_BASE_URL: 'localhost:4000' }, JULY, 'gateway.address');
});

test('no more requests begin within five minutes than an API lets', async (t) => {
  const server = await standInCloudflare(() => []);
  t.after(() => server.close());
  const waits: number[] = [];
  const asker = new Asker({
    ...{ name: 'It', headers: {}, identifiers: {}, errors: () => null, permission: '', rate: 2 },
    sleep: async (ms) => void waits.push(ms),
  });
  const url = new URL(`${server.env['CLOUDFLARE_BASE_URL']}/nowhere`);
  const asked = async () => {
    await asker.json(url).catch((error: Problem) => assert.equal(error.code, 'gateway.refused'));
    return waits.length;
  };
  assert.deepEqual([await asked(), await asked(), await asked(), await asked()], [0, 0, 1, 1]);
  assert.ok(waits[0]! > 290_000 && waits[0]! <= 300_000, `${waits}`);
});

test('an interruption while it waits ends it, and nothing is left half read', async (t) => {
  const abort = new AbortController();
  const server = await standInCloudflare(
    () => [],
    () => ({ status: 429, body: '{}', headers: { 'retry-after': '600' } }),
  );
  t.after(() => server.close());
  const options = { env: server.env, window: ALL, settleMs: 0, signal: abort.signal };
  const reading = readCloudflare(new Collected(ALL), { ...options, log: () => abort.abort() });
  await assert.rejects(reading, (error: Problem) => error.code === 'run.aborted');
  const settles = await standInCloudflare(() => []);
  t.after(() => settles.close());
  const again = new AbortController();
  const now: Window = { since: null, until: new Date().toISOString() };
  const settling = readCloudflare(new Collected(now), {
    ...{ env: settles.env, window: now, settleMs: 60_000, signal: again.signal },
    log: () => again.abort(),
  });
  await assert.rejects(settling, (error: Problem) => error.code === 'run.aborted');
});
