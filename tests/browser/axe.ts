/** What axe finds on a page, at a phone's width and a desk's, in light and in dark. */
import assert from 'node:assert/strict';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright';

async function holds(page: Page, rules: readonly string[] | null): Promise<void> {
  const builder = new AxeBuilder({ page }).options({ resultTypes: ['violations'] });
  const { violations } = await (rules ? builder.withRules([...rules]) : builder).analyze();
  assert.deepEqual(
    violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`),
    [],
  );
}

type Way = readonly [width: number, colorScheme: 'light' | 'dark', rules: readonly string[] | null];

async function holdsIn(page: Page, ways: readonly Way[]): Promise<void> {
  for (const [width, colorScheme, rules] of ways) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    await holds(page, rules);
  }
}

const NARROW: Way = [390, 'light', null];
const WIDE: Way = [1440, 'dark', null];

/** Fails where axe has a complaint at a phone's width, in light. */
export const holdsNarrow = (page: Page): Promise<void> => holdsIn(page, [NARROW]);
/** The same at a desk's width, in dark. */
export const holdsWide = (page: Page): Promise<void> => holdsIn(page, [WIDE]);
/** The same in all four ways: of the other two only the contrast, which alone hangs on both. */
export const holdsForAll = (page: Page): Promise<void> =>
  holdsIn(page, [
    NARROW,
    [390, 'dark', ['color-contrast']],
    WIDE,
    [1440, 'light', ['color-contrast']],
  ]);

/**
 * Rows and tickets come of one template each: of a page's hundreds these are looked at, since axe
 * takes a minute for them all. `pages.deep.test.ts` looks at every one, on every page.
 */
const SAMPLE = 12;

/** Takes all but the first rows and tickets out of the page. */
export async function sample(page: Page): Promise<void> {
  await page.evaluate((size) => {
    for (const body of document.querySelectorAll('tbody, .tickets')) {
      for (const one of [...body.children].slice(size)) one.remove();
    }
  }, SAMPLE);
}
