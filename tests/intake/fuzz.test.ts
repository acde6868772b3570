/** Whatever is sent, the intake answers with a word of its contract, and keeps nothing that the ledger refuses. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { append } from '../../src/disk/append.ts';
import { verifyLedger } from '../../src/disk/ledger.ts';
import { enter, waiting } from '../../src/intake/decide.ts';
import { folderQueue } from '../../src/intake/folder.ts';
import { intake } from '../../src/intake/handler.ts';
import { Limit } from '../../src/intake/limit.ts';
import { address } from '../../src/site.ts';
import { folder, ledgerFolder } from '../disk/folder.ts';
import { STAMP } from '../ledger/drafts.ts';
import { DOCUMENTS, KEY, SKEY, SLUG } from './contract.ts';

const STATUSES = new Set([200, 201, 204, 400, 401, 403, 404, 405, 408, 413, 415, 422, 429]);
const RUNS = 600;

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom(
    '',
    ' ',
    'S1',
    SLUG,
    'c1',
    's1',
    'system',
    'github',
    'https://example.com/',
    '../../etc/passwd',
    '__proto__',
    '\u202e\u0000',
    '\ud800',
    'x'.repeat(9_000),
  ),
);
const value = fc.oneof(
  { depthSize: 'small' },
  text,
  fc.constantFrom(null, true, 1e308, -0, 2 ** 60, [], {}),
  fc.array(text, { maxLength: 3 }),
  fc.object({ maxDepth: 3 }),
);
const field = fc.constantFrom(
  'actor',
  'objection',
  'surface',
  'claim_id',
  'minimum_patch',
  'target',
  'raw_text',
  'slug',
  'text',
  'tier',
  'source_ids',
  'who_claims',
  'rationale',
  'section',
  'why',
  'sources',
  'status',
  'seq',
  'reason',
  '__proto__',
  'constructor',
  'toString',
);
const plain = fc.oneof(
  { weight: 6, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }) },
  text,
);
/** Near enough to what is asked for that much of it is taken. */
const near = fc.record(
  {
    actor: plain,
    objection: plain,
    surface: fc.constantFrom('S1', 'S2', 'S4', 'S8', 'S9'),
    claim_id: fc.constantFrom('c1', 'c1', '', 'c9'),
    minimum_patch: plain,
  },
  { requiredKeys: ['actor', 'objection', 'surface'] },
);
const body = fc.oneof(
  { weight: 5, arbitrary: near.map((one) => JSON.stringify(one)) },
  fc.dictionary(field, value, { maxKeys: 8 }).map((one) => JSON.stringify(one)),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.constantFrom(
    '',
    '{',
    '[['.repeat(4_000),
    '{"a":'.repeat(2_000),
    '{"actor":1e999}',
    '"'.repeat(20_000),
    '{"__proto__":{"x":1}}',
  ),
  near.map((one) => new URLSearchParams(one as Record<string, string>).toString()),
);
const path = fc.oneof(
  { weight: 6, arbitrary: fc.constant(`/api/articles/${SLUG}/objections`) },
  fc.constantFrom(
    `/api/articles/${SLUG}/objections`,
    `/api/articles/${SLUG}/objections.json`,
    '/api/protocol/thread-update',
    '/api/protocol/claim',
    '/api/protocol/sources',
    `/api/protocol/thread-state?target=${SLUG}`,
    '/api/queue?after=x',
    '/api/queue',
    `/api/queue/${'0'.repeat(32)}`,
    `/api/objections/${'0'.repeat(32)}`,
    `/api/articles/${SLUG}/invocations?status=failed`,
  ),
  fc.webPath({ size: 'small' }).map((one) => `/api/articles/${one}/objections`),
  fc.constantFrom(
    '/api/articles/../../etc/objections',
    '/api/articles/%2e%2e/objections',
    '/api/articles/__proto__/objections',
    '/api/articles/constructor/objections',
    '/api/objections/%00',
  ),
);
const request = fc.record({
  path,
  body,
  method: fc.constantFrom(
    'POST',
    'POST',
    'POST',
    'GET',
    'HEAD',
    'PUT',
    'DELETE',
    'OPTIONS',
    'PATCH',
  ),
  type: fc.constantFrom(
    'application/json',
    'application/json',
    'application/x-www-form-urlencoded',
    'text/plain',
    'application/json;charset=x',
    '',
    'multipart/form-data',
  ),
  headers: fc.dictionary(
    fc.constantFrom(
      'idempotency-key',
      'x-terminal-key',
      'origin',
      'content-length',
      'sec-fetch-site',
      'accept',
    ),
    fc.oneof(
      fc.constantFrom(KEY, '0', '-1', '1e9', 'null', 'cross-site'),
      fc.string({ unit: 'grapheme-ascii', maxLength: 20 }).map((one) => one.trim()),
    ),
  ),
});

test('no request is answered with a fault of ours, and what was kept the ledger takes and verifies', async (t) => {
  const queue = folderQueue(folder(t));
  const answer = intake({
    queue,
    site: address({}),
    document: async (at) => DOCUMENTS[at] ?? null,
    terminalKey: KEY,
    skey: SKEY,
    limit: new Limit({ perMinute: Number.POSITIVE_INFINITY, burst: 1 }, Date.now, randomBytes),
    isOurs: () => false,
    now: () => new Date(),
    random: randomBytes,
    complain: (error) => {
      throw error;
    },
  });
  const seen = new Map<number, number>();
  await fc.assert(
    fc.asyncProperty(request, async ({ path, body, method, type, headers }) => {
      const response = await answer(
        new Request(`http://localhost${path}`, {
          method,
          headers: { ...headers, 'content-type': type },
          ...(method === 'GET' || method === 'HEAD' ? {} : { body }),
        }),
        '192.0.2.1',
      );
      const status = response?.status ?? 404;
      seen.set(status, (seen.get(status) ?? 0) + 1);
      assert.ok(STATUSES.has(status), `${method} ${path}: ${status}`);
      if (response?.headers.get('content-type')?.includes('json'))
        JSON.parse(await response.text());
    }),
    { numRuns: RUNS },
  );
  assert.equal(({} as Record<string, unknown>)['x'], undefined);
  const kept = await waiting(queue);
  await queue.close();
  assert.ok(kept.length >= 10, JSON.stringify([...seen]));
  const ledger = ledgerFolder(t);
  await append(ledger, STAMP, (batch) => {
    for (const one of kept) enter(batch, one, null);
  });
  assert.deepEqual(verifyLedger(ledger).problems, []);
});
