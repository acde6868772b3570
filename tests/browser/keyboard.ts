/** Going through a page by keyboard as a reader does who has no mouse, and seeing where one is. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright';

interface Stop {
  /** Its role by its element, and what it is called: `a Servers`. */
  what: string;
  found: boolean;
  /** What keeps a reader from seeing where the focus is; '' for nothing. */
  fault: string;
}

/** What has the focus, and whether it can be seen there; `wanted` is a selector. */
const stopped = (page: Page, wanted: string): Promise<Stop> =>
  page.evaluate((selector) => {
    const at = document.activeElement ?? document.body;
    const { top, bottom, left, right, width, height } = at.getBoundingClientRect();
    const { outlineStyle, outlineWidth } = getComputedStyle(at);
    const off = bottom <= 0 || top >= innerHeight || right <= 0 || left >= innerWidth;
    const faults = [
      (width === 0 || height === 0) && 'it has no size',
      off && 'it is not on the screen',
      (outlineStyle === 'none' || outlineWidth === '0px') && 'nothing marks it',
    ];
    const label = at.getAttribute('aria-label') ?? at.textContent?.trim().slice(0, 40) ?? '';
    return {
      what: `${at.tagName.toLowerCase()} ${label}`,
      found: at.matches(selector),
      fault: faults.filter(Boolean).join(', '),
    };
  }, wanted);

/**
 * Presses Tab until what `selector` names has the focus. Gives the stops on the way, that one
 * included; fails where one of them can't be seen, or after `most`.
 */
export async function tabTo(page: Page, selector: string, most = 40): Promise<string[]> {
  const stops: string[] = [];
  while (stops.length < most) {
    await page.keyboard.press('Tab');
    const { what, found, fault } = await stopped(page, selector);
    stops.push(what);
    assert.equal(fault, '', `${what}: ${fault}`);
    if (found) return stops;
  }
  assert.fail(`${selector} is not reached within ${most} stops: ${stops.join('; ')}`);
}
