/** The fixture article in each of its forms, against golden files and against one another. */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { ArticleRecord } from '../../src/articles/record.ts';
import { loadSite } from '../../src/load.ts';
import { Problem } from '../../src/problem.ts';
import { renderArticleJson, renderArticlesIndex } from '../../src/render/json.ts';
import { renderArticleMarkdown } from '../../src/render/markdown.ts';
import { renderSkill } from '../../src/render/skill.ts';
import { address } from '../../src/site.ts';
import type { Project } from '../articles/fixture.ts';
import { recorded } from '../articles/recorded.ts';
import { matchesGolden, SITE } from './golden.ts';

const site = SITE;
let made: Project;
let record: ArticleRecord;
before(async () => {
  made = await recorded();
  record = (await loadSite({ root: made.root })).articles[0]!;
});
after(() => made.remove());

const code = (expected: string) => (error: unknown) =>
  error instanceof Problem && error.code === expected;

test('JSON is as golden, and again the same bytes', () => {
  const json = renderArticleJson(record, site);
  matchesGolden('article.json', json);
  assert.equal(renderArticleJson(structuredClone(record), site), json);
});

test('the index of articles is as golden and leaves drafts out', () => {
  matchesGolden('articles.json', renderArticlesIndex([record], site));
  const none = JSON.parse(renderArticlesIndex([{ ...record, status: 'draft' }], site));
  assert.deepEqual(none.articles, []);
});

test('markdown is as golden', () => {
  matchesGolden('article.md', renderArticleMarkdown(record, site));
});

test('a skill is as golden', () => {
  matchesGolden('SKILL.md', renderSkill(record, site));
});

test('markdown holds every figure, claim, source and table row of the record', () => {
  const markdown = renderArticleMarkdown(record, site);
  const ids = (pattern: RegExp) =>
    [...new Set([...markdown.matchAll(pattern)].map((match) => match[1]!))].sort();
  assert.deepEqual(
    ids(/^\| `([\w.-]+)` +\|/gm),
    record.figures.map(({ id }) => id),
  );
  assert.deepEqual(ids(/\(#claim-([\w.-]+)\)/g), record.claims.map(({ id }) => id).sort());
  assert.deepEqual(ids(/\(#source-([\w.-]+)\)/g), record.sources.map(({ id }) => id).sort());
  const linked = ids(/\]\(#((?:servers\.|sources\.|copies_)[\w.-]+)\)/g);
  const known = record.figures.map(({ id }) => id);
  assert.ok(
    linked.every((id) => known.includes(id)),
    linked.join(),
  );
  for (const { rows } of Object.values(record.tables)) {
    for (const { cells } of rows) assert.ok(markdown.includes(`| ${cells[0]} |`), String(cells[0]));
  }
});

test('markdown leads with the answer and leaves no component behind', () => {
  const markdown = renderArticleMarkdown(record, site);
  assert.ok(markdown.startsWith(`# ${record.title}\n\nThe fixtures come to [`));
  assert.doesNotMatch(markdown, /<[A-Z]|\{\/\*|\{servers/);
});

test('captured and quoted text cannot become markup', () => {
  const hostile = '<script>alert(1)</script> [x](javascript:1) | *a* `b`\n# c';
  const markdown = renderArticleMarkdown(
    {
      ...record,
      failures: record.failures.map((failure) => ({ ...failure, message: hostile })),
      sources: record.sources.map((source) => ({ ...source, quote: hostile, title: hostile })),
      figures: record.figures.map((figure) => ({ ...figure, label: hostile })),
    },
    site,
  );
  assert.doesNotMatch(markdown, /(?<!\\)<script>/);
  assert.doesNotMatch(markdown, /(?<!\\)\]\(javascript/);
  assert.doesNotMatch(markdown, /^(?:> )?# c/m);
  const columns = markdown
    .split('\n')
    .filter((line) => line.includes('alert') && line.startsWith('| `'));
  assert.ok(columns.length > 0);
  for (const line of columns) assert.equal(line.match(/(?<!\\)\|/g)!.length, 8, line);
});

test('every address goes through the site, under its base path too', () => {
  const fork = address({ SITE_URL: 'https://fork.example/ignored', BASE_PATH: 'sub/' });
  assert.equal(fork.base, '/sub');
  for (const text of [
    renderArticleJson(record, fork),
    renderArticlesIndex([record], fork),
    renderArticleMarkdown(record, fork),
    renderSkill(record, fork),
  ]) {
    assert.ok(text.includes('https://fork.example/sub/a/what-fixtures-cost/'));
    assert.doesNotMatch(text, /localhost/);
  }
});

test('a skill with a bad name, a long description or a long body is refused', () => {
  const skill = (change: Partial<ArticleRecord['skill']>, slug = record.slug) =>
    renderSkill({ ...record, slug, skill: { ...record.skill, ...change } }, site);
  assert.throws(() => skill({}, 'two--hyphens'), code('skill.name'));
  assert.throws(() => skill({}, 'x'.repeat(65)), code('skill.name'));
  assert.ok(skill({ description: 'x'.repeat(1024) }));
  assert.throws(() => skill({ description: 'x'.repeat(1025) }), code('skill.description'));
  assert.throws(() => skill({ body: 'x\n'.repeat(500) }), code('skill.lines'));
  assert.ok(skill({ body: 'word '.repeat(4000) }), 'more bytes than tokens allowed, fewer tokens');
  assert.throws(() => skill({ body: 'word '.repeat(5000) }), code('skill.tokens'));
});

test('a description that YAML could misread stays one string', () => {
  const text = renderSkill(
    { ...record, skill: { ...record.skill, description: 'a: "b" # c\nd' } },
    site,
  );
  assert.match(text, /^description: "a: \\"b\\" # c\\nd"$/m);
});

test('a missing golden fails in CI and is written elsewhere', () => {
  const path = mkdtempSync(join(tmpdir(), 'weighbridge-golden-'));
  const folder = pathToFileURL(`${path}/`);
  assert.throws(() => matchesGolden('x.md', 'text', { ci: true, folder }), /is missing/);
  assert.ok(!existsSync(join(path, 'x.md')));
  matchesGolden('x.md', 'text', { ci: false, folder });
  matchesGolden('x.md', 'text', { ci: true, folder });
  assert.throws(() => matchesGolden('x.md', 'other', { ci: false, folder }), /differs/);
  rmSync(path, { recursive: true });
});
