import { test } from 'node:test';
import { recounted } from './site.ts';
import { changes } from './weigh.ts';

for (const path of recounted.slice(1)) {
  for (const [what, check] of Object.entries(changes)) {
    test(`${path}: ${what}`, () => check(path));
  }
}
