import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { checkout, node } from './checkout.ts';

/** SHA-256 of every built file by its path. */
function digests(root: string): Record<string, string> {
  const paths = globSync('**/*', { cwd: join(root, 'dist'), withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(
    paths.sort().map((path) => [path.slice(root.length), hash('sha256', readFileSync(path))]),
  );
}

test('two builds of the same content, in two folders, are equal byte for byte', async (t) => {
  const [one, two] = [checkout((remove) => t.after(remove)), checkout((remove) => t.after(remove))];
  for (const root of [one, two]) {
    const { code, output } = await node(root, ['scripts/build.ts']);
    assert.equal(code, 0, output);
  }
  assert.ok(Object.keys(digests(one)).length > 10);
  assert.deepEqual(digests(one), digests(two));
});

test('under another origin and a base path every link leads somewhere below it, and no text says otherwise', async (t) => {
  const root = checkout((remove) => t.after(remove));
  const env = { SITE_URL: 'https://fork.example', BASE_PATH: '/scales' };
  const built = await node(root, ['scripts/build.ts'], env);
  assert.equal(built.code, 0, built.output);
  const links = await node(root, ['scripts/links.ts'], env);
  assert.equal(links.code, 0, links.output);
  // What follows links can miss one in a script or in prose: no address of the site lacks its base.
  const texts = globSync('dist/**/*.{html,md,json,css,js,xml,txt}', { cwd: root })
    .filter((path) => !path.startsWith('dist/ledger/'))
    .map((path) => [path, readFileSync(join(root, path), 'utf8')] as const);
  assert.ok(texts.length > 5);
  for (const [path, text] of texts) {
    assert.doesNotMatch(text, /https:\/\/fork\.example(?!\/scales[/"])/, path);
    // In prose and in captured text a path may stand without the base; where it is followed it may not.
    const followed = path.endsWith('.js')
      ? /["'`]\/(?:a|api|ledger|_astro)\//
      : /(?:(?:href|src|action)="|\]\(|url\(["']?)\/(?:a|api|ledger|_astro)\//;
    assert.doesNotMatch(text, followed, path);
    assert.doesNotMatch(text, /localhost:4321\/(?:a|api|ledger)/, path);
  }
});
