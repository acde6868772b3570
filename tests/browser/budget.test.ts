/** What each kind of page takes on the way to a reader, in bytes of gzip: page and style sheets, script, fonts. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { DIST } from '../../src/build.ts';
import { site } from '../../src/site.ts';
import { articles, pages } from './site.ts';

const HOME = 14_000;
const PAGE = 20_000;
const ARTICLE = 32_000;
const SCRIPT = 10_000;
const FONTS = 60_000;

const read = (path: string) => readFileSync(`${DIST}${path.slice(site.base.length)}`);
const file = (path: string) =>
  read(`${site.base}${path.endsWith('/') ? `${path}index.html` : path}`);
const gzip = (bytes: Uint8Array) => gzipSync(bytes, { level: 9 }).length;
const sum = (sizes: readonly number[]) => sizes.reduce((so, size) => so + size, 0);
/** What a script loads before it runs. */
function scripts(path: string, seen = new Set<string>()): Set<string> {
  if (seen.has(path)) return seen;
  seen.add(path);
  const text = read(path).toString();
  for (const [, from] of text.matchAll(/(?:^|;|\})import(?:[^"'();]*from)?["']\.\/([^"']+)["']/g)) {
    scripts(`${path.slice(0, path.lastIndexOf('/') + 1)}${from}`, seen);
  }
  return seen;
}

for (const path of pages) {
  const limit = path === '/' ? HOME : articles.includes(path) ? ARTICLE : PAGE;
  test(`${path} takes no more than ${limit} bytes with its style sheets, ${SCRIPT} of script`, () => {
    const bytes = file(path);
    const html = bytes.toString();
    const linked = (pattern: RegExp) => [...html.matchAll(pattern)].map(([, to]) => to!);
    const sheets = linked(/<link rel="stylesheet" href="([^"]+)"/g);
    const whole = gzip(bytes) + sum(sheets.map((sheet) => gzip(read(sheet))));
    assert.ok(sheets.length > 0 && whole <= limit, `${whole} bytes of ${limit}`);
    const loaded = new Set(
      linked(/<script[^>]* src="([^"]+)"/g).flatMap((src) => [...scripts(src)]),
    );
    const script = sum([...loaded].map((src) => gzip(read(src))));
    assert.ok(loaded.size > 0 && script <= SCRIPT, `${script} bytes of script`);
  });
}

test(`all typefaces together take no more than ${FONTS} bytes`, () => {
  const [sheet = ''] = /\/_astro\/Page[^"]+\.css/.exec(file('/').toString()) ?? [];
  const fonts = [
    ...file(sheet)
      .toString()
      .matchAll(/url\(([^)]+\.woff2)\)/g),
  ].map(([, url]) => url!);
  const whole = sum([...new Set(fonts)].map((url) => read(url).length));
  assert.ok(fonts.length > 0 && whole <= FONTS, `${whole} bytes of ${fonts.length} typefaces`);
});
