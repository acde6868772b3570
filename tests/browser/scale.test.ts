/** `/weigh/` as a reader uses it: what is pasted is counted there, leaves nothing behind, and goes nowhere. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Page } from 'playwright';
import { DIST } from '../../src/build.ts';
import { o200k } from '../../src/measure/o200k.ts';
import { weigh } from '../../src/measure/weigh.ts';
import { origin, visit } from './site.ts';
import { reachesNoOther } from './worker.ts';

const PATH = '/weigh/';
const server = JSON.parse(readFileSync(`${DIST}/api/servers.json`, 'utf8')).servers[0] as {
  name: string;
  upfront_tokens: number;
};
const { tools: definitions } = JSON.parse(
  readFileSync(`${DIST}/api/servers/${server.name}.json`, 'utf8'),
) as { tools: { name: string; definition: string }[] };
const TOOLS = definitions.map(({ name, definition }) => {
  const { description, input_schema: inputSchema } = JSON.parse(definition);
  return { name, description, inputSchema };
});

/** Weighs what is in the field and gives what the page then says. */
async function pressed(page: Page, text: string): Promise<string> {
  await page.getByLabel('A tools/list result').fill(text);
  await page.getByRole('button', { name: 'Weigh', exact: true }).click();
  await page.locator('#weighed').waitFor();
  return (await page.locator('#scale-result').textContent()) ?? '';
}

test('a pasted list weighs what the command line makes of it, joins the budget, and comes back by the address', () =>
  visit(PATH, {}, async (page) => {
    const asked: string[] = [];
    page.on('request', (request) => asked.push(`${request.method()} ${request.url()}`));
    await page.getByLabel('Server’s name').fill('own');
    const said = await pressed(page, JSON.stringify({ tools: TOOLS }));
    const as = { shape: 'anthropic', server: 'own', tokenizer: o200k() } as const;
    const { tokens } = weigh(TOOLS, as);
    assert.ok(said.includes(tokens.total.toLocaleString('en')), said.slice(0, 200));
    assert.match(said, /What to cut first/);
    // Chromium asks for the icon anew when the address's fragment changes.
    const code = new RegExp(
      `^GET (?:blob:${origin()}/[\\w-]+|${origin()}/(?:_astro/[^?#]+\\.js|favicon\\.svg))$`,
    );
    assert.deepEqual(
      asked.filter((one) => !code.test(one)),
      [],
      'only what the page is made of is asked for',
    );
    await page.getByRole('checkbox', { name: server.name }).check();
    const sum = (tokens.total + server.upfront_tokens).toLocaleString('en');
    assert.equal(await page.locator('[data-out=tokens]').textContent(), sum);
    const chosen = page.url();
    assert.ok(chosen.includes(`own=${tokens.total},${tokens.name},own`), chosen);
    await page.goto('about:blank');
    await page.goto(chosen);
    assert.equal(await page.locator('[data-out=tokens]').textContent(), sum);
  }));

test('a command is offered for what it carries out, and for nothing else', () =>
  visit(PATH, {}, async (page) => {
    const schema = { type: 'object', properties: { title: { type: 'string', title: 'A title' } } };
    const tool = { name: 'alpha', inputSchema: { type: 'object' } };
    assert.doesNotMatch(await pressed(page, JSON.stringify({ tools: [tool] })), /--slim/);
    const unused = { ...tool, inputSchema: { type: 'object', $defs: { page: schema } } };
    assert.match(
      await pressed(page, JSON.stringify({ tools: [unused] })),
      /A command writes the first for you: npm run -s weigh -- --file tools\.json --slim/,
    );
    const options = page.locator('#scale-result code .whole');
    assert.deepEqual(await options.allTextContents(), ['-s', '--file', '--slim']);
  }));

test('what is wrong is pointed at, and a configuration is answered with the command, by keyboard alone', () =>
  visit(PATH, { viewport: { width: 320, height: 640 } }, async (page) => {
    const area = page.getByLabel('A tools/list result');
    await area.focus();
    await page.keyboard.insertText('[\n  {"name": }\n]');
    await page.keyboard.press('Control+Enter');
    await page.getByText('Line 2, column 12').waitFor();
    assert.equal(await page.evaluate(() => document.activeElement?.id), 'scale-result');
    await area.fill('{"mcpServers": {"<b>bold</b>": {"env": {"K": "hunter2"}}}}');
    await area.press('Control+Enter');
    const result = page.locator('#scale-result');
    await result.getByText('<b>bold</b>').waitFor();
    assert.equal(await result.locator('b').count(), 0);
    assert.match((await result.textContent()) ?? '', /weigh -- --config/);
    assert.doesNotMatch((await result.textContent()) ?? '', /hunter2/);
    const over = await page.evaluate(
      () => document.documentElement.scrollWidth - window.innerWidth,
    );
    assert.equal(over, 0);
  }));

test('the worker that reads what was pasted reaches no other origin', () =>
  reachesNoOther(PATH, /paste\.worker.*\.js$/, (page) =>
    pressed(page, JSON.stringify(TOOLS.slice(0, 1))),
  ));

/** The longest that the page may be busy at a time, as a share of the time it takes to be given 10 MB. */
const LONGEST = 0.25;

test('ten megabytes that are pasted do not hold up the page, which tells how far it is and can be stopped', () =>
  visit(PATH, {}, async (page) => {
    const one = JSON.stringify(TOOLS[0]);
    await page.evaluate(
      ({ one, copies }) => {
        const text = `[${Array.from({ length: copies }, () => one).join(',')}]`;
        const clipboardData = new DataTransfer();
        clipboardData.setData('text/plain', text);
        const began = performance.now();
        const gaps = { longest: 0, began };
        Object.assign(window, { gaps });
        let last = began;
        setInterval(() => {
          const now = performance.now();
          gaps.longest = Math.max(gaps.longest, now - last);
          last = now;
        }, 10);
        const paste = new ClipboardEvent('paste', { clipboardData, cancelable: true });
        document.querySelector('#paste')?.dispatchEvent(paste);
      },
      { one, copies: Math.ceil(10_000_000 / one.length) },
    );
    await page.getByText('too many to show here').waitFor();
    await page.waitForFunction(
      () => (document.querySelector<HTMLProgressElement>('#scale-progress')?.value ?? 0) > 0.05,
      undefined,
      { timeout: 60_000 },
    );
    // A share, since a busy machine makes both longer; a page that counts for itself has 1.
    const share = await page.evaluate(() => {
      const { gaps } = window as unknown as { gaps: { longest: number; began: number } };
      return gaps.longest / (performance.now() - gaps.began);
    });
    console.log(`the page was never busy for longer than ${share.toFixed(3)} of the time`);
    assert.ok(share < LONGEST, `busy for ${share} of the time`);
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('Stopped.').waitFor();
  }));
