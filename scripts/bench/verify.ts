/**
 * How fast the ledger is verified with two workers, and whether memory stays flat: a ledger of the
 * usual mix of entries grows in a temporary folder and is verified from disk at each size, in a
 * process of its own. At the last size one of its entries is proven.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { putBlob } from '../../src/disk/blobs.ts';
import { nodeHash } from '../../src/disk/hash.ts';
import { Batch } from '../../src/ledger/batch.ts';
import { FILE_LINES, fileName } from '../../src/ledger/file.ts';
import { captureKey, Fold, postKey } from '../../src/ledger/fold.ts';
import { genesis } from '../../src/ledger/genesis.ts';
import { hex, inclusionProof, leafHash, Tree, verifyInclusion } from '../../src/ledger/tree.ts';
import { ARTICLE, capture, claim, ORIGIN, STAMP, slots } from '../../tests/ledger/drafts.ts';

export const name = 'verify';

const SIZES = [10_000, 100_000, 1_000_000];
const WORKERS = 2;
/** Entries a second that two workers must verify, once there are enough to start them for. */
const LEAST = 100_000;
/** MB that the whole process, workers and all, may take at any size. */
const MOST = 400;

/** Ten servers weighed again and again, unchanged, and between them claims that are put anew. */
function fill(batch: Batch, entries: number): void {
  for (let i = 0; i < entries; i++) {
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

/** Writes whole files until there are `entries`; without fsync, for this one may be lost. */
function grow(dir: string, was: Fold, entries: number, leaves: Uint8Array[]): Fold {
  let fold = was;
  while (fold.size < entries) {
    const batch = new Batch(fold, STAMP);
    fill(batch, FILE_LINES);
    for (const [sha256, bytes] of batch.blobs) if (fold.size === 0) putBlob(dir, sha256, bytes);
    const lines = batch.lines.flatMap((line) => [line, Buffer.from('\n')]);
    writeFileSync(join(dir, 'entries', fileName(fold.size)), Buffer.concat(lines));
    for (const line of batch.lines) leaves.push(leafHash(line, nodeHash));
    fold = batch.fold;
  }
  return fold;
}

interface Measured {
  entries: number;
  /** By the clock, workers started and all. */
  seconds: number;
  /** Of processor time, of all threads. */
  busy: number;
  /** The most that the process took. */
  mb: number;
}

/** Verifies in a process of its own, so that what it takes is its own. */
function measure(dir: string, workers: number): Measured {
  const module = (path: string) => JSON.stringify(join(import.meta.dirname, '../..', path));
  const code = `
    const { verifyWith } = await import(${module('src/disk/verify.ts')});
    const cpu = process.cpuUsage(), began = performance.now();
    const { ok, entries, problems } = await verifyWith(${JSON.stringify(dir)}, ${workers});
    const seconds = (performance.now() - began) / 1000;
    const { user, system } = process.cpuUsage(cpu);
    if (!ok) throw new Error('the synthetic ledger does not hold: ' + problems[0].message);
    const mb = process.resourceUsage().maxRSS / 1000;
    console.log(JSON.stringify({ entries, seconds, busy: (user + system) / 1e6, mb }));`;
  const args = ['--disable-warning=ExperimentalWarning', '-e', code];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as Measured;
}

/** Proves an entry from all leaves and verifies the proof; milliseconds for each. */
function prove(leaves: readonly Uint8Array[]): string {
  const tree = new Tree(nodeHash);
  for (const leaf of leaves) tree.push(leaf);
  const index = Math.floor(leaves.length / 3);
  const began = performance.now();
  const proof = inclusionProof(leaves, index, nodeHash);
  const made = performance.now();
  const about = { index, size: leaves.length, leaf: leaves[index]!, root: tree.root() };
  if (!verifyInclusion(about, proof, nodeHash)) throw new Error(`no proof of ${hex(about.leaf)}`);
  const checked = performance.now();
  return `${proof.length} hashes, made in ${(made - began).toFixed(0)} ms and verified in ${(checked - made).toFixed(2)} ms`;
}

export async function run(): Promise<{ rows: string[]; ok: boolean }> {
  const dir = mkdtempSync(join(tmpdir(), 'weighbridge-bench-'));
  const show = (n: number) => Math.round(n).toLocaleString('en');
  try {
    mkdirSync(join(dir, 'entries'));
    writeFileSync(join(dir, 'origin'), `${ORIGIN}\n`);
    const leaves: Uint8Array[] = [];
    let fold = new Fold({ genesis: genesis(ORIGIN, nodeHash) });
    const rows: string[] = [];
    let [speed, memory] = [0, 0];
    for (const size of SIZES) {
      fold = grow(dir, fold, size, leaves);
      const runs = [measure(dir, WORKERS), measure(dir, WORKERS)];
      const alone = measure(dir, 0);
      const { entries } = runs[0]!;
      const clock = Math.max(...runs.map(({ seconds }) => entries / seconds));
      const each = Math.min(...runs.map(({ busy }) => (busy * 1e6) / entries));
      const mb = Math.max(...runs.map((one) => one.mb));
      memory = Math.max(memory, mb);
      speed = Math.max(speed, clock);
      rows.push(
        `${show(entries)} entries: ${show(clock)} a second with ${WORKERS} workers, ${each.toFixed(1)} µs of processor time each, ${show(mb)} MB; one thread ${show(entries / alone.seconds)} a second`,
      );
    }
    rows.push(
      `at least ${show(LEAST)} a second at the best of these sizes, at most ${MOST} MB at any`,
      `a proof of one entry of ${show(leaves.length)}: ${prove(leaves)}`,
    );
    return { rows, ok: speed >= LEAST && memory <= MOST };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
