/**
 * How fast the ledger is verified, and whether memory stays flat: a ledger of the usual mix of
 * entries is made in a temporary folder and verified from disk, a fifth of it and then all of it.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { putBlob } from '../../src/disk/blobs.ts';
import { nodeHash, verifyLedger } from '../../src/disk/ledger.ts';
import { Batch } from '../../src/ledger/batch.ts';
import { captureKey, Fold, postKey } from '../../src/ledger/fold.ts';
import { genesis } from '../../src/ledger/genesis.ts';
import { FILE_LINES, fileName } from '../../src/ledger/verify.ts';
import { ARTICLE, capture, claim, ORIGIN, STAMP, slots } from '../../tests/ledger/drafts.ts';

export const name = 'verify';

const FILES = 400; // 102,400 entries
const LEAST = 60_000; // entries in a second of processor time, which others on the machine do not lengthen
const MOST = 8; // MiB of heap that five times the entries may add

/** Ten servers weighed again and again, unchanged, and between them claims that are put anew. */
function fill(batch: Batch): void {
  for (let i = 0; i < FILE_LINES; i++) {
    const { fold } = batch;
    const server = `server-${(fold.size >> 1) % 10}`;
    const was = fold.captures.get(captureKey(server, '2.5.2'))?.captured ?? null;
    if (was !== null && fold.size % 2 === 0) {
      const id = `c${(fold.size >> 1) % 50}`;
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

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Verifies once: entries a second of processor time and by the clock, and the heap it leaves in MiB. */
function measure(dir: string): { cpu: number; clock: number; heap: number; entries: number } {
  collect();
  const cpu = process.cpuUsage();
  const began = performance.now();
  const verdict = verifyLedger(dir);
  const seconds = (performance.now() - began) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  const { entries, problems } = verdict;
  if (!verdict.ok) throw new Error(`the synthetic ledger does not hold: ${problems[0]?.message}`);
  collect(); // the verdict, with the fold in it, is still in reach
  const heap = process.memoryUsage().heapUsed / 2 ** 20;
  return {
    cpu: (entries * 1e6) / (user + system),
    clock: entries / seconds,
    heap,
    entries: verdict.entries,
  };
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
    const most = (pick: (r: (typeof runs)[0]) => number) => Math.max(...runs.map(pick));
    const speed = most((r) => r.cpu);
    const heap = most((r) => r.heap) - small.heap;
    const show = (n: number) => Math.round(n).toLocaleString('en');
    return {
      rows: [
        `${show(speed)} entries a second of processor time (at least ${show(LEAST)}), ${show(most((r) => r.clock))} by the clock, over ${show(most((r) => r.entries))}`,
        `${heap.toFixed(1)} MiB more heap than for a fifth of them (at most ${MOST})`,
      ],
      ok: speed >= LEAST && heap <= MOST,
    };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
