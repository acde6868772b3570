import assert from 'node:assert/strict';
import { test } from 'node:test';
import { open, recounted } from './site.ts';
import { serveAltered } from './tampered.ts';
import { allEqual, BUTTON, changes } from './weigh.ts';
import { reachesNoOther } from './worker.ts';

for (const path of recounted) {
  test(`${path}: each ticket over stored payloads, weighed again, equals what the build shows`, async () => {
    const tickets = await allEqual(path);
    assert.ok(tickets > 0);
    console.log(`${path}: ${tickets} tickets weighed again, all equal`);
  });
}

// One article stands for the others here; weigh.deep.test.ts looks at every one.
for (const path of recounted.slice(0, 1)) {
  for (const [what, check] of Object.entries(changes)) {
    test(`${path}: ${what}`, () => check(path));
  }

  test(`${path}: the worker reaches no other origin, where one loaded by its URL would`, () =>
    reachesNoOther(path, /weigh\.worker.*\.js$/, async (page) => {
      await page.locator(BUTTON).first().click();
      await page.locator('.again[data-state="equal"]').first().waitFor();
    }));

  test(`${path}: the script that every reader loads is under 10 kB, the worker under 40 kB, gzipped`, async () => {
    const sizes = await scripts(path);
    console.log(`${path}: ${JSON.stringify(sizes)}`);
    assert.ok(sizes.page < 10_000, `page ${sizes.page}`);
    assert.ok(sizes.worker < 40_000, `worker ${sizes.worker}`);
  });
}

/** Gzipped bytes of the scripts loaded at once, and of those that a press loads but for the tokenizer. */
async function scripts(path: string): Promise<{ page: number; worker: number; tokenizer: number }> {
  const { gzipSync } = await import('node:zlib');
  const sizes = { page: 0, worker: 0, tokenizer: 0 };
  let pressed = false;
  const served = await serveAltered(null, (at, bytes) => {
    if (bytes !== null && at.endsWith('.js')) {
      const which = pressed ? (/o200k/.test(at) ? 'tokenizer' : 'worker') : 'page';
      sizes[which] += gzipSync(bytes).length;
    }
    return bytes;
  });
  try {
    await open(`${served.home}${path}`, async (page) => {
      await page.locator(BUTTON).first().waitFor();
      pressed = true;
      await page.locator(BUTTON).evaluateAll((all) => {
        for (const one of all) (one as HTMLButtonElement).click();
      });
      await page.locator(`${BUTTON} + .again[data-state="equal"]`).last().waitFor();
    });
  } finally {
    await served.close();
  }
  return sizes;
}
