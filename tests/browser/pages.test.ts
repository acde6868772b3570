import assert from 'node:assert/strict';
import { test } from 'node:test';
import { misfits } from './fit.ts';
import { articles, kinds, visit } from './site.ts';

for (const path of kinds) {
  test(`${path} fits 320 pixels and is whole at 200%, holds no inline script and loads its typefaces`, () =>
    // What a window of 1280 pixels holds when it is zoomed twofold.
    visit(path, { viewport: { width: 640, height: 450 }, deviceScaleFactor: 2 }, async (page) => {
      assert.deepEqual(await misfits(page), { over: 0, cut: [] }, 'at 200%');
      await page.setViewportSize({ width: 320, height: 640 });
      assert.deepEqual(await misfits(page), { over: 0, cut: [] }, 'at 320 pixels');
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
