/** What is made for programs out of the tables and the record: held to what reads it. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ArticleRecord } from '../../src/articles/record.ts';
import { ADDRESSES, ENDPOINTS } from '../../src/endpoints.ts';
import { load, loadSite, type Site } from '../../src/load.ts';
import { renderApi } from '../../src/render/api.ts';
import { articleNews, captureNews, renderFeed } from '../../src/render/feed.ts';
import { citationOf, renderFigureCsv, renderFigureJson } from '../../src/render/figure.ts';
import { renderClaimLinkedData, renderLinkedData } from '../../src/render/linked-data.ts';
import { renderOpenapi } from '../../src/render/openapi.ts';
import { renderSchema } from '../../src/render/schemas.ts';
import { renderSkillsIndex, skillsOf } from '../../src/render/skills.ts';
import { type Project, STAMP } from '../articles/fixture.ts';
import { recorded } from '../articles/recorded.ts';
import { matchesGolden, SITE } from './golden.ts';

let made: Project;
let site: Site;
let record: ArticleRecord;
before(async () => {
  made = await recorded();
  site = await loadSite({ root: made.root });
  record = site.articles[0]!;
});
after(() => made.remove());

const ajv = new Ajv2020({ allErrors: true, strict: true, validateFormats: false });

test('a figure is as golden in JSON and CSV, again the same bytes, and fits its schema', () => {
  const figure = record.figures.find(({ inputs }) => inputs.length > 1) ?? record.figures[0]!;
  const json = renderFigureJson(record, figure, SITE);
  matchesGolden('figure.json', json);
  matchesGolden('figure.csv', renderFigureCsv(record, figure, SITE));
  assert.equal(renderFigureJson(structuredClone(record), structuredClone(figure), SITE), json);
  ajv.addSchema(JSON.parse(renderSchema('figure', SITE)));
  for (const one of record.figures) {
    const value = JSON.parse(renderFigureJson(record, one, SITE));
    const fits: boolean = ajv.validate(value.$schema, value);
    assert.ok(fits, ajv.errorsText(ajv.errors));
    assert.equal(value.inputs.length, one.inputs.length, one.id);
  }
});

test('a figure from a source names the source as what it rests on', () => {
  const cited = record.figures.find(({ id }) => id.startsWith('sources.'))!;
  const value = JSON.parse(renderFigureJson(record, cited, SITE));
  assert.deepEqual(
    value.inputs.map(({ kind }: { kind: string }) => kind),
    ['source'],
  );
});

test('a citation is dated by the ledger, and its BibTeX can’t be broken out of', () => {
  const about = { name: 'N & Co', at: 'https://x.test/a/', what: 'a_b: 7%' };
  const { short, full, bibtex } = citationOf({ ...record, title: 'T } \\x{' }, about);
  assert.match(short, /^N & Co \(2026\), T/);
  assert.match(
    full,
    /Recorded 2026-01-02, entry #\d+, leaf [0-9a-f]{16}\. https:\/\/x\.test\/a\/$/,
  );
  assert.match(bibtex, /title = \{T {2}x, a\\_b: 7\\%\},/);
  assert.match(citationOf({ ...record, receipt: null }, about).full, /not recorded yet/);
});

test('OpenAPI has every address with its parts, and every schema that it points to', () => {
  const text = renderOpenapi(SITE);
  const { paths, components, openapi } = JSON.parse(text) as {
    openapi: string;
    paths: Record<
      string,
      Record<
        string,
        { operationId: string; parameters: { name: string; in: string }[]; requestBody?: object }
      >
    >;
    components: { schemas: Record<string, object> };
  };
  assert.match(openapi, /^3\.1\./);
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  assert.deepEqual(
    operations.map(({ operation }) => operation.operationId).sort(),
    Object.keys(ADDRESSES).sort(),
  );
  for (const { path, method, operation } of operations) {
    const named = [...path.matchAll(/\{([a-z]+)\}/g)].map(([, name]) => name);
    const within = operation.parameters.filter((one) => one.in === 'path');
    assert.deepEqual(
      within.map(({ name }) => name),
      named,
      path,
    );
    assert.equal(operation.requestBody !== undefined, method === 'post', path);
  }
  const refs = [...text.matchAll(/"\$ref": "([^"]+)"/g)].map(([, ref]) => ref!);
  assert.ok(refs.length > 10);
  for (const ref of refs) {
    assert.match(ref, /^#\/components\/schemas\//);
    let at: unknown = { components };
    for (const step of ref.slice(2).split('/')) at = (at as Record<string, unknown>)?.[step];
    assert.equal(typeof at, 'object', ref);
  }
  assert.equal(renderOpenapi(SITE), text);
});

test('the list for programs fits its schema and names every JSON, Atom, CSV and markdown address', () => {
  const value = JSON.parse(renderApi(site.ledger, SITE)) as Record<string, unknown[]> & {
    $schema: string;
  };
  ajv.addSchema(JSON.parse(renderSchema('api', SITE)));
  const fits: boolean = ajv.validate(value.$schema, value);
  assert.ok(fits, ajv.errorsText(ajv.errors));
  const { documents, feeds, tables, texts } = value;
  const readable = Object.values(ENDPOINTS).filter(({ type }) =>
    /json|atom|csv|markdown/.test(type),
  );
  assert.equal([documents, feeds, tables, texts].flat().length, readable.length);
});

test('each skill is listed once, by its folder’s name, with the digest of its bytes', () => {
  const skills = skillsOf(site.articles, SITE);
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
  const { $schema, skills: listed } = JSON.parse(renderSkillsIndex(skills, SITE, sha256));
  assert.match($schema, /^https:\/\/schemas\.agentskills\.io\/discovery\/0\.2\.0\//);
  assert.equal(new Set(skills.map(({ name }) => name)).size, skills.length);
  for (const [i, { name, description, text }] of skills.entries()) {
    assert.match(name, /^[a-z0-9]+(?:-[a-z0-9]+)*$/);
    assert.ok(description.length > 0 && description.length <= 1024);
    assert.match(text, new RegExp(`^---\nname: ${name}\n`));
    assert.equal(listed[i].digest, `sha256:${sha256(text)}`);
    assert.ok(listed[i].url.endsWith(`/${name}/SKILL.md`));
  }
});

test('linked data names article, data and claims, and can’t end the element that it stands in', () => {
  const hostile = { ...record, title: '</script><script>alert(1)</script>&' };
  const text = renderLinkedData(hostile, SITE);
  assert.doesNotMatch(text, /[<>&]/);
  const graph = JSON.parse(text)['@graph'] as { '@type': string; headline?: string }[];
  assert.equal(graph[0]?.headline, hostile.title);
  const types = graph.map((one) => one['@type']);
  assert.deepEqual(types.slice(0, 2), ['TechArticle', 'Dataset']);
  assert.equal(types.filter((type) => type === 'Claim').length, record.claims.length);
});

test('a claim says itself on its own page, by the name that its article gives it', () => {
  const [{ id, claimedBy } = { id: '', claimedBy: '' }] = record.claims;
  const said = { slug: record.slug, id, text: '</script>&', claimedBy, ts: STAMP.ts };
  const text = renderClaimLinkedData(said, SITE);
  assert.doesNotMatch(text, /[<>&]/);
  const claim = JSON.parse(text);
  assert.deepEqual(
    [claim['@type'], claim.text, claim.datePublished],
    ['Claim', said.text, STAMP.ts],
  );
  const graph = JSON.parse(renderLinkedData(record, SITE))['@graph'] as Record<string, string>[];
  assert.ok(graph.some((one) => one['@type'] === 'Claim' && one['@id'] === claim['@id']));
  assert.equal(claim.appearance['@id'], graph[0]?.['@id']);
});

test('feeds of articles and captures tell the newest first, and hold no character that XML forbids', async () => {
  const { ledger } = await load({ root: made.root });
  const about = { title: 't', path: '/articles.xml', page: '/', updated: STAMP.ts };
  const articles = articleNews(site.articles);
  assert.deepEqual(
    articles.map(({ title }) => title),
    [record.title],
  );
  const captures = captureNews(ledger.entries);
  assert.ok(captures.length > 1 && captures[0]!.at.seq > captures.at(-1)!.at.seq);
  const feed = renderFeed(
    { ...about, entries: [{ ...articles[0]!, title: '\u001b[31m\ud800 \uffff <b>' }] },
    SITE,
  );
  assert.match(feed, /<title>\\u\{1b\}\[31m\\u\{d800\} {2}&#60;b&#62;<\/title>/);
});
