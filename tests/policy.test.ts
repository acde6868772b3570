import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { HEADER_POLICY, POLICY } from '../src/policy.ts';
import { SECURITY } from '../src/serve.ts';

test('the policy starts from nothing, and allows what the site serves and one compiler of WebAssembly', () => {
  const rules = new Map(
    POLICY.split('; ').map((rule) => [rule.split(' ')[0], rule.split(' ').slice(1)]),
  );
  assert.deepEqual(rules.get('default-src'), ["'none'"]);
  for (const [name, sources] of rules) {
    for (const source of sources ?? []) {
      const exception =
        (name === 'script-src' && source === "'wasm-unsafe-eval'") ||
        (name === 'worker-src' && source === 'blob:');
      assert.ok(exception || source === "'self'" || source === "'none'", `${name} ${source}`);
    }
  }
  assert.match(HEADER_POLICY, /; frame-ancestors 'none'$/);
});

test('hosts of static files are told to send just the headers that our own server sends', () => {
  const [, every = ''] = readFileSync('public/_headers', 'utf8').split(/^\/.*$/m);
  const told = every
    .trim()
    .split(/\n\s*/)
    .map((line) => {
      const at = line.indexOf(': ');
      return [line.slice(0, at), line.slice(at + 2)];
    });
  assert.deepEqual(Object.fromEntries(told), SECURITY);
});

/** What turns text into markup, and the files that may: each gives it what src/render made and escaped. */
const MAY = [
  /^src\/pages\/a\/\[slug\](?:\/claims\/\[id\])?\.astro$/,
  /^src\/components\/RunTable\.astro$/,
  /^src\/pages\/index\.astro$/,
  /^src\/pages\/servers\//,
  /^src\/browser\/weighed\.ts$/, // a bar, of numbers alone
];

test('no component or script makes markup of text, but for charts and linked data', () => {
  const raw = globSync('src/**/*.{astro,ts}')
    .filter((path) =>
      /set:html|\.innerHTML|insertAdjacentHTML|outerHTML|document\.write|\beval\(/.test(
        readFileSync(path, 'utf8'),
      ),
    )
    .filter((path) => !MAY.some((may) => may.test(path)));
  assert.deepEqual(raw, []);
  const styled = globSync('src/**/*.astro').filter((path) =>
    / (?:style|on[a-z]+)=/.test(readFileSync(path, 'utf8')),
  );
  assert.deepEqual(styled, [], 'no inline style or handler, which the policy would refuse');
});
