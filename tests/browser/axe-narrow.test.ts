import { test } from 'node:test';
import { holdsNarrow, sample } from './axe.ts';
import { kinds, visit } from './site.ts';

// Every other kind here, the others on the desk; pages.deep.test.ts looks at each both ways.
for (const path of kinds.filter((_, at) => at % 2 === 0)) {
  test(`${path} has no accessibility fault on a phone, in light`, () =>
    visit(path, {}, async (page) => {
      await sample(page);
      await holdsNarrow(page);
    }));
}
