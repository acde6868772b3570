import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright';
import { holdsForAll } from './axe.ts';
import { articles, open, origin, visit } from './site.ts';

/** What the page asked for below the search's folder. */
function watch(page: Page): string[] {
  const asked: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.includes('/pagefind/')) asked.push(pathname);
  });
  return asked;
}

test('`/` opens the search, words find claims and more, the keyboard leads to a result, Escape closes', () =>
  visit('/evidence/', {}, async (page) => {
    const asked = watch(page);
    await page.keyboard.press('/');
    const field = page.getByRole('searchbox', { name: 'Search this site' });
    await field.waitFor();
    assert.equal(await page.evaluate(() => document.activeElement?.tagName), 'INPUT');
    assert.deepEqual(asked, [], 'nothing is loaded before a word is typed');
    await page.keyboard.type('tokens');
    const results = page.getByRole('dialog').getByRole('link');
    await results.first().waitFor();
    const kinds = await page.locator('dialog li .mono').allTextContents();
    assert.ok(kinds.includes('article') || kinds.includes('claim'), kinds.join());
    await page.keyboard.press('Escape');
    assert.equal(await page.getByRole('dialog').isVisible(), false);
    await page.keyboard.press('/');
    await page.keyboard.type('tokens');
    await results.first().waitFor();
    await page.keyboard.press('ArrowDown');
    const href = await page.evaluate(() => document.activeElement?.getAttribute('href'));
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.pathname === new URL(href!, url).pathname);
  }));

test('the open search has no accessibility fault, and is told when nothing is found', () =>
  visit('/', {}, async (page) => {
    await page.getByRole('button', { name: 'Search' }).click();
    // Of a word that it does not know, Pagefind gives the nearest; of no word, nothing.
    await page.keyboard.type('§§§');
    await page.getByText('Nothing has all of these words.').waitFor();
    await holdsForAll(page);
  }));

test('`/` typed into a field is a character, and without JavaScript there is no button that does nothing', async () => {
  await visit('/', {}, async (page) => {
    await page.keyboard.press('/');
    await page.keyboard.type('a/b');
    assert.equal(await page.getByRole('searchbox').inputValue(), 'a/b');
  });
  await visit('/', { javaScriptEnabled: false }, async (page) => {
    assert.equal(await page.locator('button.search').isVisible(), false);
  });
});

for (const path of ['/', ...articles.slice(0, 1)]) {
  test(`${path} loads little script by itself, and none of the search's index`, () =>
    open(`${origin()}${path}`, async (page) => {
      const asked = watch(page);
      const scripts: Promise<Buffer>[] = [];
      page.on('response', (response) => {
        if (response.url().endsWith('.js')) scripts.push(response.body());
      });
      await page.reload({ waitUntil: 'networkidle' });
      const sizes = (await Promise.all(scripts)).map((bytes) => gzipSync(bytes).length);
      const whole = sizes.reduce((sum, size) => sum + size, 0);
      assert.ok(whole > 0 && whole <= 10_000, `${whole} bytes of ${sizes.length} scripts`);
      assert.deepEqual(asked, []);
    }));
}
