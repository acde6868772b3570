import { test } from 'node:test';
import { holdsForAll } from './axe.ts';
import { pages, visit } from './site.ts';

for (const path of pages) {
  test(`${path}, every row and ticket of it, has no accessibility fault`, () =>
    visit(path, {}, holdsForAll));
}
