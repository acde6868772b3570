import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tabTo } from './keyboard.ts';
import { visit } from './site.ts';

const STILL = { reducedMotion: 'reduce' } as const;

test('home: the skip link, the site’s sections and the search, in that order; Escape leads back from it', () =>
  visit('/', STILL, async (page) => {
    const stops = await tabTo(page, 'button.search');
    const links = await page.locator('.bar nav a').allTextContents();
    const wanted = ['Skip to the text', 'Weighbridge', ...links].map((name) => `a ${name}`);
    assert.deepEqual(stops.slice(0, -1), wanted);
    const dialog = page.getByRole('dialog');
    for (const key of ['Enter', 'Space', '/']) {
      await page.keyboard.press(key);
      assert.equal(await page.evaluate(() => document.activeElement?.tagName), 'INPUT', key);
      // The focus stays in it: past its last stop comes its first, or the browser's own bar.
      await tabTo(page, 'dialog button');
      await page.keyboard.press('Escape');
      assert.equal(await dialog.isVisible(), false, key);
      assert.ok(await page.evaluate(() => document.activeElement?.matches('button.search')), key);
    }
    await page.keyboard.press('Shift+Tab');
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), links.at(-1));
    await page.locator('.skip').first().focus();
    await page.keyboard.press('Enter');
    assert.equal(await page.evaluate(() => document.activeElement?.id), 'main');
    const [first] = await tabTo(page, 'main *', 1);
    assert.match(first ?? '', /^a \d/, 'the finding comes first');
  }));

test('servers: the table is reached, scrolls by arrows, and is sorted by its headings', () =>
  visit('/servers/', { ...STILL, viewport: { width: 390, height: 844 } }, async (page) => {
    await page.locator('#main').focus();
    await tabTo(page, '.scroll');
    const scrolled = () => page.evaluate(() => document.activeElement?.scrollLeft ?? 0);
    await page.keyboard.press('ArrowRight');
    await page.waitForFunction(() => (document.activeElement?.scrollLeft ?? 0) > 0);
    assert.ok((await scrolled()) > 0);
    const order = () => page.locator('table[data-sort] tbody th').allTextContents();
    const before = await order();
    for (const [key, says] of [
      ['Enter', 'ascending'],
      ['Space', 'descending'],
    ] as const) {
      if (key === 'Enter') await tabTo(page, 'th:first-child button.sort');
      await page.keyboard.press(key);
      const sort = await page.evaluate(() =>
        document.activeElement?.closest('th')?.getAttribute('aria-sort'),
      );
      assert.equal(sort, says, 'the focus stays on the heading');
    }
    const after = await order();
    assert.deepEqual([...after].sort(), [...before].sort());
    assert.deepEqual(
      after,
      [...after].sort((a, b) => b.localeCompare(a, 'en')),
    );
  }));

test('weigh: a list is given, counted, added to a budget, and the budget changed, by keys alone', () =>
  visit('/weigh/', STILL, async (page) => {
    await page.locator('#main').focus();
    await tabTo(page, '#paste');
    await page.keyboard.insertText('{"tools":[{"name":"add","inputSchema":{"type":"object"}}]}');
    const stops = await tabTo(page, '#scale button');
    assert.match(stops.at(-1) ?? '', /^button Weigh/);
    await page.keyboard.press('Enter');
    await page.locator('#weighed').waitFor();
    const tokens = page.locator('[data-out=tokens]');
    const alone = Number(await tokens.textContent());
    assert.ok(alone > 0, 'what was weighed is in the budget');
    await tabTo(page, '#budget-form [name=s]', 60);
    await page.keyboard.press('Space');
    const both = (await tokens.textContent()) ?? '';
    assert.ok(Number(both.replaceAll(',', '')) > alone);
    await tabTo(page, '[name=loading]');
    await page.keyboard.press('ArrowDown');
    assert.notEqual(await tokens.textContent(), both, 'deferred is less');
    await tabTo(page, '[name=window]');
    const share = await page.locator('[data-out=share]').textContent();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.insertText('100');
    assert.notEqual(await page.locator('[data-out=share]').textContent(), share);
    await tabTo(page, '[name=kv]');
    await page.keyboard.press('ArrowDown');
    assert.notEqual(await page.locator('[data-out=memory]').textContent(), '');
    assert.match(page.url(), /#.*loading=deferred/);
  }));
