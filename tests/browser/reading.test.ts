import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { DIST } from '../../src/build.ts';
import { articles, open, origin, pages, visit } from './site.ts';

const OPEN = ':popover-open';

const [path = '/'] = articles;
const clipboard = { permissions: ['clipboard-read', 'clipboard-write'] };

test('the contents mark the section on the screen, and headings link to themselves', () =>
  visit(path, { viewport: { width: 1440, height: 900 } }, async (page) => {
    const last = page.locator('nav.contents a').last();
    await last.click();
    await page.locator('nav.contents [aria-current="location"]').waitFor();
    await page.locator('main h2[id]').nth(1).scrollIntoViewIfNeeded();
    const heading = page.locator('main h2[id]').first();
    const id = await heading.getAttribute('id');
    assert.equal(await heading.locator('a.here').getAttribute('href'), `#${id}`);
  }));

test('no button lies on the code that it copies, and no contents are cut, at any width', async () => {
  const tool = pages.find((one) => one.includes('/tools/')) ?? '/';
  for (const width of [390, 768, 1200, 1440]) {
    for (const at of [path, tool]) {
      await visit(at, { viewport: { width, height: 900 } }, async (page) => {
        const faults = await page.evaluate(() => {
          const overlap = [...document.querySelectorAll<HTMLElement>('.copied')].filter((frame) => {
            const [pre, button] = [frame.querySelector('pre'), frame.querySelector('button')];
            if (!pre || !button || !frame.checkVisibility()) return false;
            const [a, b] = [pre.getBoundingClientRect(), button.getBoundingClientRect()];
            const within = frame.getBoundingClientRect();
            const apart =
              a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
            return !apart || b.top < within.top || b.right > within.right;
          });
          const cut = [...document.querySelectorAll('.contents ol')].filter(
            (list) => list.scrollWidth > list.clientWidth,
          );
          return [overlap.length, cut.length];
        });
        assert.deepEqual(faults, [0, 0], `${at} at ${width}`);
      });
    }
  }
});

test('an option stays on one line, and the words of the page are as they were', () =>
  visit('/', {}, async (page) => {
    const code = page.locator('.own code');
    assert.deepEqual(await code.locator('.whole').allTextContents(), ['-s', '--config']);
    assert.equal(await code.textContent(), 'npm run -s weigh -- --config .mcp.json');
  }));

test('on a phone the caption of a table stays in sight, and a cell that stays takes its rule along', () =>
  visit(path, { viewport: { width: 390, height: 844 } }, async (page) => {
    const seen = await page
      .locator('main .scroll')
      .first()
      .evaluate((scroll) => {
        scroll.scrollLeft = 150;
        const at = scroll.getBoundingClientRect();
        const caption = scroll.querySelector('caption')!.getBoundingClientRect();
        const rules = [...scroll.querySelectorAll('tr')].map((row) =>
          [...row.cells].map((cell) => getComputedStyle(cell).borderBottomWidth),
        );
        return {
          scrolled: scroll.scrollLeft > 0,
          caption: caption.left > at.left - 1 && caption.right < at.right + 1,
          rules: rules.every((row) => new Set(row).size === 1 && row[0] !== '0px'),
          collapse: getComputedStyle(scroll.querySelector('table')!).borderCollapse,
        };
      });
    assert.deepEqual(seen, { scrolled: true, caption: true, rules: true, collapse: 'separate' });
  }));

test('code, the citation and the page as markdown are copied at a press', () =>
  visit(path, clipboard, async (page) => {
    await page.locator('.citation summary').click();
    const read = () => page.evaluate(() => navigator.clipboard.readText());
    await page.locator('.citation .copied button').click();
    await page.locator('.citation .copied button', { hasText: 'Copied' }).waitFor();
    assert.match(await read(), /^@misc\{weighbridge-[a-z0-9-]+,\n/);
    await page.getByRole('button', { name: 'Copy this page as markdown' }).click();
    await page
      .locator('button.copy', { hasText: /^Copied$/ })
      .nth(1)
      .waitFor();
    assert.equal(await read(), readFileSync(`${DIST}${path.replace(/\/$/, '.md')}`, 'utf8'));
  }));

test('an address that leads nowhere is answered with ways on, and its words are searched for', () =>
  open(
    `${origin()}/a/tokens/`,
    async (page) => {
      assert.ok((await page.locator('main a').count()) >= 4);
      await page.keyboard.press('/');
      assert.equal(await page.getByRole('searchbox').inputValue(), 'a tokens');
      await page.getByRole('dialog').getByRole('link').first().waitFor();
    },
    { complaints: true },
  ));

test('a citation opens where it is read, by keyboard; Escape closes it and leads back', () =>
  visit(path, { reducedMotion: 'reduce' }, async (page) => {
    const mark = page.locator('main .cite').first();
    const id = (await mark.getAttribute('href'))?.slice(1);
    await mark.focus();
    const at = await page.evaluate(() => scrollY);
    await page.keyboard.press('Enter');
    const note = page.locator(OPEN);
    assert.equal(await note.getAttribute('id'), id);
    assert.equal(await page.evaluate(() => document.activeElement?.id), id);
    const [box, from] = [await note.boundingBox(), await mark.boundingBox()];
    assert.ok(box && from && box.y >= 0 && box.y + box.height <= 720, JSON.stringify([box, from]));
    assert.ok(
      Math.min(Math.abs(box.y - from.y - from.height), Math.abs(from.y - box.y - box.height)) < 20,
    );
    assert.equal(await page.evaluate(() => scrollY), at, 'the text stays where it is');
    await page.keyboard.press('Escape');
    await note.waitFor({ state: 'detached' });
    assert.equal(await page.evaluate(() => document.activeElement?.className), 'cite');
    // Back in its list, as it was.
    const listed = page.locator(`.sources > [id="${id}"]`);
    assert.equal(await listed.getAttribute('popover'), null);
    assert.equal(await listed.getByRole('button').count(), 0);
  }));

test('a note opens at a tap on a phone, over it another, and printing puts both back', () =>
  visit(
    path,
    { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
    async (page) => {
      const cited = page.locator('.tickets > li:has(.inputs a[href^="#source-"])').first();
      const id = await cited.getAttribute('id');
      await page.locator(`main .fig[href="#${id}"]`).first().tap();
      await page.locator(`${OPEN} .inputs a`).tap();
      assert.equal(await page.locator(OPEN).count(), 2);
      const box = await page.locator(`${OPEN}:is(.sources > *)`).boundingBox();
      assert.ok(box && box.x >= 0 && box.width <= 390 && box.y + box.height <= 844);
      await page.locator(`${OPEN}:is(.sources > *)`).getByRole('button', { name: 'Close' }).tap();
      assert.equal(await page.locator(OPEN).getAttribute('id'), id);
      await page.pdf();
      await page.locator(OPEN).waitFor({ state: 'detached' });
      assert.ok(await cited.isVisible());
    },
  ));

test('without JavaScript a citation leads to the note of its source', () =>
  visit(path, { javaScriptEnabled: false, reducedMotion: 'reduce' }, async (page) => {
    const mark = page.locator('main .cite').first();
    await mark.click();
    const box = await page
      .locator(`[id="${(await mark.getAttribute('href'))?.slice(1)}"]`)
      .boundingBox();
    assert.ok(box && box.y >= 0 && box.y < 720);
  }));
