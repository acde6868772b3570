/**
 * Owns one child process and everything that it starts: keeps a tail of its stderr and ends the
 * whole group. It must never leave a process behind, whatever way the probe ends.
 */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import { unwatch, watch } from '../watchdog.ts';

/** How much of stderr is kept, counted from its end, in bytes. */
export const STDERR_TAIL_BYTES = 4096;
/** Even a killed group may linger, as zombies of a container whose first process reaps nothing. */
const KILLED_MS = 1000;

/** How a child ended; `error` when it could not be started at all. */
export type Ended = { code: number | null; signal: NodeJS.Signals | null; error?: Error };

export type ChildOptions = {
  command: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  cwd: string;
};

/** Children that live now, so that one listener ends them when this process exits unasked. */
const living = new Set<Child>();

export class Child {
  readonly process: ChildProcessWithoutNullStreams;
  /** Resolves when the child's own process has ended or could not be started. */
  readonly ended: Promise<Ended>;
  #tail: Buffer = Buffer.alloc(0);

  /** Starts it at the head of a group of its own, since `npx` and shells leave grandchildren. */
  constructor({ command, args, env, cwd }: ChildOptions) {
    this.process = spawn(command, args, { cwd, env, detached: true, stdio: 'pipe' });
    if (this.process.pid !== undefined) watch(this.process.pid);
    this.ended = new Promise((resolve) => {
      this.process.once('exit', (code, signal) => resolve({ code, signal }));
      this.process.once('error', (error) => {
        if (this.process.pid === undefined) resolve({ code: null, signal: null, error });
      });
    });
    // Writing to a server that has gone is told by its exit, not by EPIPE.
    for (const stream of [this.process.stdin, this.process.stdout, this.process.stderr]) {
      stream.on('error', () => {});
    }
    this.process.stderr.on('data', (chunk: Buffer) => {
      this.#tail = Buffer.concat([this.#tail, chunk]).subarray(-STDERR_TAIL_BYTES);
    });
    if (living.size === 0) process.on('exit', killAll);
    living.add(this);
  }

  /**
   * The last of stderr, without terminal colours. A line whose head is lost is left out where others
   * follow: half a secret would not be known for one.
   */
  stderrTail(): string {
    const cut = this.#tail.length === STDERR_TAIL_BYTES ? this.#tail.indexOf('\n') + 1 : 0;
    const from = cut === this.#tail.length ? 0 : cut;
    return stripVTControlCharacters(this.#tail.subarray(from).toString('utf8'))
      .replaceAll('\r\n', '\n')
      .trim();
  }

  /**
   * Ends the group: closes stdin and waits up to `grace` ms, SIGTERM and waits as long, SIGKILL.
   * Resolves when no process of the group is left.
   */
  async end(grace: number): Promise<void> {
    this.process.stdin.end();
    await Promise.race([this.ended, sleep(grace, undefined, { ref: false })]);
    this.signal('SIGTERM');
    if (!(await this.#gone(grace))) {
      this.signal('SIGKILL');
      await this.#gone(KILLED_MS);
    }
    living.delete(this);
    if (this.process.pid !== undefined) unwatch(this.process.pid);
    if (living.size === 0) process.off('exit', killAll);
    // A grandchild that left the group may still hold the pipes; they must not hold us.
    this.process.stdout.destroy();
    this.process.stderr.destroy();
  }

  /** Sends a signal to the whole group, 0 to ask only; false when nobody was there to get it. */
  signal(signal: NodeJS.Signals | 0): boolean {
    if (this.process.pid === undefined) return false;
    try {
      return process.kill(-this.process.pid, signal);
    } catch {
      return false;
    }
  }

  async #gone(within: number): Promise<boolean> {
    for (const until = performance.now() + within; this.signal(0); await sleep(5)) {
      if (performance.now() > until) return false;
    }
    return true;
  }
}

function killAll(): void {
  for (const child of living) child.signal('SIGKILL');
}
