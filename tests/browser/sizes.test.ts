/**
 * What a page takes before it can be read, gzipped, against what it may take. The sheet for paper loads
 * apart and is not of it.
 */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { DIST } from '../../src/build.ts';
import { site } from '../../src/site.ts';

/** Bytes of all typefaces together. */
const MOST_FONTS = 60_000;
/** Bytes of HTML and CSS; every page of a kind is held to it. */
const KINDS: [pattern: string, most: number][] = [
  ['index.html', 14_000],
  ['servers/**/index.html', 20_000],
  ['weigh/index.html', 20_000],
  ['a/*/index.html', 32_000],
  ['a/*/claims/*/index.html', 20_000],
  ['clients/**/index.html', 20_000],
  ['directory/**/index.html', 20_000],
  ['ledger/index.html', 20_000],
  ['ledger/by/**/index.html', 20_000],
  ['{corrections,deploy,evidence,symptoms}/index.html', 20_000],
];
/** Of scripts that load with a page. */
const MOST_SCRIPT = 10_000;

const size = (path: string): number => gzipSync(readFileSync(path), { level: 9 }).length;
const files = (html: string, pattern: RegExp): string[] =>
  [...html.matchAll(pattern)].map(([, url = '']) => `${DIST}${url.slice(site.base.length)}`);

for (const [pattern, most] of KINDS) {
  test(`${pattern}: HTML and CSS take no more than ${most} bytes, scripts no more than ${MOST_SCRIPT}`, () => {
    const pages = globSync(pattern, { cwd: DIST });
    assert.ok(pages.length > 0);
    let largest = { page: '', bytes: 0 };
    const over: string[] = [];
    for (const page of pages) {
      const html = readFileSync(`${DIST}/${page}`, 'utf8');
      const sheets = files(html, /<link rel="stylesheet" href="([^"]+)"/g);
      assert.ok(sheets.length > 0);
      const bytes = [`${DIST}/${page}`, ...sheets].reduce((sum, path) => sum + size(path), 0);
      if (bytes > most) over.push(`${page}: ${bytes} bytes`);
      if (bytes > largest.bytes) largest = { page, bytes };
      const scripts = files(html, /<script type="module" src="([^"]+)"/g).flatMap((path) => [
        path,
        // What it imports loads with it.
        ...[...readFileSync(path, 'utf8').matchAll(/from\s*"\.\/([^"]+\.js)"/g)].map(
          ([, name = '']) => `${DIST}/_astro/${name}`,
        ),
      ]);
      const script = [...new Set(scripts)].reduce((sum, path) => sum + size(path), 0);
      assert.ok(script <= MOST_SCRIPT, `${page}: ${script} bytes of script`);
    }
    console.log(`${pattern}: ${largest.page} is the largest with ${largest.bytes} bytes`);
    assert.deepEqual(over, []);
  });
}

test(`all typefaces together take no more than ${MOST_FONTS} bytes`, () => {
  const fonts = globSync('_astro/*.woff2', { cwd: DIST });
  const bytes = fonts.reduce((sum, path) => sum + readFileSync(`${DIST}/${path}`).length, 0);
  console.log(`${fonts.length} typefaces: ${bytes} bytes`);
  assert.ok(fonts.length > 0 && bytes <= MOST_FONTS, `${bytes} bytes`);
});
