/** Numbers that no budget can rest on: what is wanted is said, and nothing is worked out from them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { articles, htmlOf, visit } from './site.ts';

const BAD = ['1e308', '-1', '0', '', '1.5'];

test('the budget says what a field wants, and is worked out again once it has it', () =>
  visit('/weigh/', {}, async (page) => {
    const out = (name: string) => page.locator(`[data-out=${name}]`);
    await page.locator('input[name=s]').first().check();
    const before = await out('how').textContent();
    assert.match(before ?? '', /^1 server, upfront: [\d,]+ tokens in each of 2,000 requests, /);
    for (const [name, label] of [
      ['window', 'Window, tokens'],
      ['turns', 'Requests a session'],
      ['sessions', 'Sessions a month'],
    ] as const) {
      const field = page.locator(`form input[name=${name}]`);
      const good = await field.inputValue();
      const address = page.url();
      for (const bad of BAD) {
        await field.fill(bad);
        await field.blur();
        assert.equal(
          await out('how').textContent(),
          `${label}: a whole number from 1 to 1,000,000,000.`,
          `${name} ${bad}`,
        );
        assert.equal(await out('tokens').textContent(), '–');
        assert.equal(await field.getAttribute('aria-invalid'), 'true');
        assert.equal(page.url(), address);
      }
      await field.fill(good);
      assert.equal(await out('how').textContent(), before);
      assert.equal(await field.getAttribute('aria-invalid'), null);
    }
    const price = page.locator('form input[name=write]');
    await price.fill('-1');
    assert.equal(
      await out('how').textContent(),
      'First request: a number from 0 to 1,000,000,000.',
    );
    // Without a price there is no sum of money, and all else is as it was.
    await price.fill('');
    assert.equal(await out('month').textContent(), '–');
    assert.notEqual(await out('tokens').textContent(), '–');
    for (const name of ['turns', 'sessions']) await page.locator(`input[name=${name}]`).fill('1');
    assert.match((await out('how').textContent()) ?? '', / in each of 1 request, /);
  }));

test('a sum of one’s own turns says what a field wants', () => {
  const path = articles.find((one) => htmlOf(one).includes('<form class="sum"'));
  assert.ok(path !== undefined, 'no article has a sum');
  return visit(path, {}, async (page) => {
    const form = page.locator('form.sum').first();
    const first = form.locator('li span').first();
    const before = await first.textContent();
    const turns = form.locator('input[name=turns]');
    for (const bad of BAD) {
      await turns.fill(bad);
      assert.equal(
        await form.locator('p').textContent(),
        'Turns a day: a whole number from 1 to 1,000,000,000.',
      );
      assert.equal(await first.textContent(), '–');
    }
    await turns.fill('200');
    assert.equal(await first.textContent(), before);
    assert.equal(await form.locator('p').isVisible(), false);
  });
});
