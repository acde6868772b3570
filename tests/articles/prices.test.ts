import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parsePrices } from '../../src/articles/prices.ts';

const YAML = readFileSync(new URL('../../content/prices.yaml', import.meta.url), 'utf8');

test('each price is read off characters that its quote holds', () => {
  assert.deepEqual(
    parsePrices(YAML).map(({ value }) => value),
    ['5', '0.20', '6.25', '0.50'],
  );
  const refused = (from: string, to: string, said: RegExp) =>
    assert.throws(() => parsePrices(YAML.replace(from, to)), said);
  refused('characters: $5 / MTok', 'characters: $6 / MTok', /quote does not hold/);
  refused('value: "5"', 'value: "50"', /do not say 50/);
  refused('value: "5"', 'value: "5.0"', /do not say 5.0/);
});
