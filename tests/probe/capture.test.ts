import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openLedger } from '../../src/disk/ledger.ts';
import { Batch } from '../../src/ledger/batch.ts';
import { ToolsListBody } from '../../src/ledger/entry.ts';
import { installPackage } from '../../src/packages/install.ts';
import { type Capture, type CaptureOptions, captureServer } from '../../src/probe/capture.ts';
import { recordCaptures } from '../../src/probe/refresh.ts';
import { makeHouse } from './house.ts';

const RUN = '2026-11-30T00:00:00.000Z';
const stamp = { actor: 'test', ts: RUN };
const house = makeHouse({
  good: [],
  'writes-home': [],
  'tells-secrets': [],
  'exits-early': [],
  'changes-order': [],
  'prints-junk': [],
});

function capture(
  name: string,
  args?: string[],
  options: Partial<CaptureOptions> = {},
  pins: Record<string, string> = {},
): Promise<Capture> {
  const server = house.servers.find((each) => each.name === name);
  assert.ok(server !== undefined);
  return captureServer(
    { ...server, pins, args: args ?? server.args },
    { cacheDir: house.cacheDir, run: RUN, timeoutMs: 20_000, places: house.places, ...options },
  );
}

test('a capture says all that another machine needs, and its bytes are those of the wire', async () => {
  const { body, payload } = await capture('good');
  assert.deepEqual(ToolsListBody.parse(body), body);
  assert.match(Buffer.from(payload ?? []).toString(), /^\{"jsonrpc":"2.0","id":1001,.*\}\n$/);
  assert.equal(body.package.integrity, 'sha512-fixture');
  assert.deepEqual(body.recipe, {
    transport: 'stdio',
    args: [],
    env: {},
    place: join(house.places, 'good'),
    node: process.version,
    protocol_requested: '2025-11-25',
    client_capabilities: '{}',
  });
  assert.deepEqual(body.redactions, []);
  const again = await capture('good');
  assert.equal(again.body.blob?.sha256, body.blob?.sha256);
});

test('a server gets an empty home and folder in a fixed place, little else, and nothing of it stays', async () => {
  for (const _ of [1, 2]) {
    const { payload } = await capture('writes-home');
    const place = join(house.places, 'writes-home');
    const said = Buffer.from(payload ?? []).toString();
    assert.ok(said.includes(`"${place}/home ${place}/work [] HOME,PATH"`), said);
  }
  assert.deepEqual(
    readdirSync(house.places).filter((name) => !name.startsWith('.')),
    [],
  );
});

test('secrets and local paths reach neither the payload nor the tail of stderr', async () => {
  const { body, payload } = await capture('tells-secrets');
  const said = Buffer.from(payload ?? []).toString();
  assert.match(said, /token \[redacted github-token\] of \[redacted local-path\]/);
  assert.deepEqual(body.redactions.map(({ rule }) => rule).sort(), ['github-token', 'local-path']);
  const failed = await capture('tells-secrets', ['exit']);
  const tail = failed.body.failure?.stderr_tail ?? '';
  assert.match(tail, /^token \[redacted github-token\] of \[redacted local-path\]/);
  assert.ok(!tail.includes(house.root));
});

test('a cache that is a link is not told by its real path either', async () => {
  const real = mkdtempSync(join(tmpdir(), 'linked-cache-'));
  cpSync(house.cacheDir, real, { recursive: true });
  const cacheDir = join(house.root, 'linked');
  symlinkSync(real, cacheDir);
  const script = join(
    real,
    'fixture-exits-early@1.0.0,2026-11-30/node_modules/fixture-exits-early',
  );
  writeFileSync(join(script, 'cli.mjs'), 'throw new Error("as planned");\n');
  const { body } = await capture('exits-early', [], { cacheDir });
  const tail = body.failure?.stderr_tail ?? '';
  assert.match(tail, /\[redacted local-path\]\/fixture-exits-early@.*\/cli\.mjs/);
  assert.ok(!tail.includes(real), tail);
});

test('a pinned dependency is installed and told; where there is none, nothing of it is said', async () => {
  const pins = { zod: '3.25.76' };
  let installed: unknown;
  const install: typeof installPackage = ({ pins: asked, ...options }) => {
    installed = asked;
    return installPackage(options);
  };
  const { body } = await capture('good', [], { install }, pins);
  assert.deepEqual([installed, body.package.pins], [pins, pins]);
  assert.deepEqual(ToolsListBody.parse(body), body);
  assert.ok(!('pins' in (await capture('good')).body.package));
});

test('rule 9: a server that fails is a capture too, with its code, last words and the time it took', async () => {
  const { body, payload } = await capture('exits-early');
  assert.deepEqual(ToolsListBody.parse(body), body);
  assert.equal(payload, null);
  assert.equal(body.failure?.code, 'server.exited');
  assert.equal(body.failure?.stderr_tail, 'Error: NO_TOKEN is not set');
  assert.ok((body.failure?.elapsed_ms ?? 0) > 0);
});

test('what was odd about a server is recorded with the list', async () => {
  const order = await capture('changes-order');
  assert.deepEqual([order.body.answer?.same_order, order.body.answer?.same_bytes], [false, false]);
  const junk = await capture('prints-junk');
  assert.equal(junk.body.answer?.warnings[0]?.code, 'stdout-junk');
});

test('the payload that the ledger has already is unchanged, another is captured, and a failure between them changes neither', async () => {
  const batch = new Batch(openLedger(house.ledger).fold, stamp);
  const good = await capture('good');
  const failed = await capture('exits-early');
  assert.ok(good.payload !== null);
  const other: Capture = { ...good, payload: Buffer.from('{"result":{"tools":[]}}\n') };
  const outcomes = (...captures: Capture[]) =>
    recordCaptures(batch, captures).map(({ outcome }) => outcome);
  assert.deepEqual(outcomes(good, failed), ['captured', 'failed']);
  assert.deepEqual(outcomes(failed, good), ['failed', 'unchanged']);
  assert.deepEqual(outcomes(other, good), ['captured', 'captured']);
});

test('a command that the package has not is our mistake, not evidence about the server', async () => {
  const server = house.servers[0]!;
  const options = { ...house, run: RUN, timeoutMs: 20_000 };
  await assert.rejects(captureServer({ ...server, bin: 'none' }, options), {
    code: 'package.no-bin',
  });
});
