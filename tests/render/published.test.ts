/** What is published as JSON: against golden files, and against the schema that each names. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { METHODS, methodOf, stepsOf } from '../../src/articles/evidence.ts';
import { COMMANDS, VERBS } from '../../src/commands.ts';
import { ENDPOINTS, SERVED } from '../../src/endpoints.ts';
import type { Recorded } from '../../src/ledger/fold.ts';
import { load, loadSite, type Site } from '../../src/load.ts';
import { markTools } from '../../src/measure/diff.ts';
import { LOCK_VERSION, type Lock } from '../../src/measure/gate.ts';
import { o200k } from '../../src/measure/o200k.ts';
import type { SkillsReport } from '../../src/measure/report.ts';
import { renderClientsJson } from '../../src/render/clients-json.ts';
import {
  DIRECTORY,
  entryOf,
  renderDirectory,
  renderDirectoryEntry,
  renderDirectorySkill,
} from '../../src/render/directory.ts';
import { energyOf } from '../../src/render/energy.ts';
import {
  evidenceOf,
  renderEvidenceJson,
  renderEvidenceMarkdown,
} from '../../src/render/evidence.ts';
import { renderInvocations, renderSiteInvocations } from '../../src/render/invocations.ts';
import { renderArticleJson, renderArticlesIndex } from '../../src/render/json.ts';
import { renderArticleLedger } from '../../src/render/ledger.ts';
import { renderRecipe } from '../../src/render/recipe.ts';
import { renderRevisions, renderSiteRevisions } from '../../src/render/revisions.ts';
import { renderSchema, SCHEMA_NAMES, type SchemaName } from '../../src/render/schemas.ts';
import { renderServerJson } from '../../src/render/server.ts';
import { renderServersJson } from '../../src/render/servers.ts';
import { renderSiteTopology, renderTopology } from '../../src/render/topology.ts';
import { address } from '../../src/site.ts';
import { type Project, STAMP } from '../articles/fixture.ts';
import { record, recorded } from '../articles/recorded.ts';
import { matchesGolden } from './golden.ts';

const home = address({}, { name: 'Weighbridge', url: 'http://localhost:4321', base: '' });
const SECOND = { ...STAMP, ts: '2026-01-03T03:04:05.678Z' };
let made: Project;
let site: Site;
let log: { origin: string; entries: readonly Recorded[] };
before(async () => {
  made = await recorded();
  // A second revision, which changes one of everything that a revision can change.
  made.edit('articles/what-fixtures-cost/claims.yaml', 'in one.', 'in one of them.');
  made.edit('articles/what-fixtures-cost/sources.yaml', 'A made-up post', 'A post made up');
  made.edit(
    'articles/what-fixtures-cost/index.mdx',
    'fixtures]',
    'fixtures]\nseries: { name: Fixtures, position: 3 }',
  );
  made.edit(
    'articles/what-fixtures-cost/index.mdx',
    '> Quoted',
    'One has <Fig id="servers.small.bytes"/> bytes.\n\n> Quoted',
  );
  await record(made.root, SECOND);
  site = await loadSite({ root: made.root });
  const { ledger } = await load({ root: made.root });
  log = { origin: 'fixture.example/ledger', entries: ledger.entries };
});
after(() => made.remove());

/** Every published document with the schema that it names, and its golden file unless another test holds it to one. */
function documents(): [string | null, SchemaName, string][] {
  const { articles, attempts, catalogues, failures } = site;
  const record = articles[0]!;
  const { entries } = log;
  const seqOf = new Map(entries.map(({ leaf, seq }) => [leaf, seq]));
  const given = { servers: site.servers, histories: site.histories };
  return [
    [null, 'article', renderArticleJson(record, home)],
    [null, 'articles', renderArticlesIndex(articles, home)],
    ['topology.json', 'topology', renderTopology(record, home)],
    ['site-topology.json', 'topology', renderSiteTopology(articles, home)],
    ['revisions.json', 'revisions', renderRevisions(record, home)],
    ['site-revisions.json', 'revisions', renderSiteRevisions(articles, home)],
    ['invocations.json', 'invocations', renderInvocations(record, home)],
    ['site-invocations.json', 'invocations', renderSiteInvocations(attempts, home)],
    ['servers.json', 'servers', renderServersJson(catalogues, failures, home)],
    ['server.json', 'server', renderServerJson(catalogues[1]!, home)],
    ['evidence.json', 'evidence', renderEvidenceJson(articles, home)],
    [null, 'article-ledger', renderArticleLedger(record.slug, log, null, home)],
    [null, 'article-weigh', renderRecipe(record, given, seqOf, home)],
    [null, 'clients', renderClientsJson([], [], [], home)],
  ];
}

