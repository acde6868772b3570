import assert from 'node:assert/strict';
import { test } from 'node:test';
import { o200k } from '../../src/measure/o200k.ts';
import { weighSkill } from '../../src/measure/skill.ts';

const tokenizer = o200k();
const weighed = (text: string, folder = 'tare') => weighSkill(text, { folder, tokenizer });

test('counts name and description as resident, and what follows the front matter as body', () => {
  const text = '---\nname: tare\ndescription: Sets to zero\n---\n# Tare\n\nPress.\n';
  assert.deepEqual(weighed(text), {
    name: 'tare',
    resident: tokenizer.count('tare: Sets to zero'),
    body: tokenizer.count('# Tare\n\nPress.\n'),
    warnings: [],
  });
  for (const odd of [`\ufeff${text}`, text.replaceAll('\n', '\r\n')]) {
    assert.ok('resident' in weighed(odd), JSON.stringify(odd));
  }
  const folded = '---\nname: tare\ndescription: >-\n  Sets\n  to zero\n---';
  assert.deepEqual(weighed(folded), { ...weighed(text), body: 0 });
});

test('a skill without a name goes by its folder, and one with another name is told', () => {
  const unnamed = weighed('---\ndescription: x\n---\n');
  assert.ok('name' in unnamed && unnamed.name === 'tare');
  assert.equal(unnamed.warnings[0]?.code, 'skill.no-name');
  const other = weighed('---\nname: gross\ndescription: x\n---\n');
  assert.ok('name' in other && other.warnings[0]?.code === 'skill.other-name');
});

test('says why a file is no skill', () => {
  for (const [text, code] of [
    ['# Just text', 'skill.no-front-matter'],
    ['', 'skill.no-front-matter'],
    ['---\nname: x\n', 'skill.no-front-matter'],
    ['---\nname: [x\n---\n', 'skill.bad-front-matter'],
    ['---\ndescription: a: b\n---\n', 'skill.bad-front-matter'],
    ['---\nname: x\n---\n', 'skill.no-description'],
    ['---\n---\n', 'skill.no-description'],
    ['---\n- a\n---\n', 'skill.no-description'],
    ['---\ndescription: " "\n---\n', 'skill.no-description'],
  ] as const) {
    const found = weighed(text);
    assert.ok('code' in found && found.code === code && found.mend !== '', JSON.stringify(text));
  }
});
