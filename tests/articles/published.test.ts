/** The real content against the real ledger: it resolves without a problem and renders in every form. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { methodOf, stepsOf } from '../../src/articles/evidence.ts';
import { load, loadSite } from '../../src/load.ts';
import { renderArticleJson } from '../../src/render/json.ts';
import { renderArticleMarkdown } from '../../src/render/markdown.ts';
import { renderSkill } from '../../src/render/skill.ts';
import { address } from '../../src/site.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const site = address({});
const { articles, problems } = await loadSite({ root });

test('content has no problem, and every number in it is bound', () => {
  assert.deepEqual(problems.map(String), []);
});

test('the method of every figure that is built in is defined for /evidence/', async () => {
  const { shared } = await load({ root });
  const { clients } = await loadSite({ root });
  const figures = [...shared.figures.values(), ...clients.flatMap((client) => client.figures)];
  const steps = new Set(figures.flatMap(({ method }) => stepsOf(method)));
  assert.ok(steps.size > 10);
  assert.deepEqual(
    [...steps].filter((step) => methodOf(step) === undefined),
    [],
  );
});

for (const record of articles) {
  test(`${record.slug} renders in every form, each with all its figures and claims`, () => {
    const markdown = renderArticleMarkdown(record, site);
    const listed = [...markdown.matchAll(/^\| `([\w.-]+)` \|/gm)].map((match) => match[1]);
    assert.deepEqual(
      listed,
      record.figures.map(({ id }) => id),
    );
    for (const { id } of record.claims) assert.ok(markdown.includes(`### Claim ${id}\n`), id);
    assert.doesNotMatch(markdown, /<(?:Fig|Claim|Cite|DataTable)\b|\{\/\*/);
    assert.equal(JSON.parse(renderArticleJson(record, site)).figures.length, record.figures.length);
    assert.ok(renderSkill(record, site).startsWith(`---\nname: ${record.slug}\n`));
  });

  test(`${record.slug} gives its answer within the first 5,000 characters of its markdown`, () => {
    const lead = renderArticleMarkdown(record, site).slice(0, 5_000);
    for (const { figure } of record.stats) assert.ok(lead.includes(`](#${figure})`), figure);
  });
}
