import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Board } from '../../src/probe/board.ts';

function draw(screen: { isTTY?: boolean; rows?: number; columns?: number }): string {
  let written = '';
  const write = (text: string) => {
    written += text;
  };
  const board = new Board(['a', 'long'], { ...screen, write });
  board.set('a', 'starting', { passing: true });
  board.set('long', '26 tools');
  return written;
}

test('elsewhere than on a terminal each thing that counts gets a plain line', () => {
  assert.equal(draw({}), 'long  26 tools\n');
});

test('a terminal shows a line for each server and draws them again in place, cut to its width', () => {
  const first = '\x1b[2Ka     starting\n\x1b[2Klong  waiting\n';
  const second = '\x1b[2A\x1b[2Ka     starting\n\x1b[2Klong  26 tools\n';
  assert.equal(draw({ isTTY: true, rows: 24 }), first + second);
  assert.ok(draw({ isTTY: true, rows: 24, columns: 9 }).endsWith('\x1b[2Klong  26\n'));
});

test('a terminal with too few rows gets plain lines', () => {
  assert.equal(draw({ isTTY: true, rows: 2 }), 'long  26 tools\n');
});
