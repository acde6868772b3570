import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseReleases } from '../../src/articles/servers.ts';
import { readInbox } from '../../src/disk/inbox.ts';
import { openLedger } from '../../src/disk/ledger.ts';
import { withLock } from '../../src/disk/lock.ts';
import { captureKey } from '../../src/ledger/fold.ts';
import { parseTally } from '../../src/measure/counts.ts';
import { ownFolder } from '../../src/probe/place.ts';
import { captureAll } from '../../src/probe/refresh.ts';
import { type House, makeHouse } from './house.ts';

const SCRIPT = join(import.meta.dirname, '../../scripts/refresh.ts');
const RUN = '2026-11-30T00:00:00.000Z';

function start({ root, places }: House, args: string[], env: NodeJS.ProcessEnv = {}) {
  const child = spawn(process.execPath, [SCRIPT, ...args], {
    cwd: root,
    env: {
      PATH: process.env['PATH'],
      HOME: root,
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      WEIGHBRIDGE_PLACES: places,
      ...env,
    },
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      said += chunk;
    });
  }
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  return { child, ended, said: () => said };
}

async function refresh(house: House, args: string[] = [], env: NodeJS.ProcessEnv = {}) {
  const run = start(house, args, env);
  return { code: await run.ended, said: run.said() };
}

/** Outcomes in the order of the ledger. */
const recorded = (house: House) =>
  openLedger(house.ledger).entries.flatMap(({ entry }) =>
    entry.type === 'capture.add' && entry.body.kind === 'tools_list'
      ? [`${entry.body.server} ${entry.body.outcome}`]
      : [],
  );
const left = (house: House) => readdirSync(house.places).filter((name) => !name.startsWith('.'));

/** Processes that hold the folder's path in their command line, zombies left out. */
function processesOf(house: House): string[] {
  const { stdout } = spawnSync('ps', ['-eo', 'stat=,args='], { encoding: 'utf8' });
  return stdout.split('\n').filter((line) => line.includes(house.root) && !/^Z/.test(line));
}

test('what came is recorded in the order of the file; the same again is unchanged, and a failure is evidence', async () => {
  const house = makeHouse({ 'three-pages': [], 'exits-early': [], good: [] });
  const first = await refresh(house);
  assert.equal(first.code, 0, first.said);
  assert.deepEqual(recorded(house), [
    'three-pages captured',
    'exits-early failed',
    'good captured',
  ]);
  assert.match(
    first.said,
    /captured: \d+ \(three-pages@1.0.0, good@1.0.0[^)]*\)\nunchanged: 0\nfailed: \d/,
  );
  assert.match(first.said, /exits-early@1.0.0 said:\nError: NO_TOKEN is not set/);
  assert.ok(!first.said.includes('\x1b'), 'control characters outside of a terminal');

  const second = await refresh(house, ['--jobs', '1', '--only', 'good', 'three-pages']);
  assert.equal(second.code, 0, second.said);
  assert.deepEqual(recorded(house).slice(3), ['three-pages unchanged', 'good unchanged']);
  const ledger = openLedger(house.ledger);
  const body = ledger.fold.captures.get('good@1.0.0')?.latest.entry.body;
  assert.ok(body !== undefined && 'blob' in body && body.blob !== null);
  assert.ok(ledger.blob(body.blob.sha256).length > 0);
  assert.deepEqual(left(house), []);
});

/** Releases in the order of the ledger. */
const releases = (house: House) =>
  openLedger(house.ledger).entries.flatMap(({ entry }) =>
    entry.type === 'capture.add' && entry.body.kind === 'tools_list'
      ? [`${entry.body.server}@${entry.body.package.version}`]
      : [],
  );

test('every release is weighed in the order of the file, or the current ones, or those asked for', async () => {
  const house = makeHouse({ good: [], crlf: [] }, ['0.1.0', '0.2.0']);
  const only = async (...args: string[]) => {
    const before = releases(house).length;
    const { code, said } = await refresh(house, args);
    assert.equal(code, 0, said);
    return releases(house).slice(before);
  };
  const good = ['good@0.1.0', 'good@0.2.0', 'good@1.0.0'];
  const crlf = ['crlf@0.1.0', 'crlf@0.2.0', 'crlf@1.0.0'];
  assert.deepEqual(await only('--jobs', '3'), [...good, ...crlf]);
  assert.deepEqual(await only('--current'), ['good@1.0.0', 'crlf@1.0.0']);
  assert.deepEqual(await only('--only', 'crlf@0.2.0', 'good'), [...good, 'crlf@0.2.0']);
  assert.deepEqual(await only('--current', '--only', 'crlf'), ['crlf@1.0.0']);
  assert.deepEqual(left(house), []);
});

