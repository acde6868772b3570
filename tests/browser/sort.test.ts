import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visit } from './site.ts';

test('servers are sorted by a column and back, which its heading says; without a script the costliest is first', async () => {
  const column = (page: Parameters<Parameters<typeof visit>[2]>[0], nth: number) =>
    page.locator(`table[data-sort] tbody tr > :nth-child(${nth})`).allTextContents();
  const numbers = (texts: string[]) =>
    texts.map((text) => Number.parseFloat(text.replaceAll(',', '')));
  const falling = (values: number[]) => values.toSorted((a, b) => b - a);
  await visit('/servers/', { javaScriptEnabled: false }, async (page) => {
    const tokens = numbers(await column(page, 3));
    assert.ok(tokens.length > 1);
    assert.deepEqual(tokens, falling(tokens));
    assert.equal(await page.locator('table[data-sort] button').count(), 0);
  });
  await visit('/servers/', {}, async (page) => {
    const tools = page.getByRole('columnheader', { name: 'Tools' });
    await tools.getByRole('button').press('Enter');
    const sorted = numbers(await column(page, 2));
    assert.deepEqual(sorted, falling(sorted));
    assert.equal(await tools.getAttribute('aria-sort'), 'descending');
    assert.equal(await page.locator('[aria-sort]').count(), 1);
    await tools.getByRole('button').press('Enter');
    assert.deepEqual(numbers(await column(page, 2)), sorted.toReversed());
    await page
      .getByRole('columnheader', { name: 'Server', exact: true })
      .getByRole('button')
      .click();
    const names = await column(page, 1);
    assert.deepEqual(
      names,
      names.toSorted((a, b) => a.localeCompare(b, 'en')),
    );
  });
});
