/** The switch between light and dark, and the mark of the page one is on. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright';
import { articles, visit } from './site.ts';

const paper = (page: Page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
const DARK = 'rgb(22, 21, 19)';
const LIGHT = 'rgb(251, 250, 247)';

test('without a choice, and without JavaScript, the system’s colours hold', async () => {
  for (const javaScriptEnabled of [true, false]) {
    for (const [colorScheme, colour] of [
      ['dark', DARK],
      ['light', LIGHT],
    ] as const) {
      await visit('/', { colorScheme, javaScriptEnabled }, async (page) => {
        assert.equal(await paper(page), colour);
        assert.equal(await page.locator('button.theme').isVisible(), javaScriptEnabled);
      });
    }
  }
});

test('a choice is kept from page to page, and is dropped where it is the system’s own', () =>
  visit('/', { colorScheme: 'light' }, async (page) => {
    const kept = () => page.evaluate(() => localStorage.getItem('weighbridge.theme'));
    await page.getByRole('button', { name: 'Dark' }).click();
    assert.equal(await paper(page), DARK);
    assert.equal(await kept(), 'dark');
    await page.getByRole('navigation', { name: 'Site' }).getByText('Servers').click();
    await page.waitForURL('**/servers/');
    assert.equal(await paper(page), DARK);
    await page.getByRole('button', { name: 'Light' }).click();
    assert.equal(await paper(page), LIGHT);
    assert.equal(await kept(), null);
  }));

test('the part of the site that one is in is marked, as the page where it is that', async () => {
  const current = (path: string) =>
    visit(path, {}, async (page) => {
      const marked = page.locator('.bar [aria-current]');
      assert.equal(await marked.count(), 1, path);
      seen.push([await marked.textContent(), await marked.getAttribute('aria-current')]);
    });
  const seen: (string | null)[][] = [];
  for (const path of ['/', '/servers/', '/clients/claude-code/', articles[0] ?? '/']) {
    await current(path);
  }
  assert.deepEqual(seen.slice(1), [
    ['Servers', 'page'],
    ['Clients', 'true'],
    ['Articles', 'true'],
  ]);
});
