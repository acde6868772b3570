/** Compares text with tests/golden/<name>; a missing one is written, except in CI, where it fails. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { address } from '../../src/site.ts';

/** Where golden files stand, whatever src/site.ts calls this site. */
export const SITE = address({}, { name: 'Weighbridge', url: 'http://localhost:4321', base: '' });

export function matchesGolden(
  name: string,
  text: string,
  { ci = process.env['CI'] !== undefined, folder = new URL('../golden/', import.meta.url) } = {},
): void {
  const path = fileURLToPath(new URL(name, folder));
  if (!existsSync(path)) {
    assert.ok(
      !ci,
      `tests/golden/${name} is missing: run the tests locally and commit what they write`,
    );
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return;
  }
  assert.equal(text, readFileSync(path, 'utf8'), `differs from tests/golden/${name}`);
}
