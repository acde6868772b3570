import assert from 'node:assert/strict';
import { test } from 'node:test';
import { redact } from '../../src/disk/redact.ts';

const encode = (text: string) => new TextEncoder().encode(text);
const run = (text: string, known = {}) => {
  const { payload, redactions } = redact(encode(text), known);
  return { text: new TextDecoder().decode(payload), redactions };
};
/** Canaries are put together here, so that no scanner takes this file for a leak. */
const tail = 'q7Zt3Vb9Xw2Lk5Rm8Yp4Dh6Gs1Jf0NcTeUa';
const canaries: [rule: string, secret: string][] = [
  ['github-token', `ghp_${tail}Q`],
  ['github-token', `github_pat_${tail}${tail}`],
  ['gitlab-token', `glpat-${tail.slice(0, 20)}`],
  ['sk-key', `sk-${tail}`],
  ['sk-key', `sk-ant-api03-${tail}`],
  ['sk-key', `sk-proj-${tail}`],
  ['stripe-key', `sk_live_${tail.slice(0, 24)}`],
  ['slack-token', `xoxb-${tail}`],
  ['aws-key-id', `AKIA${'Q7ZT3VB9XW2LK5RM'}`],
  ['google-key', `AIza${tail}`],
  ['npm-token', `npm_${tail}Q`],
  ['notion-token', `ntn_${tail}${tail.slice(0, 8)}`],
  ['huggingface-token', `hf_${tail}`],
  ['organisation-id', `org-${tail.slice(0, 24)}`],
  ['jwt', `eyJ${tail.slice(0, 12)}.eyJ${tail.slice(3, 20)}.${tail}`],
];

test('each kind of secret is replaced, and its rule and place are told', () => {
  for (const [rule, secret] of canaries) {
    const { text, redactions } = run(
      `{"result":{"tools":[{},{"description":"Pass ${secret} here"}]}}\n`,
    );
    assert.equal(
      text,
      `{"result":{"tools":[{},{"description":"Pass [redacted ${rule}] here"}]}}\n`,
    );
    assert.deepEqual(redactions, [{ rule, pointer: '/0/result/tools/1/description' }]);
  }
});

test('secrets that only their surroundings give away are replaced too', () => {
  const cases: [string, string, string][] = [
    [`{"d":"Authorization: Bearer ${tail}"}`, 'authorization', '/0/d'],
    [`{"d":"https://me:${tail}@host/"}`, 'url-password', '/0/d'],
    [`{"d":"https://host/?a=1&api_key=${tail}&b=2"}`, 'named-secret', '/0/d'],
    [`{"d":"mcp-session-id: ${tail}"}`, 'named-secret', '/0/d'],
    [`{"d":"{\\"password\\": \\"${tail}\\"}"}`, 'named-secret', '/0/d'],
    [`{"x":{"client_secret":"${tail}"}}`, 'named-secret', '/0/x/client_secret'],
    [
      `{"d":"-----BEGIN RSA PRIVATE KEY-----\\n${tail.repeat(4)}\\n-----END RSA PRIVATE KEY-----"}`,
      'private-key',
      '/0/d',
    ],
  ];
  for (const [json, rule, pointer] of cases) {
    const { text, redactions } = run(json);
    assert.deepEqual(redactions, [{ rule, pointer }], json);
    assert.ok(!text.includes(tail), text);
    JSON.parse(text);
  }
});

test('what documentation shows in the place of a secret is left as it is', () => {
  const docs = [
    'ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
    'ghp_your_token_here',
    'AKIAIOSFODNN7EXAMPLE',
    'sk-abcdefghijklmnopqrstuvwxyz123456',
    'sk-this-is-the-name-of-a-skill',
    'Authorization: Bearer YOUR_API_TOKEN_1234567890',
    'postgresql://user:password@localhost:5432/db',
    'token: the-cursor-of-the-next-page',
    '/Users/username/Desktop/file.txt and /home/user',
    'signature = computeSignatureFromPayload(body)',
  ].map((d) => `${JSON.stringify({ d })}\n`);
  const payload = encode(docs.join(''));
  const done = redact(payload, { folders: ['/root', '/home/alice'] });
  assert.deepEqual(done.redactions, []);
  assert.equal(done.payload, payload, 'the very bytes');
});