const ajv = new Ajv2020({ allErrors: true, strict: true, validateFormats: false });
for (const name of SCHEMA_NAMES) ajv.addSchema(JSON.parse(renderSchema(name, home)));
function assertFits(name: SchemaName, value: unknown): void {
  const id = `${home.origin}/schemas/${name}.json`;
  assert.ok(ajv.validate(id, value), `${name}: ${ajv.errorsText(ajv.errors)}`);
}

test('every document is as golden, again the same bytes, and fits the schema that it names', () => {
  const again = documents();
  for (const [i, [golden, schema, text]] of documents().entries()) {
    if (golden !== null) matchesGolden(golden, text);
    assert.equal(again[i]![2], text);
    const value = JSON.parse(text) as { $schema: string; shape: string };
    assert.equal(value.$schema, `${home.origin}/schemas/${schema}.json`);
    assert.equal(value.shape, `weighbridge.${schema}`);
    assertFits(schema, value);
  }
});

test('a document of another shape does not fit', () => {
  const value = JSON.parse(documents()[0]![2]) as Record<string, unknown>;
  for (const wrong of [
    { ...value, energy: { passes: 0 } },
    { ...value, receipt: 0 },
    { ...value, extra: true },
    { ...value, version: 2 },
  ]) {
    assert.throws(() => assertFits('article', wrong), /article:/);
  }
});

test('entries of the ledger, reports and lock files fit their schemas', async () => {
  const { ledger } = await load({ root: made.root });
  assert.ok(ledger.entries.length > 5);
  for (const { entry } of ledger.entries) assertFits('ledger-entry', entry);
  const report: SkillsReport = {
    ...{ kind: 'skills', folder: 'skills', tokenizer: 'o200k_base', method: 'm@1' },
    skills: [{ name: 'a', path: 'a/SKILL.md', resident: 1, body: 2 }],
    ...{ failed: [], totals: { resident: 1, body: 2 }, warnings: [] },
  };
  assertFits('weigh-report', report);
  const as = { shape: 'anthropic', server: 'small', tokenizer: o200k() } as const;
  const tools = markTools([{ name: 'add', inputSchema: { type: 'object' } }], as);
  const lock: Lock = {
    lock_version: LOCK_VERSION,
    method: 'm@1',
    servers: [{ server: 'small', tokens: 1, tools }],
  };
  assertFits('weigh-lock', lock);
});

test('the graph has each node once, and every edge leads from one node to another', () => {
  for (const [, schema, text] of documents()) {
    if (schema !== 'topology') continue;
    const { nodes, edges } = JSON.parse(text) as {
      nodes: { id: string }[];
      edges: { from: string; to: string }[];
    };
    const ids = new Set(nodes.map(({ id }) => id));
    assert.equal(ids.size, nodes.length);
    for (const { from, to } of edges) assert.ok(ids.has(from) && ids.has(to), `${from} ${to}`);
  }
});

