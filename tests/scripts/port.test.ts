/** Ports that no machine has, and what the edge is told to ask nobody. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { edgeArguments } from '../../src/intake/edge/run.ts';

const root = join(import.meta.dirname, '../..');

test('a port that there can’t be is a wrong use, and the range is told', () => {
  for (const [script, least] of [
    ['edge', 1],
    ['dev', 0],
    ['start', 0],
  ] as const) {
    for (const port of ['99999', '65536', '8o', '1e3', '', '-1']) {
      const command = [join(root, `scripts/${script}.ts`), `--port=${port}`];
      const { status, stderr } = spawnSync(process.execPath, command, {
        cwd: root,
        encoding: 'utf8',
      });
      assert.equal(status, 2, `${script} ${port}: ${stderr}`);
      const told = `a port is a number from ${least} to 65535, not ${port}\n`;
      assert.equal(stderr.slice(0, told.length), told);
    }
  }
});

test('the edge on this machine asks no other one', () => {
  const { env } = edgeArguments({ port: 1, state: 's', assets: 'a', vars: {} });
  assert.deepEqual(env, {
    ...{ WRANGLER_SEND_METRICS: 'false', WRANGLER_LOG_PATH: 's', CI: '1' },
    ...{ WRANGLER_HIDE_BANNER: 'true', CLOUDFLARE_CF_FETCH_ENABLED: 'false' },
  });
});
