import assert from 'node:assert/strict';
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ownFolder, withPlace } from '../../src/probe/place.ts';

const temp = mkdtempSync(join(tmpdir(), 'place-'));

test('a place is empty, closed to others, and gone afterwards even when the work fails', async () => {
  const places = join(temp, 'a');
  mkdirSync(join(places, 'x/work'), { recursive: true });
  writeFileSync(join(places, 'x/work/left'), '');
  const failed = withPlace(
    'x',
    async ({ root, home, work }) => {
      assert.equal(root, join(places, 'x'));
      assert.ok(!existsSync(join(work, 'left')));
      for (const path of [places, root, home, work])
        assert.equal(statSync(path).mode & 0o777, 0o700);
      writeFileSync(join(home, 'left'), '');
      throw new Error('as planned');
    },
    places,
  );
  await assert.rejects(failed, /as planned/);
  assert.ok(!existsSync(join(places, 'x')));
});

test('who asks for a place that is taken waits, and has it empty, also after a failure', async () => {
  const places = join(temp, 'queue');
  const told: string[] = [];
  const use = (name: string, fails: boolean) =>
    withPlace(
      'x',
      async ({ work }) => {
        assert.deepEqual(readdirSync(work), []);
        writeFileSync(join(work, name), '');
        told.push(`${name} in`);
        await sleep(20);
        told.push(`${name} out`);
        if (fails) throw new Error('as planned');
      },
      places,
    );
  const [first, second] = await Promise.allSettled([use('a', true), use('b', false)]);
  assert.deepEqual([first.status, second.status], ['rejected', 'fulfilled']);
  assert.deepEqual(told, ['a in', 'a out', 'b in', 'b out']);
});

test('a link in place of the places is refused, and what it points to is left alone', async () => {
  const target = join(temp, 'target');
  mkdirSync(join(target, 'x'), { recursive: true });
  symlinkSync(target, join(temp, 'link'));
  const refused = withPlace('x', async () => {}, join(temp, 'link'));
  await assert.rejects(refused, { code: 'place.refused', mend: /Remove it/ });
  assert.ok(existsSync(join(target, 'x')));
});

test('a folder of another user is refused', async () => {
  const foreign = join(temp, 'foreign');
  mkdirSync(foreign);
  // Only root may give a folder away; anybody else finds one that is not his at the top.
  const isRoot = process.getuid?.() === 0;
  if (isRoot) chownSync(foreign, 12_345, 12_345);
  await assert.rejects(ownFolder(isRoot ? foreign : '/'), { code: 'place.refused' });
});
