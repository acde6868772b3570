import assert from 'node:assert/strict';
import { test } from 'node:test';
import { articles, kinds, visit } from './site.ts';

for (const path of kinds) {
  test(`${path} fits a screen of 320 pixels, holds no inline script and loads both of its typefaces`, () =>
    visit(path, { viewport: { width: 320, height: 640 } }, async (page) => {
      const over = await page.evaluate(
        () => document.documentElement.scrollWidth - window.innerWidth,
      );
      assert.equal(over, 0);
      // Linked data is a script element by name only: nothing runs it.
      const run = page.locator('script:not([src]):not([type="application/ld+json"])');
      assert.equal(await run.count(), 0);
      const faces = await page.evaluate(async () => {
        await document.fonts.ready;
        return [...document.fonts].filter(({ status }) => status === 'loaded').map((f) => f.family);
      });
      assert.deepEqual([...new Set(faces)].sort(), ['Plex', 'PlexMono']);
    }));
}

for (const path of articles.slice(0, 2)) {
  test(`${path} leads from a number to its ticket without JavaScript`, () =>
    visit(path, { javaScriptEnabled: false, reducedMotion: 'reduce' }, async (page) => {
      const figure = page.locator('main .fig').last();
      const id = (await figure.getAttribute('href'))?.slice(1);
      await figure.click();
      const ticket = page.locator(`[id="${id}"]`);
      assert.ok(await ticket.isVisible());
      const box = await ticket.boundingBox();
      assert.ok(box !== null && box.y >= 0 && box.y < 720, 'the ticket is on the screen');
    }));

  test(`${path} leads from a number to its ticket by keyboard`, () =>
    visit(path, {}, async (page) => {
      await page.keyboard.press('Tab');
      assert.equal(await page.evaluate(() => document.activeElement?.className), 'skip');
      await page.keyboard.press('Enter');
      let href: string | null = null;
      for (let presses = 0; presses < 20 && href === null; presses++) {
        await page.keyboard.press('Tab');
        href = await page.evaluate(
          () => document.activeElement?.closest('.fig')?.getAttribute('href') ?? null,
        );
      }
      assert.ok(href?.startsWith('#'), 'a number is reached within 20 tabs');
      await page.keyboard.press('Enter');
      assert.equal(await page.evaluate(() => `#${document.activeElement?.id}`), href);
      assert.equal(
        await page.evaluate(() =>
          document.activeElement?.matches('.ticket:is(:popover-open, :target)'),
        ),
        true,
      );
    }));

  test(`${path} shows what has the focus`, () =>
    visit(path, {}, async (page) => {
      await page.keyboard.press('Tab');
      await page.keyboard.press('Tab');
      const outline = await page.evaluate(
        () => document.activeElement && getComputedStyle(document.activeElement).outlineStyle,
      );
      assert.equal(outline, 'solid');
    }));

  test(`${path} prints its tickets, and no navigation`, () =>
    visit(path, {}, async (page) => {
      await page.emulateMedia({ media: 'print' });
      assert.ok(await page.locator('.ticket').first().isVisible());
      assert.equal(await page.locator('.bar').isVisible(), false);
    }));

  test(`${path} scrolls at once for a reader who wants less motion`, () =>
    visit(path, { reducedMotion: 'reduce' }, async (page) => {
      const behaviour = await page.evaluate(
        () => getComputedStyle(document.documentElement).scrollBehavior,
      );
      assert.equal(behaviour, 'auto');
    }));
}
