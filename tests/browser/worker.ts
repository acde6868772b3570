/** A page's worker with a line put before its code that asks another origin: the page's policy has to hold it back. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright';
import { open } from './site.ts';
import { serveAltered } from './tampered.ts';

/** `use` does what starts the worker whose script `name` matches; one loaded by its URL, under no page's policy, is heard. */
export async function reachesNoOther(
  path: string,
  name: RegExp,
  use: (page: Page) => Promise<unknown>,
): Promise<void> {
  const heard: string[] = [];
  const foreign = createServer((request, response) => {
    heard.push(request.url ?? '');
    response.writeHead(200, { 'access-control-allow-origin': '*' }).end();
  });
  await new Promise<void>((resolve) => foreign.listen(0, '127.0.0.1', resolve));
  const spy = `http://127.0.0.1:${(foreign.address() as AddressInfo).port}`;
  let worker = '';
  const served = await serveAltered(null, (at, bytes) => {
    if (bytes === null || !name.test(at)) return bytes;
    worker = at;
    return Buffer.from(
      `fetch(${JSON.stringify(spy)} + '/' + self.name).catch(() => {});\n${Buffer.from(bytes)}`,
    );
  });
  try {
    await open(
      `${served.home}${path}`,
      async (page) => {
        await use(page);
        assert.deepEqual(heard, [], 'the page’s policy holds in the worker');
        await page.evaluate((url) => {
          new Worker(url, { type: 'module', name: 'by-url' });
        }, `${served.home}${worker}`);
        for (let waited = 0; waited < 50 && heard.length === 0; waited++)
          await page.waitForTimeout(100);
        assert.deepEqual(heard, ['/by-url'], 'the listener hears what no policy holds back');
      },
      { complaints: true },
    );
  } finally {
    await served.close();
    foreign.closeAllConnections();
    foreign.close();
  }
}
