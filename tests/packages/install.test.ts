import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { installPackage } from '../../src/packages/install.ts';
import { startRegistry } from './registry.ts';

const temp = mkdtempSync(join(tmpdir(), 'install-'));
const registry = await startRegistry();
after(() => {
  registry.close();
  rmSync(temp, { recursive: true });
});
const fixture = { name: '@fixture/server', version: '1.2.3', env: registry.env };
const newCache = () => mkdtempSync(join(temp, 'cache-'));
const contents = (cacheDir: string) => readdirSync(join(cacheDir, '@fixture'));

test('a package is installed once, with the integrity that the registry gave, and no script of it runs', async () => {
  const cacheDir = newCache();
  const lines: string[] = [];
  const log = (line: string) => lines.push(line);
  const got = await installPackage({ ...fixture, cacheDir, log });
  assert.equal(got.integrity, registry.integrity);
  assert.equal(got.licence, 'MIT');
  assert.equal(got.bin(), join(got.dir, 'cli.js'));
  assert.ok(existsSync(got.bin()));
  assert.ok(!existsSync(join(got.dir, 'ran-a-script')));
  assert.deepEqual(contents(cacheDir), ['server@1.2.3']);

  const before = registry.asked.length;
  const again = await installPackage({ ...fixture, cacheDir, log });
  assert.deepEqual([again.dir, again.integrity], [got.dir, got.integrity]);
  assert.equal(registry.asked.length, before, 'the network was used for what is cached');
  assert.deepEqual(lines, ['installing @fixture/server@1.2.3']);
});

test('two at once both get the whole package', async () => {
  const cacheDir = newCache();
  const both = await Promise.all([1, 2].map(() => installPackage({ ...fixture, cacheDir })));
  for (const got of both) assert.ok(existsSync(got.bin()));
  assert.deepEqual(contents(cacheDir), ['server@1.2.3']);
});

test('a copy that is not whole, and what a killed install left, are replaced', async () => {
  const cacheDir = newCache();
  mkdirSync(join(cacheDir, '@fixture/server@1.2.3/node_modules'), { recursive: true });
  mkdirSync(join(cacheDir, '@fixture/.tmp-999999999-aa/node_modules'), { recursive: true });
  const got = await installPackage({ ...fixture, cacheDir });
  assert.ok(existsSync(got.bin()));
  assert.deepEqual(contents(cacheDir), ['server@1.2.3']);
});

test('an abort in the middle ends npm at once and leaves nothing', async () => {
  const cacheDir = newCache();
  const slow = await startRegistry(new Promise(() => {}));
  const abort = new AbortController();
  const install = installPackage({ ...fixture, env: slow.env, cacheDir, signal: abort.signal });
  const failed = assert.rejects(install, { code: 'package.aborted' });
  while (!slow.asked.includes('/package.tgz')) await sleep(20);
  abort.abort();
  await failed;
  slow.close();
  assert.deepEqual(contents(cacheDir), []);
});

test('a package or version that the registry has not is told apart, and nothing is left', async () => {
  const cacheDir = newCache();
  await assert.rejects(installPackage({ ...fixture, cacheDir, name: '@fixture/none' }), {
    code: 'package.not-found',
  });
  await assert.rejects(installPackage({ ...fixture, cacheDir, version: '9.9.9' }), {
    code: 'package.no-version',
    at: '@fixture/server@9.9.9',
  });
  assert.deepEqual(contents(cacheDir), []);
});

test('a day pins what there was on it: a version that came later is not there, and days do not share a copy', async () => {
  const cacheDir = newCache();
  await assert.rejects(installPackage({ ...fixture, cacheDir, asOf: '2026-05-31' }), {
    code: 'package.no-version',
    mend: /as_of/,
  });
  const got = await installPackage({ ...fixture, cacheDir, asOf: '2026-06-02' });
  assert.equal(got.integrity, registry.integrity);
  assert.deepEqual(contents(cacheDir), ['server@1.2.3,2026-06-02']);
});

test('a dependency is held at an exact version, and what is pinned otherwise has a copy of its own', async () => {
  const cacheDir = newCache();
  const pins = { '@fixture/dependency': '1.2.3' };
  const got = await installPackage({ ...fixture, cacheDir, asOf: '2026-06-02', pins });
  assert.ok(existsSync(join(got.dir, '../dependency/package.json')));
  assert.deepEqual(contents(cacheDir), ['server@1.2.3,2026-06-02,@fixture+dependency@1.2.3']);
  for (const [dependency, held, code] of [
    ['@fixture/dependency', '9.9.9', 'package.no-version'],
    ['@fixture/dependency', '^1.0.0', 'package.bad-version'],
    ['--global', '1.2.3', 'package.bad-name'],
  ] as const) {
    const bad = installPackage({ ...fixture, cacheDir, pins: { [dependency]: held } });
    await assert.rejects(bad, { code });
  }
});

test('without a network it says so, and what to do', async () => {
  const env = { ...registry.env, npm_config_registry: 'http://127.0.0.1:9' };
  const offline = installPackage({ ...fixture, env, cacheDir: newCache() });
  await assert.rejects(offline, { code: 'package.offline', mend: /Go online once/ });
});

test('a copy of another version is not believed', async () => {
  const cacheDir = newCache();
  const dir = join(cacheDir, '@fixture/server@1.2.3');
  mkdirSync(join(dir, 'node_modules/@fixture/server'), { recursive: true });
  writeFileSync(
    join(dir, 'node_modules/@fixture/server/package.json'),
    '{"name":"@fixture/server","version":"1.2.4"}',
  );
  writeFileSync(join(dir, 'package-lock.json'), '{"packages":{}}');
  const got = await installPackage({ ...fixture, cacheDir });
  assert.equal(got.integrity, registry.integrity);
});

test('ranges, tags, paths and addresses are refused before npm sees them', async () => {
  const cacheDir = newCache();
  for (const version of ['^1.2.3', 'latest', '1.2', '1.2.3 --global']) {
    const bad = installPackage({ ...fixture, cacheDir, version });
    await assert.rejects(bad, { code: 'package.bad-version' });
  }
  for (const name of ['../x', 'git+ssh://x', '--global', '@a/b/c', '']) {
    const bad = installPackage({ ...fixture, cacheDir, name });
    await assert.rejects(bad, { code: 'package.bad-name' }, name);
  }
});

test('a command that the package has not, or that lies outside of it, is refused', async () => {
  const got = await installPackage({ ...fixture, cacheDir: newCache() });
  assert.throws(() => got.bin('none'), { code: 'package.no-bin', mend: 'It has: server, other.' });
  assert.throws(() => got.bin('other'), { code: 'package.no-bin' });
});

test('without npm it says so', async () => {
  const env = { ...registry.env, PATH: temp };
  const bad = installPackage({ ...fixture, env, cacheDir: newCache() });
  await assert.rejects(bad, { code: 'package.no-npm' });
});
