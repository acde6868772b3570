/** Reads and writes the lock file that a gate compares with. It never replaces one that it can't read. */
import { existsSync } from 'node:fs';
import { writeAtomic } from '../disk/atomic.ts';
import { markTools } from '../measure/diff.ts';
import { judge, type Limits, LOCK_VERSION, type Lock, readLock } from '../measure/gate.ts';
import type { BillReport } from '../measure/report.ts';
import { type Shape, serialise, shapeTools } from '../measure/shape.ts';
import type { Tokenizer } from '../measure/tokens.ts';
import { tokensMethod } from '../measure/weigh.ts';
import { Problem } from '../problem.ts';
import type { Catalogue } from './bill.ts';
import { readNamed } from './read.ts';

/** What the gate says, as reports have it. */
export type GateReport = NonNullable<BillReport['gate']>;

export interface GateOptions {
  /** Where the lock file is and what the user called it; null: only limits are judged. */
  baseline: { path: string; named: string } | null;
  write: boolean;
  limits: Limits;
  shape: Shape;
  tokenizer: Tokenizer;
  /** Servers that could not be asked: neither gone nor judged. */
  failed: readonly string[];
}

/** Throws Problem `lock.*`. */
export async function holdGate(
  catalogues: readonly Catalogue[],
  { baseline, write, limits, shape, tokenizer, failed }: GateOptions,
): Promise<GateReport> {
  const now: Lock = {
    lock_version: LOCK_VERSION,
    method: tokensMethod({ shape, tokenizer: tokenizer.name }),
    servers: [...catalogues]
      .sort((a, b) => (a.server < b.server ? -1 : 1))
      .map(({ server, tools }) => {
        const sent = shapeTools(tools, shape, server).map((tool) => tool.sent);
        return {
          server,
          tokens: tokenizer.count(serialise(sent)),
          tools: markTools(tools, { shape, server, tokenizer }),
        };
      }),
  };
  if (baseline === null) {
    return { baseline: null, written: false, ...judge(null, now, limits) };
  }
  const { path, named } = baseline;
  const before = await readBaseline(path, named);
  if (before === null && !write) {
    throw new Problem('lock.missing', 'there is no such lock file yet', {
      at: named,
      mend: 'Make it with --write, look it over, and commit it.',
    });
  }
  if (before !== null && before.method !== now.method && !write) {
    throw new Problem('lock.method', `it holds ${before.method}, and this run ${now.method}`, {
      at: named,
      mend: 'Give the same --tokenizer and --shape, or make it anew with --write.',
    });
  }
  const comparable = before?.method === now.method ? before : null;
  const judged = comparable && {
    ...comparable,
    servers: comparable.servers.filter(({ server }) => !failed.includes(server)),
  };
  if (!write) return { baseline: named, written: false, ...judge(judged, now, limits) };

  if (failed.length > 0) {
    throw new Problem('lock.incomplete', `not written: ${failed.join(', ')} could not be weighed`, {
      at: named,
      mend: 'Mend or switch off what failed; a lock file without it would let it in unseen.',
    });
  }
  // What is agreed to by writing may differ as it pleases, short of the ceiling.
  const agreed = { ...limits, frozen: false, maxGrowth: { tokens: Number.POSITIVE_INFINITY } };
  const verdict = judge(judged, now, agreed);
  if (verdict.ok) writeAtomic(path, `${JSON.stringify(now, null, 2)}\n`);
  return { baseline: named, written: verdict.ok, ...verdict };
}

async function readBaseline(path: string, named: string): Promise<Lock | null> {
  if (!existsSync(path)) return null;
  const read = readLock((await readNamed(path, named, 'lock.unreadable')).toString('utf8'));
  if ('lock' in read) return read.lock;
  throw new Problem('lock.unreadable', read.fault, {
    at: named,
    mend: 'Remove it and make it anew with --write, by the version of Weighbridge that is to read it.',
  });
}
