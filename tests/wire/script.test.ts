import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { DigestLine } from '../../src/wire/digest.ts';
import { MESSAGES } from './capture.ts';

const script = new URL('../../scripts/wire.ts', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'wire-out-'));
after(() => rmSync(folder, { recursive: true }));

const once = (...args: string[]) =>
  spawnSync(process.execPath, [script, ...args], { encoding: 'utf8', timeout: 30_000 });

async function printed(child: ChildProcess, form: RegExp): Promise<RegExpExecArray> {
  let text = '';
  for await (const chunk of child.stdout ?? []) {
    text += chunk;
    const found = form.exec(text);
    if (found !== null) return found;
  }
  return assert.fail(`ended without ${form}: ${text}`);
}

test('--listen prints a row a request, adds a line to --out, and sums up when interrupted', async () => {
  const out = join(folder, 'out.jsonl');
  const child = spawn(process.execPath, [script, '--listen', '--port', '0', '--out', out]);
  after(() => child.kill('SIGKILL'));
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  const until = async (form: RegExp) => {
    for (let i = 0; i < 400; i++) {
      const found = form.exec(text);
      if (found !== null) return found;
      await new Promise((done) => setTimeout(done, 50));
    }
    return assert.fail(`no ${form} in ${text}`);
  };
  const [url] = await until(/http:\/\/127\.0\.0\.1:\d+/);
  const response = await fetch(`${url}/v1/messages`, {
    method: 'POST',
    headers: { 'user-agent': 'claude-cli/2.1.304', authorization: 'Bearer CANARY' },
    body: JSON.stringify(MESSAGES),
  });
  await response.text();
  await until(/claude-code 2\.1\.304 +messages +claude-opus-5-5 +[\d,]+ +3 +1 +2/);
  const lines = readFileSync(out, 'utf8').trimEnd().split('\n');
  assert.deepEqual(
    lines.map((line) => DigestLine.parse(JSON.parse(line)).tools.count),
    [3],
  );
  assert.doesNotMatch(lines.join(), /CANARY|say ok|You are a test/);
  assert.equal(statSync(out).mode & 0o777, 0o600);
  child.kill('SIGINT');
  const ended = new Promise((done) => child.once('exit', (code) => done(code)));
  await until(/1 requests, 1 to a model/);
  assert.equal(await ended, 0);
  assert.equal(text.includes('\x1b'), false, 'no control characters where there is no terminal');
});

test('wrong usage ends with 2 and says what is wrong', () => {
  for (const [args, said] of [
    [['--port', '1'], /--port does not go without --listen/],
    [['--listen', '--jobs', '2'], /--jobs does not go with --listen/],
    [['--listen', '--fault', 'x'], /--fault takes one of reject-defer-loading/],
    [['--listen', '--port', '99999'], /--port takes a whole number from 0 to 65535/],
    [['--jobs', ''], /--jobs takes/],
    [['--what'], /--what/],
  ] as const) {
    const { status, stderr } = once(...args);
    assert.equal(status, 2, stderr);
    assert.match(stderr, said);
  }
});

test('--help prints every option and fault; --list names the runs and starts none', () => {
  const { stdout } = once('--help');
  for (const word of [
    '--listen',
    '--port',
    '--out',
    '--fault',
    '--only',
    '--jobs',
    '--timeout',
    'slow',
  ]) {
    assert.ok(stdout.includes(word), word);
  }
  const listed = once('--list', '--only', 'codex');
  assert.equal(listed.status, 0, listed.stderr);
  assert.match(listed.stdout, /codex@[\d.]+\/servers-10 +\d+ servers/);
});

test('an unknown client ends with 2, an --out that cannot be written and a taken port with 1, each with a mend', async () => {
  const unknown = once('--only', 'nobody');
  assert.equal(unknown.status, 2);
  assert.match(unknown.stderr, /no nobody \[wire.no-client\]\n {2}Name one of claude-code/);
  const out = once('--listen', '--port', '0', '--out', join(folder, 'none', 'x'));
  assert.equal(out.status, 1);
  assert.match(out.stderr, /\[wire.no-out\]\n/);
  const child = spawn(process.execPath, [script, '--listen', '--port', '0']);
  after(() => child.kill('SIGKILL'));
  const [, port = ''] = await printed(child, /127\.0\.0\.1:(\d+)/);
  const taken = once('--listen', '--port', port);
  assert.equal(taken.status, 1);
  assert.match(taken.stderr, /\[wire.no-port\]\n {2}Choose another/);
});
