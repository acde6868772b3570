/** Whether all of a page's text can be read at the width that it has now. */
import type { Page } from 'playwright';

/** How much wider the page is than its window, and the texts of which a part is cut off or out of reach. */
export const misfits = (page: Page): Promise<{ over: number; cut: string[] }> =>
  page.evaluate(() => {
    const cut: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const holder = node.parentElement;
      const text = node.textContent?.trim() ?? '';
      if (text === '' || !holder?.checkVisibility({ visibilityProperty: true })) continue;
      // Out of sight until it has the focus, which the tests of the keyboard look at.
      if (holder.closest('.skip, option')) continue;
      range.selectNodeContents(node);
      const { left, right, top, bottom } = range.getBoundingClientRect();
      let fits = left >= -1 && right <= innerWidth + 1;
      for (let at: Element | null = holder; at !== null; at = at.parentElement) {
        const { overflowX, overflowY } = getComputedStyle(at);
        const box = at.getBoundingClientRect();
        const within = left >= box.left - 1 && right <= box.right + 1;
        // What scrolls by itself is reached; what hides is not.
        if (overflowX === 'auto' || overflowX === 'scroll') {
          fits = true;
          break;
        }
        if ((overflowX === 'hidden' || overflowX === 'clip') && !within) fits = false;
        const tall = top < box.top - 1 || bottom > box.bottom + 1;
        if ((overflowY === 'hidden' || overflowY === 'clip') && tall) fits = false;
      }
      if (!fits) cut.push(text.slice(0, 60));
    }
    return { over: document.documentElement.scrollWidth - innerWidth, cut };
  });
