/** What our own content/ names. A site that is made from this one has its own, and goes without. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parseReleases, parseServers } from '../../src/articles/servers.ts';

test('the real list names ten servers of now and two for their history, each with releases', () => {
  const yaml = readFileSync('content/servers.yaml', 'utf8');
  const current = parseServers(yaml).map(({ name }) => name);
  const all = Map.groupBy(parseReleases(yaml), ({ name }) => name);
  assert.equal(current.length, 10);
  assert.deepEqual(
    [...all.keys()].filter((name) => !current.includes(name)),
    ['mongodb', 'firecrawl'],
  );
  for (const [name, releases] of all) assert.ok(releases.length >= 4, name);
});
