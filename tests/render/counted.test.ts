import assert from 'node:assert/strict';
import { test } from 'node:test';
import { counted, dollars, listed, noun, number, quantity } from '../../src/render/counted.ts';

test('a number is grouped and has a minus sign, and its noun follows it', () => {
  assert.deepEqual([number(41319), number(-3976), number(29)], ['41,319', '−3,976', '29']);
  assert.deepEqual(
    [counted(1, 'tool'), counted(0, 'tool'), counted(1203, 'entry', 'entries')],
    ['1 tool', '0 tools', '1,203 entries'],
  );
  assert.deepEqual([noun(1, 'is', 'are'), noun(2, 'is', 'are')], ['is', 'are']);
});

test('a recorded decimal is shown with its digits and its unit', () => {
  assert.deepEqual(
    [quantity('41319', 'tokens'), quantity('41.90', '%'), quantity('-0.534', '')],
    ['41,319 tokens', '41.90%', '−0.534'],
  );
  const units = ['tools', 'capabilities', 'bytes', 's', 'tokens/tool', '%', ''];
  assert.deepEqual(
    units.map((unit) => quantity('1', unit)),
    ['1 tool', '1 capability', '1 byte', '1 s', '1 tokens/tool', '1%', '1'],
  );
  assert.equal(quantity('1.0', 'times'), '1.0 times');
});

test('dollars have two digits after the point, or none, or as many as a price has', () => {
  assert.deepEqual(
    [dollars(5), dollars(0.2), dollars(0.075), dollars(1234.5, 2), dollars(0.123, 2)],
    ['5', '0.20', '0.075', '1,234.50', '0.12'],
  );
});

test('names are listed with an and before the last', () => {
  assert.deepEqual([[], ['a'], ['a', 'b'], ['a', 'b', 'c']].map(listed), [
    '',
    'a',
    'a and b',
    'a, b and c',
  ]);
});