test('a dry run weighs and writes nothing', async () => {
  const house = makeHouse({ good: [] });
  const { code, said } = await refresh(house, ['--dry-run']);
  assert.equal(code, 0, said);
  assert.match(said, /captured: \d \(good@1.0.0[^)]*\)[\s\S]*would have recorded 2/);
  assert.deepEqual(readdirSync(house.ledger), ['origin']);
});

test('captures are left in the inbox with a report that can be posted, and no entry is given a number', async () => {
  const house = makeHouse({ good: [], 'exits-early': [] });
  const run = start(house, ['--inbox', '--report']);
  let report = '';
  run.child.stdout.on('data', (chunk) => {
    report += chunk;
  });
  assert.equal(await run.ended, 0, run.said());
  assert.deepEqual(recorded(house), []);
  assert.deepEqual(
    readInbox(house.ledger).map(({ body }) => `${body.server} ${body.outcome}`),
    ['exits-early failed', 'good captured'],
  );
  assert.match(
    report,
    /^# What the refresh of \d{4}-\d\d-\d\d brings\n\n2 releases asked: 1 with another list, 0 unchanged, 1 failed\.\n/,
  );
  assert.match(report, /- \*\*good@1\.0\.0\*\* is new: \d+ tools?, \d+ tokens\n[\s\S]*said\.\n$/);
  assert.equal((await refresh(house, ['--inbox', '--dry-run'])).code, 2);
});

test('when every server fails it is recorded and the exit code says so', async () => {
  const house = makeHouse({ 'never-lists': [] });
  const { code, said } = await refresh(house, ['--timeout', '1']);
  assert.equal(code, 1, said);
  assert.deepEqual(recorded(house), ['never-lists failed']);
});

test('without network and cache nothing is recorded of that server, the rest is, and it says what to do', async () => {
  const house = makeHouse({ good: [], 'three-pages': [] });
  const [good, other] = house.servers.map(({ pins: _, ...server }) => server);
  const yaml = JSON.stringify([good, { ...other, name: 'uncached', version: '2.0.0' }]);
  writeFileSync(join(house.root, 'content/servers.yaml'), yaml);
  const offline = { npm_config_registry: 'http://127.0.0.1:9', npm_config_fetch_retries: '0' };
  const { code, said } = await refresh(house, [], offline);
  assert.equal(code, 1, said);
  assert.match(said, /\[package\.offline\]\n {2}Go online once/);
  assert.match(said, /1 not recorded: that says nothing about a server/);
  assert.deepEqual(recorded(house), ['good captured']);
});

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  test(`${signal} in the middle records nothing and leaves no process and no file`, async () => {
    const house = makeHouse({ good: [], 'will-not-leave': [], 'never-lists': [] });
    const run = start(house, ['--jobs', '3']);
    await until(
      () =>
        existsSync(join(house.places, 'never-lists/work')) &&
        /^good@1.0.0 .*2 tools/m.test(run.said()),
      run.child,
    );
    run.child.kill(signal);
    assert.equal(await run.ended, 130, run.said());
    assert.match(run.said(), /Interrupted: nothing was recorded, and no server is left running/);
    assert.deepEqual(readdirSync(house.ledger), ['origin']);
    assert.deepEqual(left(house), []);
    assert.deepEqual(processesOf(house), []);
  });
}

async function until(happened: () => boolean, child: ChildProcess): Promise<void> {
  while (!happened()) {
    assert.equal(child.exitCode, null, 'it ended before its time');
    await sleep(20);
  }
}

test('two refreshes on one machine do not meet: the second says who is there', async () => {
  const house = makeHouse({ good: [] });
  await ownFolder(house.places);
  await withLock(join(house.places, '.lock'), 'weighing servers on this machine', async () => {
    const { code, said } = await refresh(house);
    assert.equal(code, 1);
    assert.match(said, new RegExp(`process ${process.pid} is weighing servers on this machine`));
  });
});

test('no more servers than jobs run at once, and attempts keep the order of the file', async () => {
  const house = makeHouse({ 'three-pages': [], good: [], crlf: [], 'older-protocol': [] });
  let running = 0;
  let most = 0;
  const attempts = await captureAll(house.servers, {
    ...house,
    run: RUN,
    timeoutMs: 20_000,
    jobs: 2,
    onStage: (_, stage) => {
      if (stage === 'starting') most = Math.max(most, ++running);
    },
    onAttempt: () => running--,
  });
  assert.equal(most, 2);
  assert.deepEqual(
    attempts.map(({ server }) => server.name),
    ['three-pages', 'good', 'crlf', 'older-protocol'],
  );
});

