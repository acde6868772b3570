import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findCollisions } from '../../src/measure/collisions.ts';

test('finds names that several servers have, or that differ only in how they are spelled', () => {
  const found = findCollisions([
    { server: 'github', tools: ['update_issue', 'get_me', 'get_me'] },
    { server: 'sentry', tools: ['update_issue', 'whoami'] },
    { server: 'jira', tools: ['updateIssue', 'Get-Me'] },
  ]);
  assert.deepEqual(
    found.map(({ kind, name, tools }) => [kind, name, tools.map(({ server }) => server)]),
    [
      ['same', 'update_issue', ['github', 'sentry']],
      ['alike', 'update_issue', ['github', 'sentry', 'jira']],
      ['alike', 'get_me', ['github', 'jira']],
    ],
  );
});

test('finds different tools that are sent under one name', () => {
  const [found] = findCollisions([
    { server: 'a', tools: ['b__c'] },
    { server: 'a__b', tools: ['c'] },
  ]);
  assert.deepEqual([found?.kind, found?.name], ['sent', 'mcp__a__b__c']);
});

test('says nothing of one server, or of names that differ', () => {
  assert.deepEqual(findCollisions([{ server: 'a', tools: ['x', 'X', 'x'] }]), []);
  assert.deepEqual(
    findCollisions([
      { server: 'a', tools: ['x'] },
      { server: 'b', tools: ['y'] },
    ]),
    [],
  );
});
