import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { append } from '../../src/disk/append.ts';
import { leaveInInbox } from '../../src/disk/inbox.ts';
import { captureServer } from '../../src/probe/capture.ts';
import { recordCaptures } from '../../src/probe/refresh.ts';
import { makeHouse } from './house.ts';

const ALPHABET = 'q7Zt3Vb9Xw2Lk5Rm8Yp4Dh6Gs1Jf0NcTeUa'.repeat(2);
/** Any part of a planted token that is long enough to know it by. */
const PARTS = Array.from({ length: ALPHABET.length / 2 }, (_, at) => ALPHABET.slice(at, at + 12));
const RUN = '2026-11-30T00:00:00.000Z';

for (const how of ['list', 'error', 'exit']) {
  test(`of a secret planted in every place of an answer none is stored: ${how}`, async (t) => {
    const house = makeHouse({ 'plants-secrets': how === 'list' ? [] : [how] });
    const [server] = house.servers;
    assert.ok(server !== undefined);
    const { cacheDir, places, ledger } = house;
    const options = { cacheDir, places, run: RUN, timeoutMs: 20_000 };
    const capture = await captureServer(server, options);
    assert.equal(capture.body.outcome, how === 'list' ? 'captured' : 'failed');
    await append(ledger, { actor: 'test', ts: RUN }, (batch) => {
      recordCaptures(batch, [capture]);
    });
    leaveInInbox(ledger, [capture]);
    const stored = readdirSync(ledger, { recursive: true, encoding: 'utf8' })
      .map((name) => join(ledger, name))
      .filter((path) => statSync(path).isFile());
    for (const path of stored) {
      const text = readFileSync(path, 'latin1');
      assert.deepEqual(
        PARTS.filter((part) => text.includes(part)),
        [],
        path,
      );
    }
    const { redactions } = capture.body;
    if (how === 'list') assert.ok(redactions.length >= 40, `${redactions.length} places`);
    const said = stored.map((path) => readFileSync(path, 'latin1')).join('');
    assert.match(said, /\[redacted /);
    t.diagnostic(`${redactions.length} places, ${stored.length} files, none holds a secret`);
  });
}
