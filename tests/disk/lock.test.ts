import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { withLock } from '../../src/disk/lock.ts';
import { folder } from './folder.ts';

const LOCK = join(import.meta.dirname, '../../src/disk/lock.ts');

/** A process that takes the lock and keeps it until it is killed. */
async function holder(t: TestContext, path: string) {
  const code = `
    const { withLock } = await import(${JSON.stringify(LOCK)});
    await withLock(${JSON.stringify(path)}, 'testing', () => new Promise(() => {
      console.log('held');
      setInterval(() => {}, 1000);
    }));`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return child;
}

test('who waits too long is told which process holds the lock, and what it does', async (t) => {
  const path = join(folder(t), '.lock');
  const child = await holder(t, path);
  await assert.rejects(
    withLock(path, 'testing', () => assert.fail('entered'), { waitMs: 50 }),
    { code: 'lock.held', message: `process ${child.pid} is testing` },
  );
});

test('the lock of a killed process is free at once', async (t) => {
  const path = join(folder(t), '.lock');
  const child = await holder(t, path);
  child.kill('SIGKILL');
  await once(child, 'exit');
  assert.equal(await withLock(path, 'testing', () => 'in', { waitMs: 0 }), 'in');
});

test('a process number that is in use again holds nothing', async (t) => {
  const path = join(folder(t), '.lock');
  writeFileSync(path, '');
  writeFileSync(`${path}.pid`, `${process.ppid}\n`); // alive, and not a holder
  assert.equal(await withLock(path, 'testing', () => 'in', { waitMs: 0 }), 'in');
});

test('it keeps out a second taker in the same process too, and is given back after an error', async (t) => {
  const path = join(folder(t), '.lock');
  const order: string[] = [];
  const first = withLock(path, 'testing', async () => {
    order.push('first in');
    await sleep(50);
    order.push('first out');
    throw new Error('on purpose');
  });
  const second = withLock(path, 'testing', () => order.push('second in'));
  await assert.rejects(first, /on purpose/);
  await second;
  assert.deepEqual(order, ['first in', 'first out', 'second in']);
});

test('a folder that is not there is told, not waited for', async (t) => {
  const path = join(folder(t), 'nowhere', '.lock');
  await assert.rejects(
    withLock(path, 'testing', () => assert.fail('entered')),
    { code: 'lock.unavailable' },
  );
});

test('a lock that can not be written is told with its mend: rights, or space on the disk', async (t) => {
  const path = join(folder(t), '.lock');
  mkdirSync(`${path}.pid`);
  const taken = () => withLock(path, 'testing', () => assert.fail('entered'), { waitMs: 0 });
  const rights = { name: 'Problem', code: 'lock.unavailable', at: path, mend: /may be written to/ };
  await assert.rejects(taken(), rights);
  rmSync(`${path}.pid`, { recursive: true });
  if (existsSync('/dev/full')) {
    symlinkSync('/dev/full', `${path}.pid`);
    await assert.rejects(taken(), { ...rights, mend: /^Free some disk space/ });
    rmSync(`${path}.pid`);
  }
  // It was given back each time.
  assert.equal(await withLock(path, 'testing', () => 'in', { waitMs: 0 }), 'in');
});
