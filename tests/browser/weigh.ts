/** Presses "weigh again" on every ticket of a page, and what must come of it where bytes were changed. */
import assert from 'node:assert/strict';
import { open } from './site.ts';
import { type Alter, flip, serveAltered } from './tampered.ts';

export const BUTTON = '.ticket[data-weigh] > button';
const BLOB = /^\/ledger\/blobs\//;

/** The lines of a file, each with its newline. */
const linesOf = (bytes: Uint8Array): Buffer[] =>
  (
    Buffer.from(bytes)
      .toString('latin1')
      .match(/[^\n]*\n/g) ?? []
  ).map((line) => Buffer.from(line, 'latin1'));

interface Pressed {
  id: string;
  state: string | undefined;
  says: string;
}

/** Each ticket's id, state and words once all buttons of a page were pressed. */
async function pressAll(path: string, alter: Alter): Promise<Pressed[]> {
  const served = await serveAltered(null, alter);
  try {
    return await open(`${served.home}${path}`, async (page) => {
      await page.locator(BUTTON).first().waitFor();
      await page.locator(BUTTON).evaluateAll((all) => {
        for (const one of all) (one as HTMLButtonElement).click();
      });
      await page.waitForFunction(
        (selector) =>
          [...document.querySelectorAll(selector)].every((one) =>
            ['equal', 'differs'].includes(
              (one.nextElementSibling as HTMLElement).dataset['state'] ?? '',
            ),
          ),
        BUTTON,
        { timeout: 120_000 }, // it counts every release anew, on whatever machine this is
      );
      return page.locator('.ticket[data-weigh]').evaluateAll((all) =>
        all.map((one) => ({
          id: one.id,
          state: (one.querySelector('.again') as HTMLElement).dataset['state'],
          says: one.querySelector('.again')?.textContent ?? '',
        })),
      );
    });
  } finally {
    await served.close();
  }
}

/** How many tickets were weighed again, every one of them to what the build shows. */
export async function allEqual(path: string): Promise<number> {
  const results = await pressAll(path, (_, bytes) => bytes);
  assert.deepEqual(
    results.filter(({ state }) => state !== 'equal'),
    [],
  );
  return results.length;
}

/** Each way of changing bytes under a page, and what its tickets must say of it. */
export const changes: Record<string, (path: string) => Promise<void>> = {
  'no ticket is equal once one bit of the payloads is changed, and each says why': async (path) => {
    const results = await pressAll(path, (at, bytes) =>
      bytes !== null && BLOB.test(at) ? flip(bytes, bytes.length * 4) : bytes,
    );
    assert.deepEqual(
      results.filter(({ state, says }) => state !== 'differs' || !says.includes('payload.altered')),
      [],
    );
  },
  'an altered entry is told apart from an altered payload': async (path) => {
    const results = await pressAll(path, (at, bytes) =>
      bytes !== null && at.startsWith('/ledger/entries/')
        ? Buffer.concat(linesOf(bytes).map((line) => flip(line, 200)))
        : bytes,
    );
    assert.deepEqual(
      results.filter(({ state, says }) => state !== 'differs' || !says.includes('entry.altered')),
      [],
    );
  },
  'a figure that the page states otherwise is not equal': async (path) => {
    const results = await pressAll(path, (at, bytes) =>
      bytes !== null && at === path
        ? Buffer.from(
            Buffer.from(bytes)
              .toString()
              .replace(/data-value="\d+/g, '$&9'),
          )
        : bytes,
    );
    assert.deepEqual(
      results.filter(({ state, says }) => state !== 'differs' || !says.includes('NOT equal')),
      [],
    );
  },
};
