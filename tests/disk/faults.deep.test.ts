/**
 * The append path under strace: a kill, a full disk and a failing disk at every system call that
 * touches the ledger. Whatever happens, what was acknowledged is there and nothing torn is accepted.
 */
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { append } from '../../src/disk/append.ts';
import { openLedger, verifyLedger } from '../../src/disk/ledger.ts';
import { FILE_LINES } from '../../src/ledger/file.ts';
import { STAMP, source } from '../ledger/drafts.ts';
import { ledgerFolder } from './folder.ts';

const WRITER = join(import.meta.dirname, 'writer.ts');
const CALLS = ['openat', 'write', 'fsync', 'rename', 'ftruncate', 'unlink', 'mkdir'];
const FAULTS = ['signal=KILL', 'error=EIO', 'error=ENOSPC'];
const APPENDS = 3;
const LEAST = 200;

/** Why strace can't be used here, or null; root on Debian installs it. */
function missing(): string | null {
  const works = () => spawnSync('strace', ['-o', '/dev/null', 'true']).status === 0;
  if (works()) return null;
  if (process.platform !== 'linux') return 'strace is of Linux alone';
  if (process.getuid?.() !== 0) return 'strace is not installed, and only root may install it';
  spawnSync('apt-get', ['update', '-qq'], { timeout: 120_000 });
  spawnSync('apt-get', ['install', '-y', '-qq', 'strace'], { timeout: 300_000 });
  return works() ? null : 'strace could not be installed or may trace nothing here';
}

/** Runs the writer under strace; what it printed is what was acknowledged. */
function traced(dir: string, options: string[]): Promise<{ code: unknown; leaves: string[] }> {
  const command = [...options, process.execPath, WRITER, dir, 'traced', `${APPENDS}`, '200'];
  const env = { ...process.env, UV_THREADPOOL_SIZE: '1', NODE_TEST_CONTEXT: '' };
  return new Promise((resolve) => {
    execFile('strace', ['-f', '--seccomp-bpf', '-qq', ...command], { env }, (error, stdout) => {
      const leaves = stdout.split('\n').filter((line) => /^[0-9a-f]{64}$/.test(line));
      resolve({ code: error?.code ?? error?.signal ?? 0, leaves });
    });
  });
}

/** A copy of a ledger of which the second append begins a new file. */
async function base(
  t: TestContext,
): Promise<(act: (dir: string) => Promise<void>) => Promise<void>> {
  const dir = ledgerFolder(t);
  await append(dir, STAMP, (batch) => {
    for (let i = 1; i < FILE_LINES; i++) batch.add(source({ id: `s${i}` }));
  });
  return async (act) => {
    const copy = mkdtempSync(join(tmpdir(), 'weighbridge-fault-'));
    cpSync(dir, copy, { recursive: true });
    await act(copy).finally(() => rmSync(copy, { recursive: true, force: true }));
  };
}

/** The calls of the main thread that touch the ledger, each by how many of its kind came before. */
async function callsOf(dir: string): Promise<{ call: string; when: number }[]> {
  const log = `${dir}.log`;
  const { code, leaves } = await traced(dir, ['-y', '-o', log, '-e', `trace=${CALLS.join()}`]);
  assert.deepEqual([code, leaves.length], [0, APPENDS]);
  const lines = readFileSync(log, 'utf8').split('\n');
  rmSync(log);
  const main = lines[0]?.split(' ')[0];
  const seen = new Map<string, number>();
  return lines.flatMap((line) => {
    const [, pid, call] = /^(\d+) +(\w+)\(/.exec(line) ?? [];
    if (pid !== main || call === undefined) return [];
    const when = (seen.get(call) ?? 0) + 1;
    seen.set(call, when);
    return line.includes(dir) && !line.includes('ENOENT') ? { call, when } : [];
  });
}

test('a kill, EIO and ENOSPC at every call of an append lose nothing that was acknowledged', async (t) => {
  const why = missing();
  if (why !== null) {
    t.diagnostic(`not run: ${why}`);
    assert.equal(process.env['WEIGHBRIDGE_OFFLINE'], '1', `not run: ${why}`);
    return;
  }
  const withCopy = await base(t);
  let calls: { call: string; when: number }[] = [];
  await withCopy(async (dir) => {
    calls = await callsOf(dir);
  });
  let [runs, struck, acknowledged, refused] = [0, 0, 0, 0];
  const wanted = calls.flatMap(({ call, when }) => FAULTS.map((fault) => ({ call, when, fault })));
  const one = ({ call, when, fault }: (typeof wanted)[0]): Promise<void> =>
    withCopy(async (dir) => {
      const inject = `inject=${call}:${fault}:when=${when}`;
      const { code, leaves } = await traced(dir, ['-o', '/dev/null', '-e', inject]);
      runs++;
      acknowledged += leaves.length;
      if (code !== 0) struck++;
      if (code === 1) refused++;
      const found = verifyLedger(dir).problems.map((problem) => problem.code);
      assert.ok(
        found.every((problem) => problem === 'line.torn'),
        `${inject}: ${found}`,
      );
      await append(dir, STAMP, (batch) => void batch.add(source({ id: 'after' })));
      assert.deepEqual(verifyLedger(dir).problems, [], inject);
      const held = openLedger(dir).entries.map(({ leaf }) => leaf);
      assert.deepEqual(
        leaves.filter((leaf) => !held.includes(leaf)),
        [],
        `${inject}: acknowledged and lost`,
      );
      // A kill may leave one that was not acknowledged; a fault that was survived may not.
      const left = held.length - FILE_LINES - leaves.length;
      assert.ok(
        left === 0 || (left === 1 && fault === 'signal=KILL'),
        `${inject}: ${left} left over`,
      );
    });
  const waiting = [...wanted];
  await Promise.all(
    [1, 2].map(async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await one(next);
    }),
  );
  t.diagnostic(
    `${runs} runs at ${calls.length} calls: ${struck} ended early (${refused} with an error of ours), ${acknowledged} acknowledged, 0 lost`,
  );
  assert.ok(runs >= LEAST, `${runs} runs`);
  assert.ok(struck >= runs / 2, `only ${struck} of ${runs} faults were felt`);
});
