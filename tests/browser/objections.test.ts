/** The form of objections on a built page, before a server that takes posts and one that takes none. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { DIST } from '../../src/build.ts';
import { mountIntake } from '../../src/intake/mount.ts';
import { type Serving, serve } from '../../src/serve.ts';
import { site } from '../../src/site.ts';
import { tabTo } from './keyboard.ts';
import { open, pages, visit } from './site.ts';

const page = pages.find((path) => path.includes('/claims/'))!;
let serving: Serving;
const dir = mkdtempSync(join(tmpdir(), 'weighbridge-objections-'));
before(async () => {
  serving = await serve(0, site.base);
  serving.open(DIST, (files) =>
    mountIntake(
      { dir, site, port: serving.port, document: (path) => files.document(path) },
      { INTAKE_PER_MINUTE: 'Infinity' },
    ),
  );
});
after(async () => {
  await serving.close();
  rmSync(dir, { recursive: true });
});
const url = () => `http://localhost:${serving.port}${site.base}${page}`;

test('an objection is sent from the page, shown as queued, and its receipt is kept and checked', () =>
  open(url(), async (at) => {
    await at.getByLabel('Your objection').fill('It is\u202e not so: <b>https://example.com/</b>');
    await at.getByLabel('called').fill('e\u0301');
    await at.getByLabel('What is wrong').selectOption('S3');
    await at.getByRole('button', { name: 'Object', exact: true }).click();
    const queued = at.locator('#queued');
    await queued.getByText('queued, not in the log').waitFor();
    const said = queued.locator('.said');
    assert.equal(await said.textContent(), 'It is\\u{202e} not so: <b>https://example.com/</b>');
    assert.equal(await queued.locator('a').count(), 0);
    await at.reload();
    await at.getByRole('button', { name: 'check the receipt' }).click();
    await at.getByText('The receipt holds: queued.').waitFor();
    await at.evaluate(() => {
      const kept = localStorage.getItem('weighbridge.receipts') ?? '';
      localStorage.setItem('weighbridge.receipts', kept.replace('not so', 'so'));
    });
    await at.reload();
    await at.getByRole('button', { name: 'check the receipt' }).click();
    await at.getByText('does NOT hold').waitFor();
  }));

test('an objection is written and sent by keys alone, and the receipt is on the screen', () =>
  open(
    url(),
    async (at) => {
      await at.locator('#main').focus();
      await tabTo(at, '#objection-form select', 60);
      await at.keyboard.press('ArrowDown');
      await tabTo(at, '[name=objection]', 1);
      await at.keyboard.type('By keys.');
      await tabTo(at, '[name=actor]', 2);
      await at.keyboard.type('a reader');
      assert.deepEqual(await tabTo(at, '#objection-form button', 1), ['button Object']);
      await at.keyboard.press('Enter');
      await at.locator('#queued').getByText('By keys.').waitFor();
      assert.ok(await at.locator('#receipts').isVisible());
    },
    { options: { reducedMotion: 'reduce' } },
  ));

test('without JavaScript the form is answered with a page that holds the receipt', () =>
  open(
    url(),
    async (at) => {
      await at.getByLabel('Your objection').fill('Nor is that.');
      await at.getByLabel('called').fill('a reader');
      await at.getByRole('button', { name: 'Object', exact: true }).click();
      await at.getByRole('heading', { name: 'Your objection was taken' }).waitFor();
      assert.match(
        (await at.locator('pre').last().textContent()) ?? '',
        /"commit": "[0-9a-f]{64}"/,
      );
    },
    { options: { javaScriptEnabled: false } },
  ));

test('a copy that takes no posts offers what would be sent, and says where to', () =>
  visit(page, {}, async (at) => {
    at.on('console', () => {});
    await at.getByLabel('Your objection').fill('Not so.');
    await at.getByLabel('called').fill('a reader');
    await at.getByRole('button', { name: 'Object', exact: true }).click();
    await at.getByText('takes no posts. Send this').waitFor();
    assert.match(
      (await at.locator('#receipts pre').textContent()) ?? '',
      /"objection": "Not so\."/,
    );
  }).catch((error: Error) => {
    // The refusal of the post itself is told in the console, and nothing else is.
    assert.match(error.message, /no complaint in the console/);
    assert.ok(error.message.includes('405'), error.message);
  }));
