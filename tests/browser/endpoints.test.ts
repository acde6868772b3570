/** The table of addresses against what was built: none is missing, none is unknown, each has its type. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { DIST } from '../../src/build.ts';
import { ENDPOINTS, type Endpoint, endpointOf } from '../../src/endpoints.ts';
import { origin } from './site.ts';

const IDS = Object.keys(ENDPOINTS) as (keyof typeof ENDPOINTS)[];
/** What belongs to no address of its own: what pages are made of, and the page for all other addresses. */
const PARTS = [
  /^\/_astro\//,
  /^\/pagefind\//,
  /^\/404\.html$/,
  /^\/_redirects$/,
  ...globSync('*', { cwd: 'public' }).map((name) => new RegExp(`^/${name}$`)),
];

const paths = globSync(['**/*', '.well-known/**/*'], { cwd: DIST, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => `${entry.parentPath}/${entry.name}`)
  .map((path) => path.slice(path.indexOf(DIST) + DIST.length).replace(/\/index\.html$/, '/'))
  .filter((path) => !PARTS.some((part) => part.test(path)));

test('every path that was built is answered for by an address of the table', () => {
  assert.deepEqual(
    paths.filter((path) => endpointOf(path) === undefined),
    [],
  );
});

test('every JSON document that was built fits the schema that it names, which is that of the table', () => {
  const read = (path: string) => JSON.parse(readFileSync(`${DIST}${path}`, 'utf8'));
  const ajv = new Ajv2020({ allErrors: true, strict: true, validateFormats: false });
  for (const path of globSync('schemas/*.json', { cwd: DIST })) ajv.addSchema(read(`/${path}`));
  for (const path of paths) {
    const endpoint: Endpoint | undefined = ENDPOINTS[endpointOf(path)!];
    if (endpoint?.schema === undefined) continue;
    const value = read(path);
    assert.ok(value.$schema.endsWith(`/schemas/${endpoint.schema}.json`), path);
    assert.ok(ajv.validate(value.$schema, value), `${path}: ${ajv.errorsText(ajv.errors)}`);
  }
});

for (const id of IDS) {
  const endpoint: Endpoint = ENDPOINTS[id];
  test(`${endpoint.path} is there, with the type that the table names`, async () => {
    const path = paths.find((one) => endpointOf(one) === id);
    if (path === undefined) {
      assert.ok(endpoint.only !== undefined, 'nothing was built for it');
      return;
    }
    // A connection of its own: the server may have closed one that waited for the test before.
    const response = await fetch(`${origin()}${path}`, { headers: { connection: 'close' } });
    assert.equal(response.status, 200, path);
    assert.equal(response.headers.get('content-type'), endpoint.type, path);
    if (!endpoint.type.startsWith('text/html')) {
      assert.equal(response.headers.get('access-control-allow-origin'), '*', path);
    }
  });
}
