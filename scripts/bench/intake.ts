/**
 * How many posts a second are taken for good, on one machine and on workerd; how many pages are served,
 * against nginx in the same run; and whether memory stays flat. All on loopback, each load from a
 * process of its own, and bounded.
 */
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  fdatasyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { formatSkey } from '../../src/ledger/note.ts';
import { SKEY, SLUG } from '../../tests/intake/contract.ts';
import { freePort, startEdge, writeSite } from '../../tests/intake/edge.ts';
import type { Load, Loaded } from '../../tests/intake/load.ts';
import type { Taken } from '../../tests/intake/station.ts';

export const name = 'intake';

const CONNECTIONS = 64;
/** Most seconds of one load. */
const SECONDS = 20;
const POSTS = 20_000;
/** Through `wrangler dev`, which is a proxy before workerd. */
const EDGE_POSTS = 2_000;
const PAGES = 30_000;
const PAGE = '/page/';
/** Bytes of it: as a long article has. */
const PAGE_BYTES = 100_000;

/** What is aimed at: durable posts a second, and milliseconds within which 99 of 100 are answered. */
const GOAL = { rate: 5_000, p99: 50 };
/** How many times the processor time of an answer that keeps nothing a post may take; of a signed one too. */
const KEEPING = 4;
/** How many times nginx' processor time a page may take. */
const OF_NGINX = 5;
/** The memory after the last post, over that after half of them. */
const STEP = 10_000;
const STEPS = 10;
const FLAT = 1.2;

const PATH = `/api/articles/${SLUG}/objections`;
const BODY = JSON.stringify({
  actor: 'reader #',
  objection: 'The count leaves out names.',
  surface: 'S3',
});
const tests = join(import.meta.dirname, '../../tests/intake');
const show = (n: number) => Math.round(n).toLocaleString('en');

/** Runs a load in a process of its own. Throws where anything was answered with another status. */
async function load(
  status: number,
  asked: Partial<Load> & Pick<Load, 'port' | 'path'>,
): Promise<Loaded> {
  const whole: Load = { connections: CONNECTIONS, requests: POSTS, seconds: SECONDS, ...asked };
  const { stdout } = await promisify(execFile)(process.execPath, [
    join(tests, 'load.ts'),
    JSON.stringify(whole),
  ]);
  const loaded = JSON.parse(stdout) as Loaded;
  if (loaded.statuses[status] !== loaded.requests) {
    throw new Error(`not all were answered with ${status}: ${stdout}`);
  }
  return loaded;
}

/** Posts that no other load with another `series` has sent. */
const post = (port: number, series: string, more: Partial<Load> = {}) =>
  load(201, { port, path: PATH, body: BODY, series: `${series}-`, ...more });

const rate = ({ requests, seconds }: Loaded) => requests / seconds;
const told = (loaded: Loaded) =>
  `${show(rate(loaded))} a second, half within ${loaded.p50.toFixed(1)} ms, 99 of 100 within ${loaded.p99.toFixed(1)} ms`;

interface Station {
  port: number;
  taken(): Promise<Taken>;
  /** What came of a load, and the microseconds of the server's processor time that each answer took. */
  timed(act: () => Promise<Loaded>): Promise<{ loaded: Loaded; each: number }>;
  stop(): Promise<void>;
}

/** The server in a process of its own; `key` is a file, with which it signs. */
async function station(site: string, queue: string, key?: string): Promise<Station> {
  const child = spawn(process.execPath, [join(tests, 'station.ts'), site, queue], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env: { ...process.env, ...(key === undefined ? {} : { INTAKE_KEY_FILE: key }) },
  });
  const [line] = (await once(child.stdout!, 'data')) as [Buffer];
  const taken = async () => {
    const answer = once(child, 'message');
    child.send('taken');
    return ((await answer) as [Taken])[0];
  };
  return {
    port: Number(line),
    taken,
    timed: async (act) => {
      const { cpu } = await taken();
      const loaded = await act();
      return { loaded, each: ((await taken()).cpu - cpu) / loaded.requests };
    },
    stop: () => stop(child),
  };
}

