/**
 * The real servers of content/servers.yaml, weighed as `npm run refresh` does: each must give the
 * very bytes that the ledger has a receipt for. Packages come from .cache/ or, the first time, from
 * the network; where there is neither, this says so and fails unless WEIGHBRIDGE_OFFLINE=1.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parseServers } from '../../src/articles/servers.ts';
import { openLedger } from '../../src/disk/ledger.ts';
import { captureKey } from '../../src/ledger/fold.ts';
import { type Attempt, captureAll } from '../../src/probe/refresh.ts';

const servers = parseServers(readFileSync('content/servers.yaml', 'utf8'));
const { fold } = openLedger('ledger');
const offlineIsFine = process.env['WEIGHBRIDGE_OFFLINE'] === '1';

/** All at once, since a place and a lock are shared; the tests below look at one attempt each. */
const attempts = captureAll(servers, {
  cacheDir: '.cache/npm',
  run: new Date().toISOString(),
  timeoutMs: 60_000,
  jobs: 2,
  waitMs: 120_000,
}).then((all) => new Map(all.map((attempt) => [attempt.server.name, attempt])));

test('every server of the list is tried', async () => {
  assert.ok(servers.length > 0);
  assert.deepEqual(
    [...(await attempts).keys()],
    servers.map(({ name }) => name),
  );
});

for (const { name, version } of servers) {
  test(`${name} ${version} gives the bytes that the ledger has a receipt for`, async (t) => {
    const attempt: Attempt | undefined = (await attempts).get(name);
    assert.ok(attempt !== undefined);
    if ('problem' in attempt) {
      if (attempt.problem.code !== 'package.offline') throw attempt.problem;
      const said = `not run: ${name} is not in .cache/ and there is no network`;
      assert.ok(offlineIsFine, `${said}; pass --offline to let that be`);
      return t.diagnostic(said);
    }
    const { body } = attempt.capture;
    assert.equal(body.failure, null);
    assert.deepEqual([body.answer?.same_order, body.answer?.same_bytes], [true, true]);
    assert.deepEqual(body.redactions, []);
    const receipt = fold.captures.get(captureKey(name, version))?.captured;
    assert.ok(receipt, 'the ledger has no capture of it: npm run refresh');
    assert.equal(body.blob?.sha256, receipt.entry.body.blob?.sha256);
    assert.equal(body.package.integrity, receipt.entry.body.package.integrity);
  });
}
