import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { payloadOf } from '../../src/probe/capture.ts';
import { checkCatalogue } from '../../src/probe/catalogue.ts';
import { ProbeFailure, type ProbeOptions, probeStdio } from '../../src/probe/stdio.ts';
import { TOOLS } from '../servers/serve.ts';

const home = mkdtempSync(join(tmpdir(), 'probe-'));
after(() => rmSync(home, { recursive: true }));

function probe(fixture: string, options: Partial<ProbeOptions> = {}) {
  return probeStdio({
    command: process.execPath,
    args: [join(import.meta.dirname, '../servers', `${fixture}.ts`)],
    env: { PATH: dirname(process.execPath), HOME: home },
    cwd: home,
    timeoutMs: 20_000,
    graceMs: 1000,
    ...options,
  });
}

/** The failure of a probe that has to fail, with this code. */
async function failure(code: string, fixture: string, options?: Partial<ProbeOptions>) {
  try {
    await probe(fixture, options);
  } catch (error) {
    assert.ok(error instanceof ProbeFailure, String(error));
    assert.equal(error.code, code, String(error));
    assert.ok(error.mend !== undefined && error.elapsedMs >= 0);
    return error;
  }
  return assert.fail(`${fixture} did not fail`);
}

/** A zombie that nobody has reaped yet, as in a container without an init, does not run. */
function runs(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', `${pid}`], { encoding: 'utf8' });
  return stdout.trim() !== '' && !stdout.startsWith('Z');
}

const text = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString();
const description = (tool: unknown) => (tool as { description: string }).description;

test('a good server gives its tools, its version, and its bytes as they came', async () => {
  const events: string[] = [];
  const got = await probe('good', { onEvent: (event) => events.push(event) });
  const line = JSON.stringify({ jsonrpc: '2.0', id: 1001, result: { tools: TOOLS } });
  assert.equal(text(payloadOf(got.pages)), `${line}\n`);
  assert.deepEqual(got.tools, TOOLS);
  assert.equal(got.protocolNegotiated, '2025-11-25');
  assert.deepEqual([got.serverName, got.serverVersion], ['fixture', '1.0.0']);
  assert.deepEqual(got.capabilities, { tools: {} });
  assert.deepEqual([got.sameOrder, got.sameBytes, got.warnings.length], [true, true, 0]);
  assert.deepEqual(events, ['started', 'initialized', 'page', 'listed', 'page', 'ended']);
});

test('rule 1: a process is never asked to discover before it is initialised, and nothing but the handshake and two lists is sent', async () => {
  const got = await probe('two-eras');
  assert.deepEqual(description(got.tools[0]).split('\n'), [
    'initialize {"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"weighbridge","version":"1"}}',
    'notifications/initialized',
    'tools/list 1001 {}',
  ]);
});

test('rule 2: the handshake is finished before the list is asked for, and declared capabilities decide what is listed', async () => {
  assert.equal((await probe('asks-who')).tools.length, 2);
  const all = await probe('asks-who', { clientCapabilities: { roots: {}, sampling: {} } });
  assert.equal(all.tools.length, 4);
});

test('rule 2: an older protocol is accepted and recorded, also from a server that does not give its name', async () => {
  const got = await probe('older-protocol');
  assert.equal(got.protocolNegotiated, '2024-11-05');
  assert.equal(got.serverName, null);
});

test('rule 3: a line that came in pieces cut inside characters is kept byte for byte', async () => {
  const got = await probe('chatters');
  assert.equal(description(got.tools[0]), 'é'.repeat(40_000));
  assert.ok((got.pages[0]?.length ?? 0) > 65_536);
  assert.deepEqual(
    got.warnings.map(({ code }) => code),
    ['stray-reply'],
  );
});

test('rule 5: a server sees only the environment and folders that it was given', async () => {
  const got = await probe('writes-home');
  assert.equal(description(got.tools[0]), `${home} ${home} [] HOME,PATH`);
});

