import { test } from 'node:test';
import { agreesOnRandomText } from './oracle.ts';

test('gives the tokens of js-tiktoken for thousands of random texts', () => {
  agreesOnRandomText(6_000);
});
