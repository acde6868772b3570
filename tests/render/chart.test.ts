import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dots } from '../../src/render/chart.ts';

test('a chart is the same each time, tells its finding, and needs no style attribute', () => {
  const rows = [
    {
      label: '<1>',
      points: [
        { value: 10, text: '10', says: 'a' },
        { value: 10, text: '10', says: 'b' },
        { value: 0, text: '0', says: 'c' },
      ],
    },
  ];
  const svg = dots(rows, 'a "finding"');
  assert.equal(svg, dots(rows, 'a "finding"'));
  assert.match(svg, /role="img" aria-label="a &#34;finding&#34;"/);
  assert.doesNotMatch(svg, /style=|<1>/);
  assert.equal(svg.match(/<circle/g)?.length, 2, 'equal values share a dot');
  assert.match(svg, /text-anchor="end">a, b 10</);
});