test('rule 5: a server and its grandchild that ignore EOF and SIGTERM are both gone afterwards', async () => {
  const got = await probe('will-not-leave', { graceMs: 100 });
  const pids = got.stderrTail.match(/\d+/g)?.map(Number) ?? [];
  assert.equal(pids.length, 2);
  for (const pid of pids) assert.ok(!runs(pid), `${pid} still runs`);
});

test('rule 5: an abort in the middle leaves no process behind', async () => {
  const abort = new AbortController();
  const events: string[] = [];
  const options = { signal: abort.signal, onEvent: (event: string) => events.push(event) };
  const failed = assert.rejects(probe('never-lists', options), { code: 'probe.aborted' });
  while (!events.includes('initialized')) await sleep(10);
  const since = performance.now();
  abort.abort();
  await failed;
  assert.ok(performance.now() - since < 10_000);
  assert.equal(events.at(-1), 'ended');
  await assert.rejects(probe('good', { signal: abort.signal }), { code: 'probe.aborted' });
});

test('rule 6: lines on stdout that are not JSON-RPC are counted and passed over', async () => {
  const got = await probe('prints-junk');
  assert.deepEqual(got.tools, TOOLS);
  assert.equal(got.warnings[0]?.code, 'stdout-junk');
  assert.match(got.warnings[0]?.message ?? '', /^4 line\(s\) .* begins "Caf. server ready"$/);
});

test('rule 6: a CR before the line end is not part of the line', async () => {
  const got = await probe('crlf');
  assert.ok(text(got.pages[0]).endsWith('}'));
});

test('rule 6: what the server asks is answered, and what was not declared is refused', async () => {
  const refused = await probe('asks-first');
  assert.equal(description(refused.tools[0]), 'a: {}, b: -32601, 3: -32601, 4: -32601');
  const roots = await probe('asks-first', { clientCapabilities: { roots: {} } });
  assert.equal(description(roots.tools[0]), 'a: {}, b: {"roots":[]}, 3: -32601, 4: -32601');
});

test('rule 7: pages are read until there is no cursor', async () => {
  const got = await probe('three-pages');
  assert.equal(got.pages.length, 3);
  assert.equal(text(payloadOf(got.pages)).split('\n').length, 4);
  assert.equal(got.tools.length, 3);
  assert.ok(got.sameBytes);
});

test('rule 7: a cursor that comes again is an error, not a loop', async () => {
  const error = await failure('server.cursor-loop', 'repeats-cursor');
  assert.match(error.message, /"again" came again on page 2/);
});

test('rule 7: cursors that are always new end at the limit of pages', async () => {
  await failure('server.flood', 'endless-pages', { limits: { pages: 5 } });
});

test('rule 7: a bad catalogue is reported and kept', async () => {
  const got = await probe('odd-catalogue');
  assert.equal(got.tools.length, 5);
  assert.deepEqual(
    checkCatalogue(got.tools).map(({ code }) => code),
    ['description-missing', 'ref-recursive', 'name-duplicate', 'name-collision'],
  );
});

test('a list that changes its order or its bytes between two listings is told apart', async () => {
  const order = await probe('changes-order');
  assert.deepEqual([order.sameOrder, order.sameBytes], [false, false]);
  const bytes = await probe('changes-bytes');
  assert.deepEqual([bytes.sameOrder, bytes.sameBytes], [true, false]);
});

test('rule 9: a server that exits tells how, with its last words and without terminal colours', async () => {
  const error = await failure('server.exited', 'exits-early');
  assert.match(error.message, /exited with code 7 before answering initialize/);
  assert.equal(error.stderrTail, 'Error: NO_TOKEN is not set');
  const dead = await failure('server.exited', 'dies-listing');
  assert.match(dead.message, /was ended by SIGTERM before answering tools\/list/);
});