async function stop(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await gone;
}

/** How many times a second the disk takes a post's bytes one by one, and holds them. */
function syncs(dir: string): number {
  const times = 200;
  const fd = openSync(join(dir, 'syncs'), 'w');
  const bytes = Buffer.alloc(1_024, 'x');
  const began = performance.now();
  for (let i = 0; i < times; i++) {
    writeSync(fd, bytes);
    fdatasyncSync(fd);
  }
  closeSync(fd);
  return times / ((performance.now() - began) / 1_000);
}

interface Part {
  rows: string[];
  ok: boolean;
}

async function posts(dir: string, site: string): Promise<Part> {
  const key = join(dir, 'key');
  writeFileSync(key, formatSkey(SKEY));
  const alone = syncs(dir);
  const rows: string[] = [`the disk alone: 1 kB, and that synced, ${show(alone)} times a second`];
  let ok = true;
  for (const [what, file] of [
    ['posts', undefined],
    ['posts with signed receipts', key],
  ] as const) {
    const running = await station(site, join(dir, what), file);
    const { port } = running;
    await post(port, 'warm', { requests: POSTS / 4 });
    const bare = await running.timed(() => load(200, { port, path: '/api/intake.json' }));
    const kept = await running.timed(() => post(port, 'measured'));
    // A page now and then while posts come: it should not wait for the disk.
    const [, pages] = await Promise.all([
      post(port, 'beside', { requests: POSTS / 2 }),
      load(200, { port, path: PAGE, connections: 1, requests: PAGES, seconds: 1 }),
    ]);
    await running.stop();
    const times = kept.each / bare.each;
    const met = rate(kept.loaded) >= GOAL.rate && kept.loaded.p99 <= GOAL.p99;
    ok &&= times <= KEEPING;
    rows.push(
      `${what}, ${CONNECTIONS} connections: ${told(kept.loaded)}`,
      `  goal of ${show(GOAL.rate)} a second and ${GOAL.p99} ms: ${met ? 'met' : 'MISSED'}`,
      `  ${kept.each.toFixed(0)} µs of processor time each, ${times.toFixed(1)} times that of an answer which keeps nothing (at most ${KEEPING}; ${show(rate(bare.loaded))} of those a second)`,
      `  a page meanwhile: half within ${pages.p50.toFixed(1)} ms, 99 of 100 within ${pages.p99.toFixed(1)} ms`,
    );
  }
  return { rows, ok };
}

async function edge(dir: string, site: string): Promise<Part> {
  const running = await startEdge(site, join(dir, 'edge'), { INTAKE_PER_MINUTE: 'Infinity' });
  try {
    await post(running.port, 'warm', { requests: EDGE_POSTS / 5 });
    const loaded = await post(running.port, 'measured', { requests: EDGE_POSTS });
    return { rows: [`posts on workerd, through wrangler's proxy: ${told(loaded)}`], ok: true };
  } finally {
    await running.kill();
  }
}

/** Where Debian and others put it; a user's PATH need not name it. */
const NGINX = ['nginx', '/usr/sbin/nginx', '/usr/local/sbin/nginx'];

interface Nginx {
  port: number;
  /** Microseconds of processor time that it took so far. */
  cpu(): number;
  stop(): Promise<void>;
}

