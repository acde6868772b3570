import { test } from 'node:test';
import { holdsWide, sample } from './axe.ts';
import { kinds, visit } from './site.ts';

// Every other kind here, the others on the phone; pages.deep.test.ts looks at each both ways.
for (const path of kinds.filter((_, at) => at % 2 === 1)) {
  test(`${path} has no accessibility fault on a desk, in dark`, () =>
    visit(path, {}, async (page) => {
      await sample(page);
      await holdsWide(page);
    }));
}