test('every byte outside a secret stays: spaces, escapes, key order, numbers and twin keys', () => {
  const secret = `ghp_${tail}Q`;
  const before = `{ "b" : 1.50, "\\u0061": "\\u00e9\\/\\n😀 `;
  const after = ` \\ud83d\\ude00"  ,"b":1e3 }\n{"page":2}\n`;
  const { text, redactions } = run(`${before}${secret}${after}`);
  assert.equal(text, `${before}[redacted github-token]${after}`);
  assert.deepEqual(redactions, [{ rule: 'github-token', pointer: '/0/a' }]);
});

test('a secret behind escapes is found, and only its own escapes go', () => {
  const { text } = run(`{"d":"\\u0067hp\\u005f${tail}Q\\n"}`);
  assert.equal(text, '{"d":"[redacted github-token]\\n"}');
});

test('a secret in a key is replaced, and its pointer does not repeat it', () => {
  const { text, redactions } = run(`{"a/b":[{"k ghp_${tail}Q":1}]}`);
  assert.equal(text, '{"a/b":[{"k [redacted github-token]":1}]}');
  assert.equal(redactions[0]?.pointer, '/0/a~1b/0/k [redacted github-token]');
});

test('the page stands first in the pointer', () => {
  const { redactions } = run(`{}\n[1,"ghp_${tail}Q"]\n`);
  assert.equal(redactions[0]?.pointer, '/1/1');
});

test('values of the environment go in every form in which they may come back', () => {
  const env = { DB: 'p@ss word-with/marks', SHORT: 'test' };
  for (const form of [env.DB, encodeURIComponent(env.DB), Buffer.from(env.DB).toString('base64')]) {
    const { text } = run(JSON.stringify({ d: `run a test with ${form}.` }), { env });
    assert.equal(text, '{"d":"run a test with [redacted env-value]."}');
  }
});

test('paths that tell whose machine it is go, the longest first', () => {
  const folders = ['/home/alice', '/home/alice/work/bridge/'];
  const { text } = run('{"d":"/home/alice/work/bridge/.cache, /home/alice, /home/alices"}', {
    folders,
  });
  assert.equal(text, '{"d":"[redacted local-path]/.cache, [redacted local-path], /home/alices"}');
});

test('it fails closed: what stands across strings, where nothing can be replaced, is refused', () => {
  const env = { TOKEN: '"a":12345678' };
  assert.throws(() => run('{"a":12345678}', { env }), { code: 'redact.leak' });
});

test('what is no line of UTF-8 JSON is refused', () => {
  assert.throws(() => run('{'), { code: 'redact.payload' });
  assert.throws(() => redact(new Uint8Array([0x22, 0xff, 0x22])), { code: 'redact.payload' });
});

test('text made to keep a pattern busy takes linear time', () => {
  const seeds = [
    '-eyJ',
    '-----BEGIN PRIVATE KEY-----',
    'sk-',
    'token ',
    '://a:',
    'eyJaaaaaaaaaaaa.',
  ];
  for (const seed of seeds) {
    const time = (size: number) => {
      const json = JSON.stringify([seed.repeat(Math.ceil(size / seed.length))]);
      const began = process.cpuUsage();
      run(json, { folders: ['/home/alice'] });
      return process.cpuUsage(began).user / 1000;
    };
    time(50_000);
    assert.ok(time(800_000) < 1_000, seed); // quadratic would be minutes
  }
  assert.equal(run(`${'['.repeat(200_000)}${']'.repeat(200_000)}`).redactions.length, 0);
});
