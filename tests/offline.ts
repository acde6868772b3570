/** What a test does for which a package is needed that is neither cached nor to be had. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { Problem } from '../src/problem.ts';

/** What `get` gives; null without a network, which fails the test unless --offline lets it pass. */
export async function unlessOffline<T>(t: TestContext, get: () => Promise<T>): Promise<T | null> {
  try {
    return await get();
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'package.offline') throw error;
    const said = `not run: ${error.message}`;
    t.diagnostic(said);
    assert.equal(
      process.env['WEIGHBRIDGE_OFFLINE'],
      '1',
      `${said}; give --offline to let this pass`,
    );
    return null;
  }
}