/** nginx with one process before a folder; null where there is none. */
async function nginx(dir: string, site: string): Promise<Nginx | null> {
  const command = NGINX.find((one) => spawnSync(one, ['-v']).status === 0);
  if (command === undefined) return null;
  const port = await freePort();
  const own = join(dir, 'nginx');
  mkdirSync(own);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((one) => `${one}_temp_path ${own}/${one};`)
    .join('\n  ');
  writeFileSync(
    join(own, 'nginx.conf'),
    `daemon off; master_process off; pid ${own}/pid; error_log stderr crit;
events { worker_connections 1024; }
http {
  ${temporary}
  types { text/html html; } access_log off; keepalive_requests 1000000000;
  sendfile on; tcp_nopush on; open_file_cache max=100;
  server { listen 127.0.0.1:${port}; root ${site}; }
}
`,
  );
  const child = spawn(command, ['-p', own, '-c', join(own, 'nginx.conf'), '-e', 'stderr'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  for (let tries = 0; ; tries++) {
    const up = await fetch(`http://127.0.0.1:${port}${PAGE}`).catch(() => null);
    await up?.body?.cancel();
    if (up?.ok) break;
    if (tries === 100 || child.exitCode !== null) throw new Error('nginx did not start');
    await sleep(50);
  }
  return {
    port,
    cpu: () => {
      // Fields 14 and 15, in hundredths of a second.
      const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
      return (Number(fields[11]) + Number(fields[12])) * 10_000;
    },
    stop: () => stop(child),
  };
}

async function pages(dir: string, site: string): Promise<Part> {
  const ours = await station(site, join(dir, 'pages'));
  const theirs = await nginx(dir, site);
  const ask = (port: number, requests: number) => load(200, { port, path: PAGE, requests });
  try {
    await ask(ours.port, PAGES / 5);
    const { loaded: own, each } = await ours.timed(() => ask(ours.port, PAGES));
    const rows = [
      `a page of ${show(own.bytes)} bytes: ${told(own)}, ${each.toFixed(0)} µs of processor time`,
    ];
    if (theirs === null) {
      return { rows: [...rows, 'by nginx: not measured, because nginx is not here'], ok: true };
    }
    await ask(theirs.port, PAGES / 5);
    const was = theirs.cpu();
    const other = await ask(theirs.port, PAGES);
    const its = (theirs.cpu() - was) / other.requests;
    const same = own.bytes === other.bytes;
    rows.push(
      `the same by nginx, one process: ${told(other)}, ${its.toFixed(0)} µs`,
      `${(rate(own) / rate(other)).toFixed(2)} of nginx' pages a second, with ${(each / its).toFixed(1)} times its processor time (at most ${OF_NGINX}); the asking process has its limit too`,
    );
    return { rows, ok: same && each / its <= OF_NGINX };
  } finally {
    await Promise.all([ours.stop(), theirs?.stop()]);
  }
}

async function memory(dir: string, site: string): Promise<Part> {
  const running = await station(site, join(dir, 'memory'));
  const sizes: number[] = [];
  const rates: number[] = [];
  try {
    for (let step = 0; step < STEPS; step++) {
      const loaded = await post(running.port, `step ${step}`, { requests: STEP, seconds: 60 });
      if (loaded.requests < STEP) throw new Error(`only ${loaded.requests} posts in a minute`);
      rates.push(rate(loaded));
      sizes.push((await running.taken()).bytes);
    }
  } finally {
    await running.stop();
  }
  const growth = sizes.at(-1)! / sizes[STEPS / 2 - 1]!;
  return {
    rows: [
      `memory in MB after each ${show(STEP)} of ${show(STEP * STEPS)} posts: ${sizes.map((bytes) => Math.round(bytes / 1e6)).join(', ')}`,
      `${growth.toFixed(2)} times that at half of them (at most ${FLAT}); posts a second ${show(rates[0]!)} at first, ${show(rates.at(-1)!)} at last`,
    ],
    ok: growth <= FLAT,
  };
}

export async function run(): Promise<{ rows: string[]; ok: boolean }> {
  const dir = mkdtempSync(join(tmpdir(), 'weighbridge-bench-'));
  try {
    const site = writeSite(join(dir, 'site'));
    mkdirSync(join(site, PAGE));
    writeFileSync(
      join(site, PAGE, 'index.html'),
      '<p>A page.\n'.repeat(PAGE_BYTES).slice(0, PAGE_BYTES),
    );
    const parts: Part[] = [];
    // One after another: side by side they would measure each other.
    for (const part of [posts, edge, pages, memory]) parts.push(await part(dir, site));
    return { rows: parts.flatMap(({ rows }) => rows), ok: parts.every(({ ok }) => ok) };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
