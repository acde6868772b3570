import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { DIST } from '../../src/build.ts';
import { articles, open, origin, visit } from './site.ts';

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
