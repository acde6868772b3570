import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseReleases, parseServers } from '../../src/articles/servers.ts';

const server = (name: string, version: string, more = '') =>
  `- { name: ${name}, package: ${name}, version: ${version}, as_of: 2026-11-30, licence: MIT${more} }\n`;
const names = (servers: { name: string; version: string }[]) =>
  servers.map(({ name, version }) => `${name}@${version}`);

test('gives the servers of now at their current version, and every release, the oldest first', () => {
  const yaml =
    server('a', '2.0.0', ', releases: [0.9.0, 1.0.0]') +
    server('b', '1.0.0') +
    server('c', '3.0.0', ', releases: [1.0.0], history_only: true');
  assert.deepEqual(names(parseServers(yaml)), ['a@2.0.0', 'b@1.0.0']);
  assert.deepEqual(names(parseReleases(yaml)), [
    ...['a@0.9.0', 'a@1.0.0', 'a@2.0.0', 'b@1.0.0', 'c@1.0.0', 'c@3.0.0'],
  ]);
});

test('pins dependencies of the releases that are named, and of no other', () => {
  const pins = ', releases: [0.8.0, 0.9.0], pins: [{ dependency: zod, at: 3.25.76, for: [0.9.0] }]';
  const yaml = server('a', '1.0.0', pins);
  const pinned = parseReleases(yaml).map((release) => release.pins);
  assert.deepEqual(pinned, [{}, { zod: '3.25.76' }, {}]);
});

test('refuses what would be weighed twice or not at all, at its place', () => {
  for (const [more, message] of [
    [', releases: [1.0.0, 2.0.0]', /:1:\d+: .*a names 1\.0\.0 twice/],
    [', releases: [0.1.0, 0.1.0]', /a names 0\.1\.0 twice/],
    [', releases: [^0.1.0]', /an exact version/],
    [', history_only: true', /a has no releases before its current one/],
    [', pins: [{ dependency: zod, at: 3.25.76, for: [0.9.0] }]', /a lists no release 0\.9\.0/],
    [', pins: [{ dependency: zod, at: ^3, for: [0.9.0] }]', /an exact version/],
  ] as const) {
    assert.throws(
      () => parseReleases(server('a', '1.0.0', more)),
      (error) => {
        assert.match(String(error), message);
        return true;
      },
    );
  }
});