test('what an entry does not say it spent is null, and what some say is summed exactly', () => {
  const { entries } = site.articles[0]!;
  const spent = (values: [number | null, string | null][]) =>
    energyOf({
      entries: entries
        .filter(({ entry }) => entry.type === 'claim.put')
        .slice(0, values.length)
        .map((one, i) => {
          const [tokens = null, cost = null] = values[i]!;
          if (one.entry.type !== 'claim.put') throw new TypeError('a claim');
          return {
            ...one,
            entry: { ...one.entry, body: { ...one.entry.body, tokens, cost } },
          };
        }),
    });
  const none = spent([
    [null, null],
    [null, null],
  ]);
  assert.deepEqual(
    [none.tokens, none.cost],
    [
      { sum: null, known: 0, of: 2 },
      { sum: null, known: 0, of: 2 },
    ],
  );
  const some = spent([
    [0, '0.1'],
    [null, '0.25'],
    [7, null],
  ]);
  assert.deepEqual(some.tokens, { sum: 7, known: 2, of: 3 });
  assert.deepEqual(some.cost, { sum: '0.35', known: 2, of: 3 });
  assert.equal(
    spent([
      [null, '0.2'],
      [null, '0.80'],
    ]).cost.sum,
    '1.00',
  );
  assert.deepEqual(energyOf({ entries: [] }), {
    ...{ passes: 0, models: {}, head: null },
    tokens: { sum: null, known: 0, of: 0 },
    cost: { sum: null, known: 0, of: 0 },
  });
});

test('evidence is as golden in markdown, and its counts are those of the record', () => {
  matchesGolden('evidence.md', renderEvidenceMarkdown(site.articles, home));
  const [record] = site.articles;
  const { tiers, statuses, methods } = evidenceOf(site.articles, home);
  const sum = (all: { claims: number }[]) => all.reduce((so, { claims }) => so + claims, 0);
  assert.equal(sum(tiers), record!.claims.length);
  assert.equal(sum(statuses), record!.claims.flatMap(({ status }) => status).length);
  const own = { ...record!, figures: [{ ...record!.figures[0]!, method: 'mine/x@3/sum@1' }] };
  assert.deepEqual(evidenceOf([own], home).methods.at(-1), {
    ...{ id: 'mine/x@3', means: null, figures: 1 },
  });
  assert.ok(
    methods.every(({ means }) => means !== null),
    'the fixture uses no method of its own',
  );
});

test('a method is taken apart into its steps, each with its version', () => {
  const id = 'tokens/o200k_base/anthropic/compact@1/schemas@1/sum@1';
  const steps = ['tokens/o200k_base/anthropic/compact@1', 'schemas@1', 'sum@1'];
  assert.deepEqual(stepsOf(id), steps);
  assert.deepEqual(
    steps.map((step) => methodOf(step)?.id),
    ['tokens/*/*/compact@1', 'schemas@1', 'sum@1'],
  );
  assert.equal(methodOf('sum@2'), undefined, 'another version is another method');
  assert.equal(methodOf('tokens/o200k_base/compact@1'), undefined);
  assert.equal(new Set(METHODS.map((method) => method.id)).size, METHODS.length);
});

test('the directory holds each verb and each address once, with every option and exit code', () => {
  assert.deepEqual(DIRECTORY, [...VERBS, ...Object.keys(ENDPOINTS), ...Object.keys(SERVED)]);
  assert.equal(new Set(DIRECTORY).size, DIRECTORY.length);
  assertFits('directory', JSON.parse(renderDirectory(home)));
  for (const id of DIRECTORY) {
    const json = renderDirectoryEntry(id, home);
    assertFits('directory-entry', JSON.parse(json));
    const skill = renderDirectorySkill(id, home);
    assert.ok(skill.startsWith(`---\nname: ${id}\ndescription: "`));
    assert.match(id, /^[a-z0-9]+(?:-[a-z0-9]+)*$/);
    assert.ok(skill.split('\n').length < 500);
    assert.ok([.../^description: "(.*)"$/m.exec(skill)![1]!].length <= 1_024);
    const entry = entryOf(id, home);
    if (entry.kind === 'endpoint') {
      const braces = [...entry.url.matchAll(/\{(.+?)\}/g)].map((match) => match[1]);
      assert.deepEqual(
        entry.parts.map(({ name }) => name),
        braces,
        id,
      );
      continue;
    }
    const { options, exits } = COMMANDS[id as keyof typeof COMMANDS];
    for (const name of Object.keys(options)) assert.ok(skill.includes(`\`--${name}`), name);
    for (const code of Object.keys(exits)) assert.ok(skill.includes(`\n- ${code}: `), code);
  }
});

test('one command and one address are as golden as skills', () => {
  matchesGolden('directory/verify/SKILL.md', renderDirectorySkill('verify', home));
  matchesGolden('directory/article-json/SKILL.md', renderDirectorySkill('article-json', home));
});
