import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { append } from '../../src/disk/append.ts';
import { signLedger } from '../../src/disk/sign.ts';
import { makeSkey } from '../../src/ledger/note.ts';
import { proveEntry } from '../../src/ledger/proof.ts';
import { TiledLog, TileReader } from '../../src/ledger/tile.ts';
import { failed, ORIGIN, STAMP } from '../ledger/drafts.ts';
import { headOf, serve } from '../ledger/tiled.ts';

function verify(...args: string[]) {
  const run = spawnSync(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', 'scripts/verify.ts', ...args],
    { encoding: 'utf8' },
  );
  return { code: run.status, out: run.stdout, err: run.stderr };
}

/** A ledger of three entries, of which the first two are signed, and the way to its files. */
async function signedLedger(t: TestContext) {
  const dir = mkdtempSync(join(tmpdir(), 'weighbridge-verify-'));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  const skey = makeSkey(ORIGIN, new Uint8Array(32).fill(1));
  const file = (name: string, content?: string | Uint8Array): string => {
    if (content !== undefined) writeFileSync(join(dir, name), content);
    return join(dir, name);
  };
  file('origin', `${ORIGIN}\n`);
  file('vkey', `${skey.vkey.text}\n`);
  await append(dir, STAMP, (batch) => {
    for (let i = 0; i < 2; i++) batch.add(failed());
  });
  const { note } = await signLedger(dir, skey);
  await append(dir, STAMP, (batch) => {
    batch.add(failed());
  });
  const text = readFileSync(file('entries/000.jsonl'), 'utf8').trimEnd();
  const lines = text.split('\n').map((line) => new TextEncoder().encode(line));
  return { dir, file, note: note!, lines };
}

test('verify checks what was signed, and says how many entries came after', async (t) => {
  const { dir, file } = await signedLedger(t);
  const good = verify('--ledger', dir);
  assert.equal(good.code, 0, good.err);
  assert.match(good.out, /^signed {3}2 entries \(checkpoints that hold: 1\); 1 came after$/m);
  assert.match(good.out, /^No signature covers the last 1 entries yet/m);

  file('entries/000.jsonl', `${readFileSync(file('entries/000.jsonl'), 'utf8').split('\n')[0]}\n`);
  const cut = verify('--ledger', dir, '--json');
  assert.equal(cut.code, 1);
  const { problems, checkpoints } = JSON.parse(cut.out);
  assert.deepEqual(
    problems.map(({ code }: { code: string }) => code),
    ['checkpoint.cut'],
  );
  assert.deepEqual(checkpoints, { held: 0, newest: null, after: null });
});

test('with --json whatever stops the verifier is a verdict too, and its text a Problem', async (t) => {
  const told = (code: string, ...args: string[]) => {
    const run = verify('--json', ...args);
    assert.equal(run.code, 1);
    const { ok, entries, root, head, blobs, problems } = JSON.parse(run.out);
    assert.deepEqual(
      [ok, entries, root, head, blobs, problems.length],
      [false, 0, null, null, 0, 1],
    );
    assert.deepEqual([problems[0].code, problems[0].seq], [code, null]);
    assert.ok(run.err.includes(`[${code}]`) && !run.err.includes('    at '), run.err);
  };
  const { dir, file } = await signedLedger(t);
  const nowhere = file('nowhere');
  mkdirSync(nowhere);
  told('ledger.origin', '--ledger', nowhere);
  told('file.unreadable', '--legacy', file('none'));
  told('file.unreadable', '--proof', file('none'), '--ledger', dir);
  told('site.unreachable', '--site', 'http://127.0.0.1:9/');
  file('vkey', 'no key');
  told('key.form', '--ledger', dir);
});

test('a proof is verified offline, with the entry in it or beside it, and each forgery is named', async (t) => {
  const { dir, file, note, lines } = await signedLedger(t);
  const signed = lines.slice(0, 2);
  const reader = new TileReader(serve(new TiledLog(signed)), headOf(signed));
  const text = await proveEntry(reader, note, 1);
  const proof = file('1.tlog-proof', text);
  const vkey = ['--vkey', file('vkey')];

  const good = verify('--proof', proof, ...vkey);
  assert.equal(good.code, 0, good.err);
  assert.match(
    good.out,
    /^Entry 1 is in the log test\.example\/ledger as it was signed at 2 entries\.$/m,
  );
  const entry = file('entry.json', Buffer.concat([lines[1]!, Buffer.from('\n')]));
  const json = verify('--proof', proof, '--ledger', dir, '--entry', entry, '--json');
  assert.equal(JSON.parse(json.out).entry.seq, 1);

  const wrong = (code: string, ...args: string[]) => {
    const run = verify('--proof', ...args);
    assert.deepEqual([run.code, run.out], [1, '']);
    assert.ok(run.err.includes(`[${code}]`), run.err);
  };
  wrong('proof.altered', proof, ...vkey, '--entry', file('other.json', lines[2]!));
  const other = makeSkey(ORIGIN, new Uint8Array(32).fill(2)).vkey.text;
  wrong('note.unsigned', proof, '--vkey', file('other.vkey', other));
  wrong('file.unreadable', file('nowhere'), ...vkey);
});

test('an older chain is verified from its file, and what its page shows beyond it is said', (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'weighbridge-verify-'));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  const file = (content: unknown): string => {
    writeFileSync(join(dir, 'x.json'), JSON.stringify(content));
    return join(dir, 'x.json');
  };
  // Worked out with sha256sum: `genesis|0|t|m|r|claim|{"claim_id":"c1","text":"A"}|`.
  const row = {
    ...{ seq: 0, ts: 't', model: 'm', role: 'r', action: 'claim', rationale: '' },
    ...{ payload: { claim_id: 'c1', text: 'A' }, prev_hash: 'genesis', cost: 0 },
    hash: 'c7b07128f96de79d4e7647e189869d6b4cdc33ae8fb3d73b5effbca26157e03a',
  };
  const page = { contributions: [row], claims: [{ id: 'c1', text: 'B' }, { id: 'c2' }] };
  const good = verify('--legacy', file(page));
  assert.equal(good.code, 0, good.err);
  assert.match(good.out, /^records: 1 of 1 hash and link$/m);
  assert.match(
    good.out,
    /^claims: the page shows 2; .* 0 as shown, 1 with other content, 1 not at/m,
  );
  assert.match(good.out, /^contributions: fields that no hash is over: cost;/m);

  const bad = verify('--legacy', file({ ...page, contributions: [{ ...row, ts: 'u' }] }), '--json');
  assert.equal(bad.code, 1);
  assert.equal(JSON.parse(bad.out).verified, 0);
});

test('flags that do not go together are a matter of usage', () => {
  const { code, err } = verify('--legacy', 'x', '--proof', 'y');
  assert.equal(code, 2);
  assert.match(err, /^--proof, --legacy and --site are asked one at a time.*\n\nusage: /);
});
