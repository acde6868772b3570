import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { newSite } from '../../src/kit/site.ts';
import { node } from '../checkout.ts';

test('a new site passes types, lint, number lint, build and links as it was made, below its base path', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'weighbridge-kit-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const dir = join(folder, 'site');
  newSite(resolve('.'), {
    dir,
    name: 'Mine',
    url: new URL('https://example.org/sub'),
    origin: null,
    key: null,
    random: '0a1b2c3d',
  });
  symlinkSync(resolve('node_modules'), join(dir, 'node_modules'));
  const bin = (path: string) => `node_modules/${path}`;
  for (const args of [
    ['scripts/verify.ts'],
    ['scripts/lint-numbers.ts'],
    ['scripts/record.ts', '--dry-run'],
    ['scripts/build.ts'],
    ['scripts/links.ts'],
    // What is written down of an address, a name or a base path must not be that of the site it came from.
    ['--test', 'tests/render/*.test.ts', 'tests/articles/*.test.ts', 'tests/commands.test.ts'],
    [bin('typescript/bin/tsc'), '-p', '.'],
    [
      bin('@biomejs/biome/bin/biome'),
      'check',
      'content',
      'scripts',
      'src',
      'tests',
      '--error-on-warnings',
      '--diagnostic-level=warn',
    ],
  ]) {
    const { code, output } = await node(dir, args);
    assert.equal(code, 0, `${args.join(' ')}: ${output}`);
  }
});