test('rule 9: a server that never answers is ended at the timeout, and the time it took is told', async () => {
  const error = await failure('server.timeout', 'never-answers', { timeoutMs: 1000 });
  assert.match(error.message, /no answer to initialize within 1000 ms/);
  assert.match(error.stderrTail, /waiting for a token/);
  assert.ok(error.elapsedMs >= 1000 && error.elapsedMs < 10_000, `${error.elapsedMs}`);
  const other = await failure('server.timeout', 'answers-otherwise', { timeoutMs: 1000 });
  assert.match(
    other.mend ?? '',
    /^It sent 1 that answer nothing that was asked, the first begins .*id\\":\\"\d+\\"/,
  );
  const list = await failure('server.timeout', 'never-lists', { timeoutMs: 1000 });
  assert.match(list.message, /tools\/list/);
});

test('a failure tells what came that is no message, without secrets and cut short', async () => {
  const server =
    'console.log("ready on s3cret-token", "\\u001b[2J".repeat(99)); console.log("[]");';
  const options = (more: string): Partial<ProbeOptions> => ({
    args: ['-e', `${server}${more}`],
    timeoutMs: 1000,
    hide: (text) => text.replaceAll('s3cret-token', '[TOKEN]'),
  });
  const late = await failure('server.timeout', '', options('setInterval(() => {}, 1000)'));
  const aside =
    /; it sent 2 lines that are not JSON-RPC, the first: "ready on \[TOKEN\] (?:\\u001b\[2J){25,26}[^"]{0,9}"$/;
  assert.match(late.message, aside);
  assert.match(late.message, /^no answer to initialize within 1000 ms; /);
  const gone = await failure('server.exited', '', options(''));
  assert.match(gone.message, aside);
});

test('a command that no process can have is a failure like another, and shows no argument', async () => {
  const long = `/${'a'.repeat(5000)}`;
  for (const [command, args] of [
    ['', []],
    ['/etc/passwd/x', []],
    [long, []],
    [process.execPath, ['s3cret\0']],
  ] as const) {
    const refused = await failure('server.not-found', '', { command, args });
    assert.ok(!refused.message.includes('s3cret'), refused.message);
  }
});

test('rule 9: stderr is read however much there is, and its end is kept', async () => {
  const got = await probe('floods-stderr');
  assert.equal(got.stderrTail, 'the last words');
});

test('a line without end and lines without end are floods', async () => {
  const line = await failure('server.flood', 'floods-stdout');
  assert.match(line.message, /^the server sent a line of more than 33554432 bytes$/);
  const lines = await failure('server.flood', 'floods-lines', { limits: { stdoutBytes: 2 ** 22 } });
  assert.match(lines.message, /more than 4194304 bytes on stdout/);
});

test('a list of 20 MB is had, and in good time', async () => {
  const got = await probe('twenty-megabytes', { timeoutMs: 15_000 });
  assert.ok((got.pages[0]?.length ?? 0) > 20_000_000);
  assert.ok(got.sameBytes);
  await failure('server.flood', 'twenty-megabytes', { limits: { listBytes: 2 ** 24 } });
});

test('bytes that are not UTF-8 inside a message are an error, for no hash could say what they mean', async () => {
  await failure('server.bad-utf8', 'bad-utf8');
});

test('an error in answer to tools/list, a wrong answer and a server without tools are told apart', async () => {
  const refused = await failure('server.error', 'refuses-list');
  assert.match(refused.message, /tools\/list was answered by error -32603: no database/);
  const wrong = await failure('server.bad-answer', 'lists-nonsense');
  assert.match(wrong.message, /wrong at result\.tools/);
  await failure('server.no-tools', 'has-no-tools');
  await failure('server.no-tools', 'knows-no-list');
});

test('a command or folder that is not there is told at once', async () => {
  await failure('server.not-found', 'good', { command: 'no-such-command' });
  await failure('server.not-found', 'good', { cwd: join(home, 'nowhere') });
});
