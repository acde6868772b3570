import { test } from 'node:test';
import { articles } from './site.ts';
import { changes } from './weigh.ts';

for (const path of articles.slice(1)) {
  for (const [what, check] of Object.entries(changes)) {
    test(`${path}: ${what}`, () => check(path));
  }
}
