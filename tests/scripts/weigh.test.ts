import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

const root = join(import.meta.dirname, '../..');
const fixture = (name: string) => [process.execPath, join(root, `tests/servers/${name}.ts`)];

/** Runs the command as npm does: in the package's folder, the user's own in INIT_CWD. */
async function weigh(args: string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [join(root, 'scripts/weigh.ts'), ...args], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => {
    said.stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    said.stderr += chunk;
  });
  const code = await new Promise<number | null>((done) => child.once('close', done));
  return { code, ...said };
}

test('prints the weight of a server as JSON of the documented form', async () => {
  const { code, stdout, stderr } = await weigh(['--json', ...fixture('good')]);
  assert.deepEqual([code, stderr], [0, '']);
  const report = JSON.parse(stdout);
  assert.deepEqual(Object.keys(report), [
    'kind',
    'server',
    'protocol',
    'shape',
    'tokenizer',
    'tools',
    'bytes',
    'tokens',
    'perTool',
    'duplicates',
    'warnings',
  ]);
  assert.deepEqual(report.protocol, { requested: '2025-11-25', negotiated: '2025-11-25' });
  assert.deepEqual(
    [report.server, report.shape, report.tokenizer, report.tools],
    ['fixture', 'anthropic', 'o200k_base', 2],
  );
  const { total, name, description, schema, punctuation } = report.tokens;
  assert.equal(name + description + schema + punctuation, total);
  assert.deepEqual(Object.keys(report.perTool[0]), [
    'name',
    'total',
    'name_tokens',
    'description_tokens',
    'schema_tokens',
  ]);
  assert.deepEqual(report.warnings, []);
});

test('prints a report, in the shape and under the name asked for, with warnings', async () => {
  const args = ['--shape', 'openai', '--name', 'scales', ...fixture('odd-catalogue')];
  const { code, stdout } = await weigh(args);
  assert.equal(code, 0);
  assert.match(stdout, /^scales: 5 tools, /);
  assert.match(stdout, /in the openai shape/);
  assert.match(stdout, /warning: .* \[name-duplicate\]/);
});

test('leaves what follows the command to the server, and starts it where the user is', async () => {
  const server = [
    '-e',
    'require("node:fs").writeSync(2, process.cwd() + " " + process.argv.slice(1)); process.exit(1)',
  ];
  const args = [process.execPath, ...server, '--', '--json', '--name', 'a b'];
  const { code, stderr } = await weigh(args, {
    INIT_CWD: join(root, 'tests'),
    npm_lifecycle_event: 'weigh',
    npm_package_name: 'weighbridge',
  });
  assert.equal(code, 3);
  assert.ok(stderr.includes(`| ${join(root, 'tests')} --json,--name,a b`), stderr);
});

test('exits with 2 for a wrong use and says how to use it', async () => {
  const wrong = [
    [],
    ['--json'],
    ['--shape', 'xml', 'x'],
    ['--tokenizer', 'gpt', 'x'],
    ['--timeout', 'soon', 'x'],
    ['--timeout', '-1', 'x'],
    [''],
    ['--name', 'a b', 'x'],
    ['--unknown', 'x'],
  ];
  const refusals = wrong.map(async (args) => {
    const { code, stdout, stderr } = await weigh(args);
    assert.deepEqual([code, stdout], [2, ''], args.join(' '));
    assert.match(stderr, /\[usage\]\n.*--help/);
  });
  await Promise.all(refusals);
  const help = await weigh(['--help']);
  assert.equal(help.code, 0);
  assert.match(help.stdout, /^usage: weighbridge weigh /);
});

test('exits with 3 when the server fails, says why and what to try', async () => {
  const wrong = [
    [['no-such-command-here'], 'server.not-found'],
    [fixture('exits-early'), 'server.exited'],
    [['--timeout', '1', ...fixture('never-answers')], 'server.timeout'],
    [fixture('refuses-list'), 'server.'],
  ] as const;
  const failures = wrong.map(async ([args, code]) => {
    const failed = await weigh(['--json', ...args]);
    assert.deepEqual([failed.code, failed.stdout], [3, ''], failed.stderr);
    assert.match(failed.stderr, /\[server\.[a-z0-9-]+\]\n {2}\S/);
    assert.ok(failed.stderr.includes(`[${code}`), failed.stderr);
  });
  await Promise.all(failures);
});

test('exits with 4 when the limits do not hold, with 3 when part of a bill is missing', async () => {
  const heavy = await weigh(['--max-tokens', '1', '--', ...fixture('good')]);
  assert.equal(heavy.code, 4);
  assert.match(
    heavy.stdout,
    /REFUSED: \d+ tokens, and 1 are allowed \[max-tokens\]\n {2}If this is meant, raise --max-tokens\.\n$/,
  );
  const folder = mkdtempSync(join(tmpdir(), 'weigh-'));
  try {
    const file = join(folder, 'mcp.json');
    writeFileSync(file, '{"servers": {"gone": {"command": "no-such-command-here"}}}');
    const missing = await weigh(['--max-tokens', '0', '--config', file]);
    assert.equal(missing.code, 3);
    assert.match(missing.stdout, /failed: gone .*\[server\.not-found\]/);
    assert.match(missing.stderr, /^gone +failed: /);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('weighs a list of 20 MB', async () => {
  const { code, stdout } = await weigh(['--json', ...fixture('twenty-megabytes')]);
  assert.equal(code, 0);
  assert.ok(JSON.parse(stdout).bytes > 19e6);
});

test('a server that hears nothing goes too when weigh is killed outright', {
  skip: process.platform === 'win32',
}, async (t) => {
  const home = mkdtempSync(join(tmpdir(), 'weigh-killed-'));
  t.after(() => rmSync(home, { recursive: true }));
  const says = join(home, 'pid');
  const asked = ['scripts/weigh.ts', '--', ...fixture('hears-nothing'), says];
  const child = spawn(process.execPath, asked, { cwd: root, stdio: 'ignore' });
  t.after(() => child.kill('SIGKILL'));
  const pid = () => Number(existsSync(says) ? readFileSync(says, 'utf8') : 0);
  while (pid() === 0 && child.exitCode === null) await sleep(10);
  const server = pid();
  assert.ok(runs(server));
  child.kill('SIGKILL');
  const until = performance.now() + 10_000;
  while (runs(server) && performance.now() < until) await sleep(20);
  const left = runs(server);
  if (left) process.kill(server, 'SIGKILL');
  assert.equal(left, false);
});

/** A zombie that nobody has reaped yet, as in a container without an init, does not run. */
function runs(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', `${pid}`], { encoding: 'utf8' });
  return stdout.trim() !== '' && !stdout.startsWith('Z');
}
