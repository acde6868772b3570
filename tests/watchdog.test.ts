import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';

const WATCHDOG = join(import.meta.dirname, '../src/watchdog.ts');

/** Lives until it is ended, at the head of a group of its own. */
function sleeper(): ChildProcess & { pid: number } {
  const child = spawn('sleep', ['60'], { detached: true, stdio: 'ignore' });
  assert.ok(child.pid !== undefined);
  return child as ChildProcess & { pid: number };
}

test('once its process is killed, the groups given to it end, and none that was given back or never given', {
  skip: process.platform === 'win32',
}, async (t) => {
  const [kept, back, again, other] = [sleeper(), sleeper(), sleeper(), sleeper()];
  t.after(() => [back, other].map((child) => child.kill('SIGKILL')));
  const code = `
    const { watch, unwatch } = await import(${JSON.stringify(WATCHDOG)});
    for (const group of [${kept.pid}, ${back.pid}, ${again.pid}]) watch(group);
    unwatch(${back.pid});
    unwatch(${again.pid});
    watch(${again.pid});
    unwatch(${other.pid});
    console.log('watching');
    setInterval(() => {}, 1000);`;
  const owner = spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(owner.stdout, 'data');
  const ended = Promise.all([kept, again].map((child) => once(child, 'exit')));
  owner.kill('SIGKILL');
  for (const [, signal] of await ended) assert.equal(signal, 'SIGKILL');
  assert.deepEqual([back.exitCode, back.signalCode, other.signalCode], [null, null, null]);
  assert.ok(process.kill(back.pid, 0) && process.kill(other.pid, 0));
});

test('it holds up the end of no process', async () => {
  const code = `
    const { watch } = await import(${JSON.stringify(WATCHDOG)});
    watch(2 ** 22 + 1); // no such group
    console.log('done');`;
  const owner = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: 'ignore' });
  const [status] = await once(owner, 'exit');
  assert.equal(status, 0);
});
