import assert from 'node:assert/strict';
import { test } from 'node:test';
import { COMMANDS, type Command, help, overview, VERBS } from '../src/commands.ts';
import { weighbridge } from './weighbridge.ts';

test('every verb knows every option that its help names, and says so in the words of the table', () => {
  for (const verb of VERBS) {
    const { options }: Command = COMMANDS[verb];
    const all = Object.entries(options).flatMap(([name, { type }]) =>
      type === 'boolean' ? [`--${name}`] : [`--${name}`, '1'],
    );
    // What cannot go together is refused, so verbs that look at that first get help alone.
    const args = ['verify', 'wire'].includes(verb) ? ['--help'] : all;
    const { status, stdout, stderr } = weighbridge(verb, ...args);
    assert.deepEqual([status, stderr], [0, ''], `${verb}: ${stderr}`);
    for (const [name, { says }] of Object.entries(options)) {
      assert.match(stdout, new RegExp(`\\n {2}--${name} `));
      // refresh tells, in words of its own, how many cores it found.
      if (verb !== 'refresh') assert.ok(stdout.includes(says.split('\n')[0]!), says);
    }
  }
});

test('without a verb it lists them all, and an unknown one is a wrong use', () => {
  assert.equal(weighbridge().stdout, overview());
  assert.equal(weighbridge('--help').stdout, overview());
  for (const verb of VERBS) assert.match(overview(), new RegExp(`\\n {2}${verb} `));
  const { status, stderr } = weighbridge('wiegh');
  assert.equal(status, 2);
  assert.match(stderr, /^no verb is called wiegh/);
});

test('help fits a terminal of 120 columns, but for the exit codes', () => {
  for (const verb of VERBS) {
    for (const line of help(verb).split('\n')) {
      if (!line.startsWith('exit: ')) assert.ok(line.length <= 120, `${verb}: ${line}`);
    }
  }
});
