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

/**
 * Fails where axe has a complaint. Every rule is asked at both widths and in both themes; of the
 * other two of the four ways only the contrast, which alone hangs on both.
 */
export async function holdsForAll(page: Page): Promise<void> {
  for (const [width, colorScheme, rules] of [
    [390, 'light', null],
    [390, 'dark', ['color-contrast']],
    [1440, 'dark', null],
    [1440, 'light', ['color-contrast']],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    await holds(page, rules);
  }
}
