/** An objection from the form to its answer, as a reader sees it, over a copy of this site and its ledger. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Page } from 'playwright';
import { mountIntake, queueDir } from '../../src/intake/mount.ts';
import { formatSkey } from '../../src/ledger/note.ts';
import { serve } from '../../src/serve.ts';
import { site } from '../../src/site.ts';
import { checkout, node } from '../checkout.ts';
import { SKEY } from '../intake/contract.ts';
import { open, pages } from './site.ts';

const path = pages.find((one) => one.includes('/claims/'))!;
const claim = path.split('/').at(-2)!;
const ANSWER = 'The count has names <now>.';

async function object(page: Page, words: string): Promise<void> {
  await page.getByLabel('Your objection').fill(words);
  await page.getByLabel('called').fill('a reader');
  await page.getByRole('button', { name: 'Object', exact: true }).click();
}

async function checked(page: Page): Promise<string> {
  await page.reload();
  await page.getByRole('button', { name: 'check the receipt' }).click();
  const verdict = page.locator('.kept[data-state] > p');
  await verdict.waitFor();
  return (await verdict.textContent()) ?? '';
}

test('what is posted with a script and without is queued, taken in and answered, and its receipt holds all the while', async (t) => {
  const root = checkout((remove) => t.after(remove));
  const key = join(root, 'intake.key');
  writeFileSync(key, formatSkey(SKEY));
  const run = async (...args: string[]): Promise<string> => {
    const { code, output } = await node(root, args);
    assert.equal(code, 0, output);
    return output;
  };
  const start = async (port: number) => {
    await run('scripts/build.ts');
    const serving = await serve(port, site.base);
    serving.open(join(root, 'dist'), (files) =>
      mountIntake(
        {
          ...{ dir: queueDir(root), site, port: serving.port },
          document: (path) => files.document(path),
        },
        { INTAKE_KEY_FILE: key },
      ),
    );
    return serving;
  };
  let serving = await start(0);
  t.after(() => serving.close());
  const url = `http://localhost:${serving.port}${site.base}${path}`;
  // For what is no page of the site, a browser asks for an icon that is not there, and complains.
  const plain = { options: { javaScriptEnabled: false }, complaints: true };

  const { id, state } = await open(
    url,
    async (page) => {
      await object(page, 'Nor is that, without a script.');
      await page.getByRole('heading', { name: 'Your objection was taken' }).waitFor();
      const receipt = JSON.parse((await page.locator('pre').last().textContent()) ?? '') as {
        id: string;
        signature: string;
      };
      assert.match(receipt.signature, /^— /);
      await page.getByRole('link').click();
      assert.match((await page.textContent('body')) ?? '', /"status": "queued"/);
      return { id: receipt.id, state: page.url() };
    },
    plain,
  );

  await open(url, async (page) => {
    await object(page, 'It is not so.');
    await page.locator('#queued').getByText('It is not so.').waitFor();
    assert.match(await checked(page), /^The receipt holds: queued\. Signed/);
    const own = await page.evaluate(() => {
      const [held] = JSON.parse(localStorage.getItem('weighbridge.receipts') ?? '[]');
      return held.receipt.id as string;
    });

    assert.match(await run('scripts/accept.ts'), /It is not so\./);
    // Either end of an id names it.
    assert.match(
      await run('scripts/accept.ts', own.slice(-8), id),
      /accepted: entry #\d+\n.*accepted/,
    );
    assert.match(await checked(page), /^The receipt holds: accepted, entry #\d+\./);
    await run('scripts/resolve.ts', own, '--with', ANSWER, '--claim', claim);
    await run('scripts/resolve.ts', id, '--with', 'It stands.');
    await run('scripts/verify.ts');

    const { port } = serving;
    await serving.close();
    serving = await start(port);
    assert.match(await checked(page), /^The receipt holds: resolved, entry #\d+\./);
    const answered = page.locator(`#objection-${own}`);
    assert.equal(await answered.locator('.said').textContent(), 'It is not so.');
    const text = (await answered.textContent()) ?? '';
    assert.ok(text.includes(`answers with claim ${claim}: ${ANSWER}`), text);
    assert.equal(await page.locator('#queued').textContent(), '');
  });

  await open(
    url,
    async (page) => {
      const answered = page.locator(`#objection-${id}`);
      assert.match(
        (await answered.textContent()) ?? '',
        /without a script\..*answers: It stands\./s,
      );
      await page.goto(state);
      assert.match((await page.textContent('body')) ?? '', /"status": "resolved"/);
    },
    plain,
  );
});
