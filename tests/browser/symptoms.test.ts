import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { DIST } from '../../src/build.ts';
import { visit } from './site.ts';

const PATH = '/symptoms/';
interface Row {
  id: string;
  client: string;
  symptom: string;
}
const { symptoms } = JSON.parse(readFileSync(`${DIST}/api/symptoms.json`, 'utf8')) as {
  symptoms: Row[];
};

test('every row of the JSON stands on the page and in the markdown, and is an address', () =>
  visit(PATH, {}, async (page) => {
    const ids = await page
      .locator('#symptoms > li')
      .evaluateAll((rows) => rows.map(({ id }) => id.replace(/^symptom-/, '')));
    assert.deepEqual(
      ids,
      symptoms.map(({ id }) => id),
    );
    assert.equal(new Set(ids).size, ids.length);
    const markdown = readFileSync(`${DIST}/symptoms.md`, 'utf8');
    for (const id of ids) assert.ok(markdown.includes(`Row \`${id}\``), id);
  }));

test('rows are filtered by client and words, and the address keeps what was asked', async () => {
  const [first] = symptoms;
  // A site of one's own has none at first, and nothing to filter then.
  if (first === undefined) return;
  await visit(`${PATH}?client=${first.client}`, {}, async (page) => {
    const shown = () => page.locator('#symptoms > li:visible').count();
    const own = symptoms.filter(({ client }) => client === first.client).length;
    assert.equal(await shown(), own);
    await page.locator('[name="q"]').fill(first.symptom.replaceAll('`', '').slice(0, 20));
    assert.ok((await shown()) >= 1 && (await shown()) <= own);
    assert.match(page.url(), /[?&]q=/);
    await page.locator('[name="version"]').fill('x');
    assert.match(
      (await page.locator('#filter [role="status"]').textContent()) ?? '',
      /numbers with points/,
    );
  });
});
