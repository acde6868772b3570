import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { installPackage } from '../../src/packages/install.ts';
import { discoverHttp } from '../../src/probe/discover.ts';
import { probeHttp } from '../../src/probe/http.ts';
import { probeStdio } from '../../src/probe/stdio.ts';
import { unlessOffline } from '../offline.ts';

const PACKAGE = { name: '@modelcontextprotocol/server-everything', version: '2026.8.31' };

/** A port that was free a moment ago; the server takes none of its own choice. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  assert.ok(typeof address === 'object' && address !== null);
  return address.port;
}

test('server-everything lists the same tools over HTTP as over stdio', async (t) => {
  const installed = await unlessOffline(t, () =>
    installPackage({ ...PACKAGE, cacheDir: '.cache/npm' }),
  );
  if (installed === null) return;
  const home = mkdtempSync(join(tmpdir(), 'everything-'));
  const env = { PATH: dirname(process.execPath), HOME: home };
  const port = await freePort();
  const child = spawn(process.execPath, [installed.bin(), 'streamableHttp'], {
    cwd: home,
    env: { ...env, PORT: `${port}` },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  t.after(async () => {
    child.kill();
    await once(child, 'exit');
    rmSync(home, { recursive: true });
  });
  let said = '';
  for await (const chunk of child.stderr.iterator({ destroyOnReturn: false })) {
    said += chunk;
    if (said.includes('listening on port')) break;
  }
  child.stderr.resume();

  const url = `http://127.0.0.1:${port}/mcp`;
  const timeoutMs = 60_000;
  const got = await probeHttp({ url, timeoutMs });
  const args = [installed.bin()];
  const stdio = await probeStdio({ command: process.execPath, args, env, cwd: home, timeoutMs });
  // The very bytes: one transport is as good as the other for weighing.
  assert.deepEqual(
    got.pages.map((page) => Buffer.from(page).toString()),
    stdio.pages.map((page) => Buffer.from(page).toString()),
  );
  assert.equal(got.tools.length, 13);
  assert.deepEqual([got.sameBytes, got.sameOrder, got.warnings], [true, true, []]);

  const later = await discoverHttp({ url, timeoutMs });
  assert.ok(later.outcome === 'refused' && later.how === 'error' && later.code === -32000);
});
