/**
 * How fast the ledger is verified, and whether memory stays flat: a ledger of the usual mix of
 * entries is made in a temporary folder and verified from disk, a fifth of it and then all of it.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { putBlob } from '../../src/disk/blobs.ts';
import { nodeHash, verifyLedger } from '../../src/disk/ledger.ts';
import { Batch } from '../../src/ledger/batch.ts';
import { captureKey, Fold, postKey } from '../../src/ledger/fold.ts';
import { genesis } from '../../src/ledger/genesis.ts';
import { FILE_LINES, fileName } from '../../src/ledger/verify.ts';
import { ARTICLE, capture, claim, ORIGIN, STAMP, slots } from '../../tests/ledger/drafts.ts';

export const name = 'verify';

const FILES = 400; // 102,400 entries
const LEAST = 60_000; // entries a second
const MOST = 16; // MiB of heap that five times the entries may add

/** Ten servers weighed again and again, unchanged; every tenth entry is a claim that is put anew. */
function fill(batch: Batch): void {
  for (let i = 0; i < FILE_LINES; i++) {
    const { fold } = batch;
    const server = `server-${fold.size % 10}`;
    const was = fold.captures.get(captureKey(server, '2.5.2'))?.captured ?? null;
    if (was !== null && fold.size % 10 === 0) {
      const id = `c${(fold.size / 10) % 10}`;
      const replaces = fold.claims.get(postKey(ARTICLE, id))?.current.leaf ?? null;
      batch.add(claim({ id, replaces, slots: slots(was.leaf) }));
    } else {
      const blob = batch.blob(new TextEncoder().encode('{"result":{"tools":[]}}\n'));
      const unchanged_from = was?.leaf ?? null;
      const outcome = was === null ? 'captured' : 'unchanged';
      batch.add(capture({ server, outcome, blob, unchanged_from }));
    }
  }
}

/** Writes files `from` to `to` after what `fold` holds; without fsync, for this one may be lost. */
function grow(dir: string, was: Fold, from: number, to: number): Fold {
  let fold = was;
  for (let file = from; file < to; file++) {
    const batch = new Batch(fold, STAMP);
    fill(batch);
    for (const [sha256, bytes] of batch.blobs) if (file === 0) putBlob(dir, sha256, bytes);
    const lines = batch.lines.flatMap((line) => [line, Buffer.from('\n')]);
    writeFileSync(join(dir, 'entries', fileName(file * FILE_LINES)), Buffer.concat(lines));
    fold = batch.fold;
  }
  return fold;
}

/** Verifies once; entries a second, and the heap that was in use at the end in MiB. */
function measure(dir: string): { speed: number; heap: number; entries: number } {
  const began = performance.now();
  const verdict = verifyLedger(dir);
  const seconds = (performance.now() - began) / 1000;
  if (!verdict.ok)
    throw new Error(`the synthetic ledger does not hold: ${verdict.problems[0]?.message}`);
  globalThis.gc?.();
  const heap = process.memoryUsage().heapUsed / 2 ** 20;
  return { speed: verdict.entries / seconds, heap, entries: verdict.entries };
}

export async function run(): Promise<{ rows: string[]; ok: boolean }> {
  const dir = mkdtempSync(join(tmpdir(), 'weighbridge-bench-'));
  try {
    mkdirSync(join(dir, 'entries'));
    writeFileSync(join(dir, 'origin'), `${ORIGIN}\n`);
    const fifth = grow(dir, new Fold({ genesis: genesis(ORIGIN, nodeHash) }), 0, FILES / 5);
    measure(dir); // warm
    const small = measure(dir);
    grow(dir, fifth, FILES / 5, FILES);
    const runs = [measure(dir), measure(dir), measure(dir)];
    const speed = Math.max(...runs.map((r) => r.speed));
    const heap = Math.min(...runs.map((r) => r.heap)) - small.heap;
    const { entries } = runs[0]!;
    return {
      rows: [
        `${Math.round(speed).toLocaleString('en')} entries/s over ${entries.toLocaleString('en')} (at least ${LEAST.toLocaleString('en')})`,
        `${heap.toFixed(1)} MiB more heap than for a fifth of them (at most ${MOST})`,
      ],
      ok: speed >= LEAST && heap <= MOST,
    };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
