import assert from 'node:assert/strict';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { probeStdio } from '../../src/probe/stdio.ts';

const script = fileURLToPath(new URL('../../src/wire/synthetic-server.ts', import.meta.url));

test('it lists as many tools as it is told to, the same ones each time', async () => {
  const { pages, sameBytes } = await probeStdio({
    command: process.execPath,
    args: [script, '--tools', '200'],
    env: { PATH: dirname(process.execPath) },
    cwd: dirname(script),
    timeoutMs: 20_000,
  });
  const { result } = JSON.parse(Buffer.concat(pages).toString()) as {
    result: { tools: { name: string }[] };
  };
  assert.equal(new Set(result.tools.map(({ name }) => name)).size, 200);
  assert.equal(sameBytes, true);
});
