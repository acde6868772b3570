import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, test } from 'node:test';
import { Problem } from '../../src/problem.ts';
import type { Job } from '../../src/wire/clients.ts';
import { isolation } from '../../src/wire/enclosure.ts';
import { ClientRun, type RunOptions, runClient } from '../../src/wire/run.ts';
import { count } from '../wire/capture.ts';

const places = mkdtempSync(join(tmpdir(), 'wire-'));
after(() => rmSync(places, { recursive: true }));

/** Without namespaces (another system) the rest still has to hold. */
const isolations = [...new Set([isolation(), 'proxy'] as const)];

const OPTIONS: RunOptions = {
  cacheDir: places,
  run: '2026-01-01T00:00:00.000Z',
  timeoutMs: 20_000,
  count,
  isolation: 'proxy',
  servers: [],
  slot: 0,
  places,
  // What stands in for a package is the tests folder itself.
  install: async ({ name, version }) => ({
    ...{ name, version, integrity: null, licence: null },
    dir: resolve(import.meta.dirname, '..', name),
    bin: () => '',
  }),
};

function job(act: string, ...args: string[]): Job {
  const variant = {
    ...{ name: 'baseline', env: {}, synthetic: 3, always_load: false },
    args: ['--act', act, ...args],
  };
  const client = {
    ...{ name: 'claude-code' as const, package: 'clients', versions: ['9.9.9'], licence: 'MIT' },
    executable: 'clients/stand-in.ts',
    variants: [variant],
  };
  return { client, version: '9.9.9', variant, servers: [] };
}

async function run(act: string, options: Partial<RunOptions> = {}, ...args: string[]) {
  const done = ClientRun.parse(await runClient(job(act, ...args), { ...OPTIONS, ...options }));
  assert.equal(existsSync(join(places, 'wire-0')), false, 'the place is removed');
  return done;
}

for (const isolation of isolations) {
  test(`a turn is captured, with nothing of this machine in it (${isolation})`, async () => {
    const done = await run('ok', { isolation });
    assert.equal(done.outcome, 'captured', done.failure?.said);
    assert.deepEqual(done.request?.client, { name: 'claude-code', version: '9.9.9' });
    assert.deepEqual(
      done.request?.tool_list.map(({ name }) => name),
      ['mcp__synthetic__read'],
    );
    assert.deepEqual([done.missing_servers, done.outside, done.ended?.code], [[], [], 0]);
    assert.deepEqual(done.recipe.servers, ['synthetic@3']);
    const text = JSON.stringify(done);
    assert.doesNotMatch(text, /CANARY/);
    assert.equal(text.includes(process.cwd()), false);
  });

  test(`a client that hangs is ended, and said to hang (${isolation})`, async () => {
    const done = await run('hang', { isolation, timeoutMs: 1500 });
    assert.equal(done.failure?.code, 'client.hung');
    assert.ok((done.ended?.elapsed_ms ?? 0) >= 1500 && (done.ended?.elapsed_ms ?? 0) < 10_000);
  });

  test(`what it tried to reach elsewhere is noted and refused (${isolation})`, async () => {
    const done = await run('roam', { isolation });
    assert.deepEqual([done.outcome, done.outside], ['captured', ['telemetry.example:443']]);
  });
}

test("a process that left the client's group dies with it where namespaces are to be had", async () => {
  const [best = 'proxy'] = isolations;
  const mark = `left-${process.pid}`;
  const done = await run('leave', { isolation: best }, '--mark', mark);
  assert.equal(done.outcome, 'captured');
  const left = execFileSync('ps', ['-eo', 'pid,args'])
    .toString()
    .split('\n')
    .filter((line) => line.includes(mark) && line.includes('setTimeout'))
    .map((line) => Number.parseInt(line, 10));
  for (const pid of left) process.kill(pid, 'SIGKILL');
  assert.equal(left.length, best === 'namespace' ? 0 : 1);
});

test('a crash is recorded without the path or the secret that it printed', async () => {
  const { failure, ended } = await run('crash');
  assert.equal(failure?.code, 'client.crashed');
  assert.equal(ended?.code, 3);
  assert.match(failure?.said ?? '', /Error at <path>: token <token>/);
});

test('a client that asks for a login, and one that says nothing, are told apart', async () => {
  assert.equal((await run('login')).failure?.code, 'client.login');
  assert.equal((await run('silent')).failure?.code, 'client.silent');
});

test('a server none of whose tools is in the request is named as missing', async () => {
  const done = await run('ok', {}, '--forget');
  assert.deepEqual([done.outcome, done.missing_servers], ['captured', ['synthetic']]);
});

test('a client that cannot be installed is a failed run that says why', async () => {
  const install = async () => {
    throw new Problem('package.no-version', 'no such version', { mend: 'Look.' });
  };
  const done = await run('ok', { install });
  assert.deepEqual([done.outcome, done.failure?.code], ['failed', 'package.no-version']);
  assert.equal(done.ended, null);
});

test('an executable that is not there is a failed run', async () => {
  const wanted = job('ok');
  const client = { ...wanted.client, executable: 'clients/no-such-file' };
  const done = await runClient({ ...wanted, client }, OPTIONS);
  assert.equal(done.failure?.code, 'client.not-started');
});

test('an interrupted run ends its client and is not recorded', async () => {
  const abort = new AbortController();
  const running = run('hang', { signal: abort.signal });
  setTimeout(() => abort.abort(), 500);
  await assert.rejects(running, { code: 'run.aborted' });
});
