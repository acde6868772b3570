import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Choice, DEFAULTS, parseChoice, printChoice } from '../../src/browser/choice.ts';

test('a choice comes back from the address as it was put there', () => {
  const choice: Choice = {
    servers: ['notion', 'github'],
    own: [
      { name: 'mine, & yours=#', upfront: 1234, deferred: 56 },
      { name: '', upfront: 1, deferred: 0 },
    ],
    ...{ loading: 'deferred', window: 128_000, turns: 3, sessions: 7 },
    ...{ model: '', write: 0.5, read: 0, layout: 'layers=16,heads=4,dim=256,bytes=2' },
  };
  assert.deepEqual(parseChoice(`#${printChoice(choice)}`), choice);
});

test('prices of a cited model are its own, not the address’s', () => {
  const choice: Choice = { ...DEFAULTS, model: 'claude-opus-5-5', write: 5, read: 0.2 };
  assert.equal(printChoice(choice), 'model=claude-opus-5-5');
});

test('the plain choice is the plain address', () => {
  assert.equal(printChoice(DEFAULTS), '');
  assert.deepEqual(parseChoice(''), DEFAULTS);
});

test('what an address says badly is as if it said nothing', () => {
  const bad =
    '#window=0&turns=-1&sessions=1e9&loading=never&write=Infinity&read=x&own=1,mine&own=a,b,c&s=,';
  assert.deepEqual(parseChoice(bad), DEFAULTS);
  assert.equal(parseChoice('#window=99999999999').window, DEFAULTS.window);
  assert.equal(parseChoice(`#${'own=1,1,x&'.repeat(999)}`).own.length, 20);
});
