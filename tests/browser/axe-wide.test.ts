import { test } from 'node:test';
import { holdsWide, sample } from './axe.ts';
import { kinds, visit } from './site.ts';

for (const path of kinds) {
  test(`${path} has no accessibility fault on a desk, in dark`, () =>
    visit(path, {}, async (page) => {
      await sample(page);
      await holdsWide(page);
    }));
}
