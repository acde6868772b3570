/**
 * Verifies a ledger's folder with several processors: workers read the files, each line whole, and the
 * main thread checks how they hang together. It finds what verifyLedger finds, in the same words.
 */
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Line } from '../ledger/read.ts';
import { startVerifying, type Verdict } from '../ledger/verify.ts';
import type { Handed } from './entries.worker.ts';
import { entryFiles, verifiable, verifyLedger } from './ledger.ts';

/** Files given out at once: enough that the asking costs little, few enough that memory stays flat. */
const BATCH = 2;
/** Batches that each worker has before it, so that none waits while the main thread waits for another. */
const AHEAD = 4;
/** Below so many files one thread is done before the others are up to speed. */
const WORTHWHILE = 160;

const decoder = new TextDecoder();

/** A worker that answers in the order in which it was asked. */
class Reader {
  readonly #worker = new Worker(new URL('./entries.worker.ts', import.meta.url), {
    // What one file leaves behind is soon gone: without a limit the heap would wait for gigabytes.
    resourceLimits: { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16 },
  });
  readonly #waiting: PromiseWithResolvers<Handed[]>[] = [];

  constructor() {
    this.#worker.on('message', (files: Handed[]) => this.#waiting.shift()?.resolve(files));
    this.#worker.on('error', (error) => {
      for (const one of this.#waiting.splice(0)) one.reject(error);
    });
  }

  /** Reads files. Rejects with what ended the worker. */
  read(paths: string[]): Promise<Handed[]> {
    const answer = Promise.withResolvers<Handed[]>();
    answer.promise.catch(() => {}); // whoever waits for an earlier one is told first
    this.#waiting.push(answer);
    this.#worker.postMessage(paths);
    return answer.promise;
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }
}

/** A verdict without its fold, which workers hand over only in part. */
export type FoldlessVerdict = Omit<Verdict, 'fold'>;
const foldless = ({ fold: _, ...verdict }: Verdict): FoldlessVerdict => verdict;

/** As verifyLedger, with so many workers where there is enough to read. Throws as it does. */
export async function verifyWith(
  dir: string,
  workers: number,
  least = WORTHWHILE,
): Promise<FoldlessVerdict> {
  const names = entryFiles(dir);
  // Node strips the types of no worker that stands in node_modules.
  const installed = import.meta.dirname.includes('node_modules');
  if (installed || workers < 1 || names.length < least) return foldless(verifyLedger(dir));
  const verifier = startVerifying(verifiable(dir));
  const batches: string[][] = [];
  for (let at = 0; at < names.length; at += BATCH) batches.push(names.slice(at, at + BATCH));

  const pool = Array.from({ length: workers }, () => new Reader());
  try {
    /** What was asked of each worker and not yet taken in; it has its next batch once one is. */
    const asked: Promise<Handed[]>[] = [];
    const give = (batch: number): void => {
      const paths = batches[batch]?.map((name) => join(dir, 'entries', name));
      if (paths !== undefined) asked[batch] = pool[batch % workers]!.read(paths);
    };
    for (let batch = 0; batch < AHEAD * workers; batch++) give(batch);
    for (const [at, names] of batches.entries()) {
      const files = await asked[at]!.catch(() => null);
      // What ends a worker, one thread alone tells better: which file it was, or that it can do without.
      if (files === null) return foldless(verifyLedger(dir));
      delete asked[at]; // or all that was ever read would stay
      for (const [i, { json, ...rest }] of files.entries()) {
        const lines = JSON.parse(decoder.decode(json)) as Line[];
        verifier.file(names[i]!, { lines, ...rest });
      }
      give(at + AHEAD * workers);
    }
  } finally {
    await Promise.all(pool.map((reader) => reader.end()));
  }
  return foldless(verifier.finish());
}
