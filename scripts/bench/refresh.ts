/**
 * How long the servers take from a warm cache, side by side against one by one in the same run.
 * Nothing is recorded.
 */
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { parseServers } from '../../src/articles/servers.ts';
import { captureAll } from '../../src/probe/refresh.ts';

export const name = 'refresh';

const JOBS = Math.min(4, availableParallelism());
/** Side by side must save something, or the jobs wait for each other; one processor saves nothing. */
const LEAST = JOBS > 1 ? 1.2 : 0;

const servers = parseServers(readFileSync('content/servers.yaml', 'utf8'));

async function weighAll(jobs: number): Promise<{ seconds: number; listMs: number[] }> {
  const began = performance.now();
  const attempts = await captureAll(servers, {
    cacheDir: '.cache/npm',
    run: new Date().toISOString(),
    timeoutMs: 60_000,
    jobs,
    waitMs: 60_000,
  });
  const seconds = (performance.now() - began) / 1000;
  const listMs = attempts.map((attempt) => {
    if ('problem' in attempt) throw attempt.problem;
    if (attempt.capture.payload === null) throw new Error(`${attempt.server.name} failed`);
    return attempt.capture.listMs;
  });
  return { seconds, listMs };
}

/** Rows for people, and whether side by side is faster by enough. */
export async function run(): Promise<{ rows: string[]; ok: boolean }> {
  await weighAll(JOBS); // fills the cache, and the file system's own
  const single = await weighAll(1);
  const jobs = await weighAll(JOBS);
  const ratio = single.seconds / jobs.seconds;
  const list = single.listMs.toSorted((a, b) => a - b);
  const range = `${list[0]} to ${list.at(-1)} ms each to the list`;
  return {
    rows: [
      `${servers.length} servers one by one: ${single.seconds.toFixed(1)} s (${range})`,
      `${servers.length} servers, ${JOBS} side by side: ${jobs.seconds.toFixed(1)} s`,
      `side by side is ${ratio.toFixed(2)} times as fast (at least ${LEAST})`,
    ],
    ok: ratio >= LEAST,
  };
}
