/** The table of addresses against what was built: none is missing, none is unknown, each has its type. */
import assert from 'node:assert/strict';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { DIST } from '../../src/build.ts';
import {
  ENDPOINTS,
  type Endpoint,
  endpointOf,
  SERVED,
  type ServedId,
} from '../../src/endpoints.ts';
import { mountIntake } from '../../src/intake/mount.ts';
import { serve } from '../../src/serve.ts';
import { site } from '../../src/site.ts';
import { origin, slugs } from './site.ts';

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

/** For each address that a server answers: what is sent there. Its path is filled with what came before. */
const [slug = ''] = slugs;
const { sources } = JSON.parse(readFileSync(`${DIST}/api/articles/${slug}.json`, 'utf8')) as {
  sources: { id: string }[];
};
const POSTED: Partial<Record<ServedId, unknown>> = {
  'post-objection': { actor: 'a reader', objection: 'It is not so.', surface: 'S1' },
  'post-update': { actor: 'a reader', target: slug, raw_text: 'There is a new release.' },
  'post-claim': {
    ...{ slug, text: 'One assertion.', tier: 'system', source_ids: [sources[0]?.id] },
    ...{ who_claims: 'the owner', rationale: 'Counted by hand.' },
  },
  'post-sources': {
    slug,
    sources: [{ type: 'github', url: 'https://example.com/', title: 'T', summary: 'S' }],
  },
};

test('each address of a server is answered by one as the table says, and by files alone not at all', async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'weighbridge-endpoints-'));
  const serving = await serve(0, site.base);
  t.after(async () => {
    await serving.close();
    rmSync(dir, { recursive: true });
  });
  serving.open(DIST, (files) =>
    mountIntake(
      { dir, site, port: serving.port, document: (path) => files.document(path) },
      { TERMINAL_KEY: 'key' },
    ),
  );
  let id = '';
  for (const [name, served] of Object.entries(SERVED) as [ServedId, Endpoint][]) {
    const { method, path, query = {}, takes, keyed, type } = served;
    const asked = Object.keys(query).map((one) => `${one}=${slug}`);
    const filled = path.replace('{slug}', slug).replace('{id}', id);
    const send = (home: string, key: boolean) =>
      fetch(`${home}${filled}?${asked.join('&')}`, {
        method,
        headers: {
          connection: 'close',
          'content-type': 'application/json',
          ...(key ? { 'x-terminal-key': 'key' } : {}),
        },
        ...(takes === undefined ? {} : { body: JSON.stringify(POSTED[name]) }),
      });
    const home = `http://localhost:${serving.port}${site.base}`;
    const response = await send(home, keyed === true);
    const answer = (await response.json()) as { id?: string };
    assert.equal(response.status, takes === undefined ? 200 : 201, JSON.stringify(answer));
    assert.equal(response.headers.get('content-type'), type, path);
    id = answer.id ?? id;
    if (keyed === true) assert.equal((await send(home, false)).status, 401, path);
    // Health is the server's own, with posts or without.
    if (name === 'health') continue;
    assert.equal((await send(origin(), false)).status, method === 'GET' ? 404 : 405, path);
  }
});