test('releases of one server are asked one after the other, while another server is asked', async () => {
  const house = makeHouse({ good: [], 'three-pages': [] }, ['0.1.0', '0.2.0']);
  const asked: string[] = [];
  const met = new Set<string>();
  const attempts = await captureAll(
    parseReleases(readFileSync(join(house.root, 'content/servers.yaml'), 'utf8')),
    {
      ...house,
      run: RUN,
      timeoutMs: 20_000,
      jobs: 2,
      onStage: (release, stage) => {
        if (stage !== 'starting') return;
        for (const other of asked) met.add([name(other), name(release)].sort().join(' '));
        asked.push(release);
      },
      onAttempt: ({ server }) =>
        asked.splice(asked.indexOf(captureKey(server.name, server.version)), 1),
    },
  );
  assert.deepEqual([...met], ['good three-pages']);
  assert.equal(attempts.length, 6);
});
const name = (release: string) => release.split('@')[0];

test('what was typed wrong is told, with how to type it, and nothing is started', async () => {
  const house = makeHouse({ good: [] }, ['0.1.0']);
  for (const [args, words] of [
    [['--only', 'nobody'], /no server is named nobody; there are: good/],
    [['--only', 'good@3.0.0'], /no release is good@3\.0\.0; there are: good@0\.1\.0, good@1\.0\.0/],
    [['--current', '--only', 'good@0.1.0'], /good@0\.1\.0: not current/],
    [['--jobs', '0'], /--jobs takes/],
    [['good'], /what is good\?/],
  ] as const) {
    const { code, said } = await refresh(house, [...args]);
    assert.equal(code, 2, said);
    assert.match(said, words);
    assert.match(said, /usage: weighbridge refresh/);
  }
  const dry = await refresh(house, [], { npm_config_dry_run: 'true' });
  assert.equal(dry.code, 2);
  assert.match(dry.said, /npm run refresh -- --dry-run/);
  const help = await refresh(house, ['--help']);
  assert.equal(help.code, 0);
  assert.ok(!existsSync(house.places));
});

test('the current release is asked by server/discover too, and a refusal is an answer', async () => {
  const house = makeHouse({ 'later-era': [], 'knows-no-discover': [] }, ['0.1.0']);
  const { said } = await refresh(house);
  const { fold, blob } = openLedger(house.ledger);
  assert.deepEqual(
    [...fold.discoveries.keys()],
    ['later-era@1.0.0', 'knows-no-discover@1.0.0'],
    said,
  );
  const [speaks, refuses] = [...fold.discoveries.values()].map(({ latest }) => latest.entry.body);
  assert.equal(speaks?.answer?.protocol_negotiated, '2026-07-28');
  assert.deepEqual(speaks?.answer?.caching?.discover, { ttl_ms: 500, cache_scope: 'public' });
  assert.deepEqual(refuses?.answer?.error, { code: -32601, message: 'Method not found' });
  const line = Buffer.from(blob(refuses?.blob?.sha256 ?? '')).toString();
  assert.match(line, /^\{.*"error".*\}\n$/);
  await refresh(house);
  const again = openLedger(house.ledger).fold.discoveries.get('knows-no-discover@1.0.0');
  assert.equal(again?.latest.entry.body.outcome, 'unchanged');
});

test('counts are taken of what the ledger holds, alone if asked for, and are unchanged when they come again', async () => {
  const house = makeHouse({ good: [] });
  writeFileSync(join(house.root, 'content/tokenizers.yaml'), '- cl100k_base\n');
  const first = await refresh(house);
  assert.equal(first.code, 0, first.said);
  const count = () => openLedger(house.ledger).fold.counts.get('cl100k_base');
  const { entry, leaf } = count()?.captured ?? assert.fail(first.said);
  assert.equal(entry.body.package.name, 'js-tiktoken');
  const { fold, blob } = openLedger(house.ledger);
  const tally = parseTally(blob(entry.body.blob.sha256));
  const list = fold.captures.get('good@1.0.0')?.captured?.entry.body.blob?.sha256;
  assert.equal(tally.servers['good']?.payload, list);
  const again = await refresh(house, ['--only', 'count:cl100k_base']);
  assert.equal(again.code, 0, again.said);
  assert.match(again.said, /Recorded 1\./);
  assert.equal(count()?.latest.entry.body.unchanged_from, leaf);
  const wrong = await refresh(house, ['--only', 'count:qwen3']);
  assert.equal(wrong.code, 2);
  assert.match(wrong.said, /does not name qwen3; it names: cl100k_base/);
});

test('without network and cache a count is not recorded, and the rest is', async () => {
  const house = makeHouse({ good: [] });
  writeFileSync(join(house.root, 'content/tokenizers.yaml'), '- gemma3\n');
  const offline = { npm_config_registry: 'http://127.0.0.1:9', npm_config_fetch_retries: '0' };
  const { code, said } = await refresh(house, [], offline);
  assert.equal(code, 1, said);
  assert.match(said, /1 not recorded/);
  assert.deepEqual(recorded(house), ['good captured']);
  assert.equal(openLedger(house.ledger).fold.counts.size, 0);
});
