import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { LineTooLong } from '../../src/probe/lines.ts';
import { Events } from '../../src/probe/sse.ts';

function read(text: string, cuts: number[] = [], limit = 1000) {
  const events = new Events(limit);
  const bytes = Buffer.from(text);
  const ends = [...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b), bytes.length];
  const got = ends.flatMap((end, i) => [...events.push(bytes.subarray(ends[i - 1] ?? 0, end))]);
  return {
    events: got.map(({ type, data }) => [type, Buffer.from(data).toString()]),
    lastId: events.lastId,
    retryMs: events.retryMs,
  };
}

const CASES: [what: string, stream: string, events: string[][]][] = [
  [
    'lines that end with LF, CRLF and CR',
    'data: a\n\ndata: b\r\n\r\ndata: c\r\r',
    m('a', 'b', 'c'),
  ],
  ['several data lines, joined by line feeds', 'data: a\ndata:  b\ndata\n\n', m('a\n b\n')],
  [
    'an event of another type',
    'event: endpoint\ndata: /x\n\ndata: y\n\n',
    [['endpoint', '/x'], ...m('y')],
  ],
  [
    'comments, unknown fields and events without data',
    ': hi\nfoo: 1\n\nid: 7\n\ndata: a\n\n',
    m('a'),
  ],
  ['a byte order mark at the start, and only there', '\ufeffdata: a\n\n\ufeffdata: b\n\n', m('a')],
  ['the last event, left out where no empty line ends it', 'data: a\n\ndata: b\n', m('a')],
  ['only one space after the colon', 'data:a\n\ndata:  a\n\n', m('a', ' a')],
  ['an empty payload', 'data:\n\n', m('')],
];

function m(...data: string[]): string[][] {
  return data.map((text) => ['message', text]);
}

for (const [what, stream, events] of CASES) {
  test(`an event stream: ${what}, however it is cut`, () => {
    assert.deepEqual(read(stream).events, events);
    const cuts = fc.uniqueArray(fc.nat(Buffer.byteLength(stream)));
    fc.assert(fc.property(cuts, (at) => assert.deepEqual(read(stream, at).events, events)));
  });
}

test('the id to come back with and the time to wait are kept, and bad ones passed over', () => {
  const got = read('id: 1\nretry: 250\n\nid: 2\0\nretry: soon\ndata: a\n\n');
  assert.equal(got.lastId, '1');
  assert.equal(got.retryMs, 250);
});

test('an event that grows past the limit is refused, while comments may come for ever', () => {
  assert.throws(() => read(`data: ${'a'.repeat(200)}`, [], 100), LineTooLong);
  assert.throws(() => read('data: a\n'.repeat(200), [], 100), LineTooLong);
  assert.deepEqual(read(`${': keep-alive\n'.repeat(200)}data: a\n\n`, [], 100).events, m('a'));
});

test('two megabytes of short lines in one chunk are read in linear time', () => {
  const started = performance.now();
  assert.equal(read('data: a\n\n'.repeat(220_000), [], 100).events.length, 220_000);
  assert.ok(performance.now() - started < 10_000);
});
