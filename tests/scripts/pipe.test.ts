import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, globSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '../..');

test('every script minds that its output may be read no further', () => {
  const without = globSync('scripts/*.ts', { cwd: root }).filter(
    (script) =>
      !/^import .*'\.\.\/src\/(?:pipe|script)\.ts';$/m.test(
        readFileSync(join(root, script), 'utf8'),
      ),
  );
  assert.deepEqual(without, []);
});

/** Exit code and stderr of a script that writes, late, to a pipe without a reader, or elsewhere. */
async function run(body: string, stdout: 'pipe' | number) {
  const code = `await import(${JSON.stringify(join(root, 'src/pipe.ts'))});
    await new Promise((go) => process.stdin.once('end', go).resume());
    ${body}`;
  const args = ['--input-type=module', '-e', code];
  const child = spawn(process.execPath, args, { stdio: ['pipe', stdout, 'pipe'] });
  child.stdout?.destroy();
  child.stdin!.end();
  let stderr = '';
  child.stderr!.on('data', (chunk) => {
    stderr += chunk;
  });
  const exit = await new Promise((done) => child.once('close', done));
  return { exit, stderr };
}

test('output that is read no further ends nothing early, and says nothing', async () => {
  const body = `for (let i = 0; i < 99; i++) console.log('x'.repeat(9999));
    await new Promise((go) => setTimeout(go, 50));
    console.log('y');
    process.exitCode = 4;`;
  assert.deepEqual(await run(body, 'pipe'), { exit: 4, stderr: '' });
});

if (existsSync('/dev/full'))
  test('output that cannot be written is said once, and is no success', async () => {
    const body = "console.log('x'); console.log('y'); process.exitCode = 0;";
    assert.deepEqual(await run(body, openSync('/dev/full', 'w')), {
      exit: 1,
      stderr: 'the output could not be written: ENOSPC [output.unwritable]\n',
    });
  });
