import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alternatesOf, ENDPOINTS, endpointOf } from '../src/endpoints.ts';

const paths = (page: string) => alternatesOf(page).map(({ path }) => path);

test('a page’s other forms are the addresses of its own name that its path fills', () => {
  assert.deepEqual(paths('/'), ['/index.md']);
  assert.deepEqual(paths('/a/x/claims/c1/'), ['/a/x/claims/c1.md']);
  assert.deepEqual(paths('/a/x/'), [
    '/a/x.md',
    '/api/articles/x.json',
    '/api/articles/x/skill/SKILL.md',
  ]);
  assert.deepEqual(paths('/ledger/by/type/claim.put/'), ['/ledger/by/type/claim.put.md']);
  assert.deepEqual(
    paths('/ledger/'),
    ['/ledger.md'],
    'nothing that needs a part, nor another page’s',
  );
  assert.deepEqual(paths('/404.html'), []);
});

test('every page has a markdown form', () => {
  for (const [id, { path, type }] of Object.entries(ENDPOINTS)) {
    if (!type.startsWith('text/html')) continue;
    const filled = path.replaceAll(/\{[a-z]+…?\}/g, '7');
    const types = alternatesOf(filled).map((other) => other.type);
    assert.ok(types.includes('text/markdown'), `${id}: ${types}`);
  }
});

test('an address without braces comes before one with them', () => {
  assert.equal(endpointOf('/ledger/legacy/'), 'ledger-legacy-page');
  assert.equal(endpointOf('/ledger/12.md'), 'ledger-entry-markdown');
  assert.equal(endpointOf('/ledger/vkey'), 'ledger-file');
});
