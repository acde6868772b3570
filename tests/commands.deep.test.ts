import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VERBS } from '../src/commands.ts';
import { weighbridge } from './weighbridge.ts';

test('every verb refuses an option that it does not know, by name', () => {
  for (const verb of VERBS) {
    const { status, stderr } = weighbridge(verb, '--no-such-option');
    assert.equal(status, 2, `${verb}: ${stderr}`);
    assert.match(stderr, /--no-such-option/);
  }
});
