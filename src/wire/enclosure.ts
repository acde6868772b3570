/**
 * Where a client runs: on Linux in namespaces of its own, whose only network is a loopback interface
 * and whose processes all die with the first. This module also is that first process: it hands what
 * comes to the port inside on to a Unix socket outside. It must never let a client reach anything else.
 *
 * Two things hold a client to loopback. Its proxy variables name the capture server, which answers 403
 * and notes the host that was asked for: that tells what the client tried. And the network namespace
 * has no route: that stops what asks no proxy. Where namespaces are not to be had (another system, or
 * a kernel that forbids them) only the first holds, and the record says `proxy`.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';

export const ISOLATIONS = ['namespace', 'proxy'] as const;
export type Isolation = (typeof ISOLATIONS)[number];

/** The port that a client sees, always the same so that its requests are. */
export const INNER_PORT = 4100;

const UNSHARE = [
  '--user',
  '--map-root-user',
  '--net',
  '--mount',
  '--mount-proc',
  '--pid',
  '--fork',
];
const first = (...paths: string[]) => paths.find((path) => existsSync(path));

/** What can be had here; tried, not guessed. */
export function isolation(): Isolation {
  const [file, ...args] = inside(['true']) ?? [];
  if (file === undefined) return 'proxy';
  const { status } = spawnSync(file, args, { stdio: 'ignore', timeout: 10_000 });
  return status === 0 ? 'namespace' : 'proxy';
}

/**
 * The command line that runs `command` with nothing but loopback, port INNER_PORT of which leads to
 * the Unix socket; null when a tool for it is missing.
 */
export function namespaced(socket: string, command: readonly string[]): string[] | null {
  return inside([...ownNode(import.meta.url), socket, ...command]);
}

/** Runs a module of ours in a Node of its own, also where we are installed and it would not strip types. */
export function ownNode(module: string): string[] {
  const strip = new URL('../../scripts/bin/strip.js', import.meta.url).href;
  return [process.execPath, '--import', strip, fileURLToPath(module)];
}

function inside(command: readonly string[]): string[] | null {
  const unshare = first('/usr/bin/unshare', '/bin/unshare');
  const ip = first('/usr/sbin/ip', '/sbin/ip', '/usr/bin/ip', '/bin/ip');
  if (process.platform !== 'linux' || unshare === undefined || ip === undefined) return null;
  const up = `${ip} link set lo up && exec "$0" "$@"`;
  return [unshare, ...UNSHARE, '--', '/bin/sh', '-c', up, ...command];
}

/** The first process inside: ends when the client does, and with it all that the client left. */
function main([socket = '', file = '', ...args]: readonly string[]): void {
  const bridge = createServer((inside) => {
    const outside = connect(socket);
    inside.pipe(outside).pipe(inside);
    inside.on('error', () => outside.destroy());
    outside.on('error', () => inside.destroy());
  });
  bridge.listen(INNER_PORT, '127.0.0.1', () => {
    const client = spawn(file, args, { stdio: 'inherit' });
    client.once('error', (error) => {
      process.stderr.write(`${error.message}\n`);
      process.exit(127);
    });
    client.once('exit', (code, signal) =>
      process.exit(signal === null ? code : 128 + constants.signals[signal]),
    );
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main(process.argv.slice(2));
