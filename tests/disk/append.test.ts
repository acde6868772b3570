import assert from 'node:assert/strict';
import { execFile, spawn, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { append, openToAppend } from '../../src/disk/append.ts';
import { blobPath, putBlob } from '../../src/disk/blobs.ts';
import { nodeHash } from '../../src/disk/hash.ts';
import { openLedger, verifyLedger } from '../../src/disk/ledger.ts';
import type { Batch } from '../../src/ledger/batch.ts';
import { FILE_LINES } from '../../src/ledger/file.ts';
import { hex } from '../../src/ledger/tree.ts';
import { MAX_PROBLEMS } from '../../src/ledger/verify.ts';
import { capture, claim, STAMP, slots, source } from '../ledger/drafts.ts';
import { contents, ledgerFolder } from './folder.ts';
import { tear } from './tear.ts';

const WRITER = join(import.meta.dirname, 'writer.ts');
const encode = (text: string) => new TextEncoder().encode(text);
const captured = (batch: Batch, server = 'notion', text = '{}\n') =>
  batch.add(capture({ server, blob: batch.blob(encode(text)) }));
const file = (dir: string) => join(dir, 'entries', '000.jsonl');

test('what was appended is there when the ledger is opened, and verifies', async (t) => {
  const dir = ledgerFolder(t);
  const added = await append(dir, STAMP, (batch) => {
    const { leaf } = captured(batch);
    batch.add(source());
    batch.add(claim({ slots: slots(leaf) }));
  });
  const ledger = openLedger(dir);
  assert.deepEqual(ledger.entries, added);
  assert.equal(ledger.fold.head, added.at(-1)?.leaf);
  assert.deepEqual(ledger.blob(hex(nodeHash(encode('{}\n')))), Buffer.from('{}\n'));
  assert.deepEqual(verifyLedger(dir).problems, []);
});

test('an empty batch writes nothing, nor does a refused one', async (t) => {
  const dir = ledgerFolder(t);
  await append(dir, STAMP, (batch) => void batch.blob(encode('nobody names this')));
  await assert.rejects(
    append(dir, STAMP, (batch) => {
      captured(batch);
      batch.add(claim({ slots: slots('a'.repeat(64)) }));
    }),
    { name: 'Problem', code: 'ref.input' },
  );
  const unnamed = append(dir, STAMP, (batch) => void batch.add(capture()));
  await assert.rejects(unnamed, { code: 'blob.missing' });
  assert.deepEqual(Object.keys(contents(dir)), ['origin']);
});

test('a file holds 256 lines; a batch runs on into the next', async (t) => {
  const dir = ledgerFolder(t);
  const fill = (from: number, to: number) =>
    append(dir, STAMP, (batch) => {
      for (let i = from; i < to; i++) batch.add(source({ id: `s${i}` }));
    });
  await fill(0, FILE_LINES - 1);
  const before = readFileSync(file(dir), 'utf8');
  await fill(FILE_LINES - 1, 2 * FILE_LINES + 1);
  const lines = readdirSync(join(dir, 'entries')).map(
    (name) => readFileSync(join(dir, 'entries', name), 'utf8').split('\n').length - 1,
  );
  assert.deepEqual(lines, [FILE_LINES, FILE_LINES, 1]);
  assert.ok(readFileSync(file(dir), 'utf8').startsWith(before));
  assert.deepEqual(verifyLedger(dir).problems, []);
});

test('a torn tail is cut off, kept aside, and the next entry stands on its own line', async (t) => {
  await tear(ledgerFolder(t), 9); // append.deep.test.ts does so at every byte
});

test('a torn tail stands in the way of nobody who is going to append, and a reader is told what mends it', async (t) => {
  const dir = ledgerFolder(t);
  await append(dir, STAMP, (batch) => void batch.add(source()));
  appendFileSync(file(dir), '{"half');
  assert.throws(() => openLedger(dir), { code: 'line.torn', mend: /npm run record/ });
  assert.equal((await openToAppend(dir, STAMP)).entries.length, 1);
  assert.deepEqual(verifyLedger(dir).problems, []);
  assert.equal(readdirSync(join(dir, '.torn')).length, 1);
});

test('nothing is appended to a ledger that does not hold', async (t) => {
  const dir = ledgerFolder(t);
  await append(dir, STAMP, (batch) => {
    batch.add(source());
    batch.add(source({ id: 's2' }));
  });
  writeFileSync(file(dir), readFileSync(file(dir), 'utf8').replace('Docs', 'Dogs'));
  const before = contents(dir);
  const again = append(dir, STAMP, (batch) => void batch.add(source({ id: 's3' })));
  await assert.rejects(again, { code: 'chain.prev', at: /entry 1$/ });
  assert.deepEqual(contents(dir), before);
});

test('an altered or missing blob is refused when it is read', async (t) => {
  const dir = ledgerFolder(t);
  await append(dir, STAMP, (batch) => void captured(batch));
  const { blob } = openLedger(dir);
  const name = hex(nodeHash(encode('{}\n')));
  writeFileSync(blobPath(dir, name), '{ }\n');
  assert.throws(() => blob(name), { code: 'blob.altered' });
  assert.throws(() => blob('0'.repeat(64)), { code: 'blob.missing' });
});

test('a ledger of many payloads opens, and blobs are read only when they are asked for', async (t) => {
  const dir = ledgerFolder(t);
  await append(dir, STAMP, (batch) => {
    for (let i = 0; i <= MAX_PROBLEMS; i++) captured(batch, `server-${i}`, `{"i":${i}}\n`);
  });
  rmSync(join(dir, 'blobs'), { recursive: true });
  assert.equal(openLedger(dir).entries.length, MAX_PROBLEMS + 1);
  assert.equal(verifyLedger(dir).problems[0]?.code, 'blob.missing');
});

/** What is left of an append of a capture that was killed before its entry was written. */
async function killed(dir: string): Promise<{ stray: string; note: string }> {
  await append(dir, STAMP, (batch) => void captured(batch));
  const stray = hex(nodeHash(encode('stray')));
  putBlob(dir, stray, encode('stray'));
  writeFileSync(`${blobPath(dir, stray)}.4242.tmp`, 'str');
  const { size, head } = openLedger(dir).fold;
  const blobs = [stray, hex(nodeHash(encode('{}\n')))];
  return { stray, note: JSON.stringify({ size, head, end: size + 1, blobs }) };
}
const codes = (dir: string) => verifyLedger(dir).problems.map(({ code }) => code);

test('blobs that a killed writer had stored are no evidence of a cut, are told of, and are put aside by the next append, be it empty', async (t) => {
  for (const build of [(batch: Batch) => void batch.add(source()), () => {}]) {
    const dir = ledgerFolder(t);
    const { stray, note } = await killed(dir);
    assert.deepEqual(codes(dir), ['blob.orphan', 'blob.stray']);
    writeFileSync(join(dir, '.append'), note);
    const { problems, in_flight, limits } = verifyLedger(dir);
    assert.deepEqual([problems, in_flight], [[], 1]);
    assert.match(limits[0]!, /^An append was cut off or is running: 1 payload is not yet named\./);
    await append(dir, STAMP, build);
    assert.equal(existsSync(join(dir, '.append')), false);
    assert.equal(existsSync(blobPath(dir, stray)), false);
    assert.equal(readFileSync(join(dir, '.torn', stray), 'utf8'), 'stray');
    assert.equal(readFileSync(join(dir, '.torn', `${stray}.4242.tmp`), 'utf8'), 'str');
    const verdict = verifyLedger(dir);
    // The other payload that the note lists is named by an entry, and stays.
    assert.deepEqual([verdict.problems, verdict.in_flight, verdict.blobs], [[], 0, 1]);
  }
});

test('a note that the ledger has outgrown hides no cut, and the next append takes away the note and not the payload', async (t) => {
  const dir = ledgerFolder(t);
  const { fold: before } = openLedger(dir);
  const [first] = await append(dir, STAMP, (batch) => void captured(batch));
  const sha256 = hex(nodeHash(encode('{}\n')));
  const note = { size: 0, head: before.head, end: 1, blobs: [sha256] };
  const stale = () => writeFileSync(join(dir, '.append'), JSON.stringify(note));
  // Killed between its entries and the removal of its note: the entry holds, and the note is told of.
  stale();
  assert.deepEqual(codes(dir), []);
  assert.match(verifyLedger(dir).limits[0]!, /^An append was cut off after it had written/);
  await append(dir, STAMP, () => {});
  assert.equal(existsSync(join(dir, '.append')), false);

  // Put back after the ledger had grown by more: the capture is cut out, and the tail written anew.
  await append(dir, STAMP, (batch) => void batch.add(source()));
  const grown = readFileSync(file(dir), 'utf8');
  rmSync(file(dir));
  await append(dir, STAMP, (batch) => void batch.add(source()));
  stale();
  assert.deepEqual(codes(dir), ['blob.orphan']);
  await append(dir, STAMP, () => {});
  assert.deepEqual(codes(dir), ['blob.orphan']);

  // A note of another history excuses nothing either.
  rmSync(file(dir));
  for (const other of [{ head: first!.leaf }, { size: 1, end: 2 }]) {
    writeFileSync(join(dir, '.append'), JSON.stringify({ ...note, ...other }));
    assert.deepEqual(codes(dir), ['blob.orphan']);
  }
  // In its own window a cut looks like a kill: that is not told as if nothing were.
  stale();
  assert.equal(verifyLedger(dir).in_flight, 1);
  writeFileSync(file(dir), grown);
  rmSync(join(dir, '.append'));
  assert.deepEqual(codes(dir), []);
});

test('of a batch that was cut off in the middle only what its written entries do not name is in flight', async (t) => {
  const dir = ledgerFolder(t);
  const { head } = openLedger(dir).fold;
  const texts = ['{"a":1}\n', '{"b":2}\n'];
  const blobs = texts.map((text) => hex(nodeHash(encode(text))));
  await append(dir, STAMP, (batch) => {
    for (const [i, text] of texts.entries()) captured(batch, `server-${i}`, text);
  });
  const both = readFileSync(file(dir), 'utf8');
  writeFileSync(join(dir, '.append'), JSON.stringify({ size: 0, head, end: 2, blobs }));
  writeFileSync(file(dir), both.slice(0, -9)); // the second line is torn
  assert.deepEqual([codes(dir), verifyLedger(dir).in_flight], [['line.torn'], 1]);
  await append(dir, STAMP, () => {});
  assert.deepEqual(codes(dir), []);
  assert.equal(existsSync(join(dir, '.torn', blobs[1]!)), true);
});

test('a note that no writer of ours wrote is named, and put aside by the next append', async (t) => {
  for (const text of ['null', '{"blobs":', '{"blobs":["../../origin"]}', '']) {
    const dir = ledgerFolder(t);
    writeFileSync(join(dir, '.append'), text);
    assert.deepEqual(codes(dir), ['append.note']);
    await append(dir, STAMP, (batch) => void captured(batch));
    assert.deepEqual(codes(dir), []);
    const [aside] = readdirSync(join(dir, '.torn'));
    assert.equal(readFileSync(join(dir, '.torn', aside!), 'utf8'), text);
  }
});

test('whatever stands where no blob does is named by its path', async (t) => {
  const dir = ledgerFolder(t);
  await append(dir, STAMP, (batch) => void captured(batch));
  const sha256 = hex(nodeHash(encode('{}\n')));
  for (const path of ['x', 'sha256/y', 'sha256/ed/z', `sha256/00/${sha256}`]) {
    mkdirSync(dirname(join(dir, 'blobs', path)), { recursive: true });
    writeFileSync(join(dir, 'blobs', path), '');
    const { problems } = verifyLedger(dir);
    assert.deepEqual(
      problems.map(({ code, message }) => [code, message.split(' ')[0]]),
      [['blob.stray', `blobs/${path}`]],
    );
    rmSync(join(dir, 'blobs', path));
  }
  // A folder in the place of a blob, and a file in that of its folder: the payload is missing.
  const at = blobPath(dir, sha256);
  rmSync(at);
  mkdirSync(at);
  assert.deepEqual(codes(dir), ['blob.missing']);
  rmSync(dirname(at), { recursive: true });
  writeFileSync(dirname(at), '');
  assert.deepEqual(codes(dir), ['blob.missing', 'blob.stray']);
  rmSync(join(dir, 'blobs'), { recursive: true });
  writeFileSync(join(dir, 'blobs'), '');
  assert.deepEqual(codes(dir), ['blob.missing', 'blob.stray']);
});

test('what stops an append before it writes is a Problem that says so', async (t) => {
  const dir = ledgerFolder(t);
  await append(dir, STAMP, (batch) => void batch.add(source()));
  rmSync(file(dir));
  mkdirSync(file(dir));
  const again = append(dir, STAMP, (batch) => void batch.add(source()));
  await assert.rejects(again, { name: 'Problem', code: 'append.failed' });
});

test('a folder that is no ledger is told as such', (t) => {
  const dir = ledgerFolder(t);
  writeFileSync(join(dir, 'origin'), 'two words\n');
  assert.throws(() => openLedger(dir), { code: 'ledger.origin' });
  rmSync(join(dir, 'origin'));
  assert.throws(() => openLedger(dir), { code: 'ledger.origin' });
});

test('six writers at once give out each number once', async (t) => {
  const dir = ledgerFolder(t);
  const run = promisify(execFile);
  const done = await Promise.all(
    Array.from({ length: 6 }, (_, i) => run(process.execPath, [WRITER, dir, `writer-${i}`, '2'])),
  );
  const leaves = done.flatMap(({ stdout }) => stdout.trim().split('\n'));
  const verdict = verifyLedger(dir);
  assert.deepEqual(verdict.problems, []);
  assert.equal(verdict.entries, 12);
  assert.deepEqual(
    openLedger(dir)
      .entries.map(({ leaf }) => leaf)
      .sort(),
    leaves.sort(),
  );
});

test('a disk that takes no more leaves the ledger as it was, and says that nothing was recorded', {
  skip: process.platform === 'win32',
}, async (t) => {
  // A limit on the size of files is what a full disk is to the writer: a short write, then an error.
  const limited = (dir: string, blocks: number, bytes: number) =>
    spawnSync(
      'sh',
      [
        '-c',
        `ulimit -f ${blocks} && exec "$0" "$@"`,
        process.execPath,
        WRITER,
        dir,
        'github',
        '1',
        String(bytes),
      ],
      { encoding: 'utf8' },
    );
  const dir = ledgerFolder(t);
  await append(dir, STAMP, (batch) => {
    for (let i = 0; i < 20; i++) batch.add(source({ id: `s${i}` }));
  });
  const before = contents(dir);
  assert.ok((before['entries/000.jsonl'] ?? '').length > 2 * 512);
  // The entry does not fit any more, but its payload does; then the payload does not.
  const blocks = Math.ceil((before['entries/000.jsonl'] ?? '').length / 512);
  for (const [limit, bytes] of [
    [blocks, 10],
    [blocks, 100_000],
  ] as const) {
    const child = limited(dir, limit, bytes);
    assert.equal(child.stdout.trim(), 'append.failed', child.stderr);
    assert.deepEqual(contents(dir), before);
    assert.deepEqual(verifyLedger(dir).problems, []);
  }
  assert.equal(limited(dir, 100_000, 10).status, 0);
});

test('a writer that is killed while it waits or writes leaves no lock behind', async (t) => {
  const dir = ledgerFolder(t);
  const child = spawn(process.execPath, [WRITER, dir, 'github', '1000'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise((resolve) => child.stdout.once('data', resolve));
  child.kill('SIGKILL');
  await new Promise((resolve) => child.once('exit', resolve));
  const began = performance.now();
  await append(dir, STAMP, (batch) => void batch.add(source()), { waitMs: 5_000 });
  assert.ok(performance.now() - began < 5_000);
  assert.deepEqual(verifyLedger(dir).problems, []);
});
