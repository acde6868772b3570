import assert from 'node:assert/strict';
import { test } from 'node:test';
import { headersFromEnv, Secrets } from '../../src/probe/header.ts';
import { Problem } from '../../src/problem.ts';

const SECRET = 'Bearer s3cr3t"t0ken';

test('headers come from the environment by name', () => {
  assert.deepEqual(headersFromEnv(['Authorization=AUTH', 'X-Key=K'], { AUTH: SECRET, K: 'v' }), {
    Authorization: SECRET,
    'X-Key': 'v',
  });
});

test('what is wrong with a header is said without its value', () => {
  const cases: [code: string, asked: string[], env: Record<string, string>][] = [
    ['header.bad-spec', [`Authorization=${SECRET}`], {}],
    ['header.bad-spec', ['Authorization'], {}],
    ['header.not-set', ['Authorization=AUTH'], {}],
    ['header.not-set', ['Authorization=AUTH'], { AUTH: '' }],
    ['header.bad-name', ['Not a name=AUTH'], { AUTH: SECRET }],
    ['header.reserved', ['Mcp-Session-Id=AUTH'], { AUTH: SECRET }],
    ['header.reserved', ['host=AUTH'], { AUTH: SECRET }],
    ['header.twice', ['a=AUTH', 'A=AUTH'], { AUTH: SECRET }],
    ['header.bad-value', ['Authorization=AUTH'], { AUTH: `${SECRET}\r\nx: y` }],
    ['header.bad-value', ['Authorization=AUTH'], { AUTH: `${SECRET}→` }],
  ];
  for (const [code, asked, env] of cases) {
    assert.throws(
      () => headersFromEnv(asked, env),
      (error) => {
        assert.ok(error instanceof Problem && error.mend !== undefined);
        assert.equal(error.code, code);
        assert.ok(!error.toString().includes('s3cr3t'));
        return true;
      },
    );
  }
});

test('a secret is found whole, as its token alone, in JSON and in a URL', () => {
  const secrets = new Secrets({ Authorization: SECRET });
  const token = 's3cr3t"t0ken';
  for (const text of [SECRET, `x${token}x`, JSON.stringify(token), encodeURIComponent(token)]) {
    assert.equal(secrets.in(Buffer.from(text)), 'Authorization');
    assert.ok(!secrets.hide(text).includes('s3cr3t'), text);
  }
  assert.equal(secrets.in(Buffer.from('Bearer of good news')), null);
});
