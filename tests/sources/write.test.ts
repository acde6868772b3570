import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeFindings } from '../../src/sources/write.ts';

const write = (text: string, ...ids: string[]) =>
  writeFindings(
    'sources.yaml',
    text,
    new Map(ids.map((id) => [id, { status: 'verified' as const, day: '2026-11-30' }])),
  );

test('writes the status and its day, and leaves every other byte to its author', () => {
  const text = `# What it rests on.
- id: one   # the first
  quote: "It costs:  40"
  quote_status:   unverified   # read in a copy
  summary: >-
    Folded
    text.

-   quote_status: 'gone'
    id: two
    checked: "2026-01-02" # by hand
-   { id: three, quote_status: unverified, figures: [ { name: a } ] }
- id: four
  quote_status: unverified`;
  assert.equal(
    write(text, 'one', 'two', 'three', 'four'),
    `# What it rests on.
- id: one   # the first
  quote: "It costs:  40"
  quote_status:   verified   # read in a copy
  checked: 2026-11-30
  summary: >-
    Folded
    text.

-   quote_status: verified
    id: two
    checked: 2026-11-30 # by hand
-   { id: three, quote_status: verified, checked: 2026-11-30, figures: [ { name: a } ] }
- id: four
  quote_status: verified
  checked: 2026-11-30`,
  );
  assert.equal(write(text), text);
  assert.equal(write(write(text, 'one'), 'one'), write(text, 'one'));
});

test('keeps the line ends of Windows', () => {
  assert.equal(
    write('- id: one\r\n  quote_status: gone\r\n  url: x\r\n', 'one'),
    '- id: one\r\n  quote_status: verified\r\n  checked: 2026-11-30\r\n  url: x\r\n',
  );
});

for (const [what, text] of [
  ['an alias', '- id: zero\n  a: &s gone\n- id: one\n  quote_status: *s\n'],
  ['a text of several lines', '- id: one\n  quote_status: |-\n    gone\n  url: x\n'],
]) {
  test(`writes nothing where the status is ${what}, and says so`, () => {
    assert.throws(() => write(text!, 'one'), { code: 'sources.layout', at: 'sources.yaml' });
  });
}
