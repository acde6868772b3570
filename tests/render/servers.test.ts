/** What is shown of servers: against golden files, and with tools that mean harm. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { markdownToMdast } from 'satteri';
import type { ServerRecord } from '../../src/articles/catalogue.ts';
import { toolSlugs } from '../../src/articles/catalogue.ts';
import { append } from '../../src/disk/append.ts';
import { loadSite, type Site } from '../../src/load.ts';
import { bars } from '../../src/render/bars.ts';
import {
  renderServerCsv,
  renderServerMarkdown,
  renderServerRecipe,
  renderToolMarkdown,
  repeatsOf,
  sentOf,
  shownFigures,
} from '../../src/render/server.ts';
import {
  renderServersCsv,
  renderServersJson,
  renderServersMarkdown,
  serverChart,
} from '../../src/render/servers.ts';
import { captured, payload, project } from '../articles/fixture.ts';
import { matchesGolden, SITE } from './golden.ts';

const HARM = [
  { name: '=cmd|x', description: '<script>alert(1)</script>\n\n# No heading\n[a](//evil)' },
  { name: 'say', description: 'right\u202eto left \u001b[31mred ```\n````' },
  { name: '../up', description: 'word'.repeat(12_500), inputSchema: { type: 'object', a: '|' } },
  { name: 'Say', inputSchema: { type: 'object' } },
];
const YAML = `- { name: small, package: fixture-small, version: 1.0.0, licence: MIT, as_of: 2026-01-02, why: Small. }
- { name: harm, package: fixture-harm, version: 1.0.0, licence: MIT, as_of: 2026-01-02, releases: [0.1.0] }
- { name: copies, package: fixture-copies, version: 1.0.0, licence: MIT, as_of: 2026-01-02 }
- { name: past, package: fixture-past, version: 1.0.0, licence: MIT, as_of: 2026-01-02, releases: [0.1.0], history_only: true }
`;

let site: Site;
let remove: () => void;
let record: (name: string) => ServerRecord;
before(async () => {
  const made = await project({ 'servers.yaml': YAML });
  remove = made.remove;
  const stamp = { actor: 'fixture', ts: '2026-02-03T04:05:06.789Z' };
  await append(join(made.root, 'ledger'), stamp, (batch) => {
    const add = (server: string, version: string, tools: unknown[]) => {
      const body = captured(server, batch.blob(payload(tools)), tools.length);
      const versioned = { ...body, package: { ...body.package, version } };
      batch.add({ type: 'capture.add', article: null, body: versioned });
    };
    add('harm', '0.1.0', HARM.slice(1, 3));
    add('harm', '1.0.0', HARM);
    add('past', '1.0.0', [{ name: 'add' }]);
  });
  site = await loadSite({ root: made.root });
  record = (name) => site.catalogues.find(({ weighed }) => weighed.name === name)!;
});
after(() => remove());

test('all servers, and one with each of its tools, are as golden', () => {
  matchesGolden('servers.md', renderServersMarkdown(site.catalogues, site.failures, SITE));
  matchesGolden('servers.csv', renderServersCsv(site.catalogues));
  matchesGolden('server.md', renderServerMarkdown(record('copies'), SITE));
  matchesGolden('server.csv', renderServerCsv(record('copies')));
  const [tool] = record('copies').tools;
  matchesGolden('tool.md', renderToolMarkdown(record('copies'), tool!, SITE));
});

test('a server that is weighed for its history alone is listed, and is part of no total or chart', () => {
  assert.deepEqual(
    site.catalogues.map(({ weighed, counted }) => [weighed.name, counted]),
    [
      ['small', true],
      ['harm', true],
      ['copies', true],
      ['past', false],
    ],
  );
  const { figures } = JSON.parse(renderServersJson(site.catalogues, [], SITE)) as {
    figures: { id: string; value: string }[];
  };
  assert.equal(figures.find(({ id }) => id === 'servers.all.count')?.value, '3');
  assert.doesNotMatch(serverChart(site.catalogues)?.html ?? '', /past/);
});

test('of one server nothing is said beside others, and shares say of how many servers they are', () => {
  const [only] = site.catalogues;
  assert.match(serverChart([only!])?.finding ?? '', /^Schemas are /);
  assert.match(serverChart(site.catalogues)?.finding ?? '', / alone is /);
  assert.match(
    renderServersMarkdown(site.catalogues, [], SITE),
    /of 3 of the 4 servers below: past is weighed for its history alone/,
  );
  assert.doesNotMatch(renderServersMarkdown([only!], [], SITE), /history alone/);
});

test('parts of a tool are counted alone, and its whole as the payload’s method has it', () => {
  const { tools, weighed } = record('copies');
  for (const { name, tokens } of tools) {
    const same = weighed.weight.perTool.find((one) => one.name === name);
    const { total, name_tokens, description_tokens, schema_tokens } = same!;
    const parts = { name: name_tokens, description: description_tokens, schema: schema_tokens };
    assert.deepEqual(tokens, { total, ...parts });
  }
});

test('a repeated block is shown with the place and the text that it has', () => {
  const [block] = repeatsOf(record('copies'));
  assert.equal(block?.tool, 'alpha');
  assert.equal(block?.copies, 3);
  assert.match(block?.pointer ?? '', /^#\/0\/input_schema/);
  assert.equal(block?.wasted, 2 * block!.bytes);
  assert.ok(record('copies').tools[0]!.sent.includes(block!.excerpt.replace(/…$/, '')));
});

test('what a tool says is neither markup nor a command to a terminal, in any form', () => {
  const harm = record('harm');
  const pages = [
    renderServerMarkdown(harm, SITE),
    ...harm.tools.map((tool) => renderToolMarkdown(harm, tool, SITE)),
    renderServersMarkdown(site.catalogues, [], SITE),
  ];
  for (const page of pages) {
    assert.doesNotMatch(page.replace(/[\t\n]/g, ''), /[\p{Cc}\u202a-\u202e]/u);
    const kinds = new Set<string>();
    let headings = 0;
    const links: string[] = [];
    const visit = (node: { type: string; url?: string; depth?: number; children?: unknown[] }) => {
      kinds.add(node.type);
      if (node.type === 'heading' && node.depth === 1) headings++;
      if (node.url !== undefined) links.push(node.url);
      for (const child of node.children ?? []) visit(child as typeof node);
    };
    visit(markdownToMdast(page) as Parameters<typeof visit>[0]);
    assert.equal(kinds.has('html'), false);
    assert.equal(headings, 1);
    assert.deepEqual(
      links.filter((url) => !url.startsWith(SITE.origin)),
      [],
    );
  }
  assert.match(renderServerCsv(harm), /,'=cmd\|x,/);
});

test('a name that is no plain word gets an address of its own, and no two tools share one', () => {
  assert.deepEqual(harmless(['say', 'Say', '../up', '', 'a'.repeat(300), 'say']), [
    'say',
    'Say-2',
    'tool-3',
    'tool-4',
    'tool-5',
    'say-2-2',
  ]);
});
const harmless = (names: string[]): string[] => {
  const slugs = toolSlugs(names);
  assert.equal(new Set(slugs.map((slug) => slug.toLowerCase())).size, names.length);
  return slugs;
};

test('a model is sent the prefixed name and the schema, and the rest is told apart', () => {
  const [, , up, last] = record('harm').tools;
  assert.equal(sentOf(up!).name, 'mcp__harm__../up');
  assert.equal(sentOf(last!).schema, '{\n  "type": "object"\n}');
});

test('the recipe of a server names what its tickets rest on, and where that stands', () => {
  const harm = record('harm');
  const seqOf = new Map([[harm.weighed.leaf, harm.capture.seq]]);
  const recipe = JSON.parse(renderServerRecipe('harm', [harm], shownFigures(harm), seqOf, SITE));
  assert.deepEqual(recipe.servers, [harm.weighed.leaf]);
  assert.deepEqual(recipe.entries, { [harm.weighed.leaf]: harm.capture.seq });
  assert.deepEqual(recipe.figures['servers.harm.tokens'], { inputs: [harm.weighed.leaf] });
});

test('bars are the same each time, tell their finding, and need no style attribute', () => {
  const rows = [
    { label: '<1>', parts: [1, 2, 7], text: '10' },
    { label: 'none', parts: [0, 0, 0], text: '0' },
  ];
  const columns = { rows: 'Server', whole: 'Tokens' };
  const html = bars(rows, 'a "finding"', ['x'], columns);
  assert.equal(html, bars(rows, 'a "finding"', ['x'], columns));
  assert.match(html, /role="img" aria-label="a &#34;finding&#34;"/);
  assert.doesNotMatch(html, /style=|<1>/);
  assert.match(html, /x="0%" width="8%"[^>]*><title>x 1<\/title><\/rect><rect x="8%" width="16%"/);
  assert.match(html, /<text x="80%"/, 'the longest leaves room for its number');
});
