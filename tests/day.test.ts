import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDay, lastDay } from '../src/day.ts';

test('a day is one of the calendar, written in full', () => {
  for (const day of ['2026-01-31', '2024-02-29', '2000-02-29', '0001-01-01', '9999-12-31']) {
    assert.equal(isDay(day), true, day);
  }
  for (const none of ['2026-02-29', '1900-02-29', '2026-04-31', '2026-13-01', '2026-00-10']) {
    assert.equal(isDay(none), false, none);
  }
  for (const none of ['9999-99-99', '2026-1-1', '2026', '', '+02026-01-01', '2026-01-01T00:00']) {
    assert.equal(isDay(none), false, none);
  }
});

test('the last day that can be told of is the next one, over the ends of months and years', () => {
  assert.equal(lastDay(new Date('2026-12-31T00:00:00.000Z')), '2027-01-01');
  assert.equal(lastDay(new Date('2024-02-28T23:59:59.999Z')), '2024-02-29');
});
