import { test } from 'node:test';
import { holdsNarrow, sample } from './axe.ts';
import { kinds, visit } from './site.ts';

for (const path of kinds) {
  test(`${path} has no accessibility fault on a phone, in light`, () =>
    visit(path, {}, async (page) => {
      await sample(page);
      await holdsNarrow(page);
    }));
}
