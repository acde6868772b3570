import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { mine, other, verifyInBrowser, ways } from './ledger.ts';

after(() => {
  mine.remove();
  other.remove();
});

for (const { what, code, alter } of ways) {
  test(`in Chromium, ${what} is told as ${code}`, async () => {
    const { state, says } = await verifyInBrowser(alter);
    assert.equal(state, 'differs', says);
    assert.ok(says.includes(`[${code}]`), says);
  });
}
