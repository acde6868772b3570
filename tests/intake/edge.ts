/** The Worker on workerd, for those who ask it or kill it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { edgeArguments } from '../../src/intake/edge/run.ts';
import { DOCUMENTS } from './contract.ts';

/** Milliseconds that it may take to start. */
const PATIENCE = 60_000;

export interface Process {
  port: number;
  /** Ends it, and what it started, without a word. */
  kill(): Promise<void>;
}

/** Writes what the site around the intake has published. */
export function writeSite(dir: string): string {
  for (const [path, document] of Object.entries(DOCUMENTS)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), JSON.stringify(document));
  }
  writeFileSync(join(dir, '404.html'), '');
  return dir;
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

export async function startEdge(
  assets: string,
  state: string,
  vars: Record<string, string | undefined>,
): Promise<Process> {
  const port = await freePort();
  const site = `http://localhost:${port}`;
  const { command, args, env } = edgeArguments({
    port,
    state,
    assets,
    vars: { SITE_URL: site, ...vars },
  });
  const child = spawn(command, args, {
    stdio: 'ignore',
    detached: true,
    env: { ...process.env, ...env },
  });
  const until = performance.now() + PATIENCE;
  for (;;) {
    const up = await fetch(`http://127.0.0.1:${port}/api/intake.json`).catch(() => null);
    if (up?.ok) break;
    if (performance.now() > until || child.exitCode !== null)
      throw new Error('workerd did not start');
    await sleep(100);
  }
  return {
    port,
    kill: async () => {
      const gone = once(child, 'exit');
      process.kill(-child.pid!, 'SIGKILL');
      await gone;
    },
  };
}
