/**
 * Runs one client for one turn against the capture server, in its own place, and says what it sent or
 * how it failed. It must never leave a process behind, nor let a client see this machine's own files
 * or environment.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { z } from 'zod';
import type { ServerContent } from '../articles/servers.ts';
import { toolOf } from '../measure/request.ts';
import { type Installed, installPackage } from '../packages/install.ts';
import { Child } from '../probe/child.ts';
import { PLACES, withPlace } from '../probe/place.ts';
import { Problem } from '../problem.ts';
import { type Job, jobId } from './clients.ts';
import { type CountTokens, RequestDigest } from './digest.ts';
import { INNER_PORT, ISOLATIONS, type Isolation, namespaced, ownNode } from './enclosure.ts';
import { type Attached, launch } from './launch.ts';
import { startWire } from './server.ts';

const Count = z.number().int().nonnegative();

/** What came of one run; the body of a capture, and what a file of `--out` holds. */
export const ClientRun = z
  .strictObject({
    kind: z.literal('client_request'),
    outcome: z.enum(['captured', 'failed']),
    client: z.string(),
    variant: z.string(),
    package: z.strictObject({
      name: z.string(),
      version: z.string(),
      integrity: z.string().nullable(),
    }),
    /** When the command that made this began. */
    run: z.iso.datetime(),
    /** What another machine needs to do the same. */
    recipe: z.strictObject({
      args: z.array(z.string()),
      /** Without the proxy variables, which follow from the isolation. */
      env: z.record(z.string(), z.string()),
      /** `filesystem@2026.8.31`; `synthetic@200` is our own server with that many tools. */
      servers: z.array(z.string()),
      always_load: z.boolean(),
      fault: z.string().exactOptional(),
      place: z.string(),
      node: z.string(),
      platform: z.string(),
      isolation: z.enum(ISOLATIONS),
    }),
    /** The turn's request: of those that a model answers, the largest. */
    request: RequestDigest.nullable(),
    /** Everything else that came, in order. */
    others: z.array(
      z.strictObject({
        endpoint: z.string().nullable(),
        model: z.string().nullable(),
        status: Count.nullable(),
        body_bytes: Count,
        tools: Count,
      }),
    ),
    /** Attached servers none of whose tools the request carries or names. */
    missing_servers: z.array(z.string()),
    /** Hosts that the client tried to reach beyond loopback; none was reached. */
    outside: z.array(z.string()),
    /** How the client's process ended; null when it was never started. */
    ended: z
      .strictObject({
        code: z.number().int().nullable(),
        signal: z.string().nullable(),
        elapsed_ms: Count,
      })
      .nullable(),
    failure: z.strictObject({ code: z.string(), message: z.string(), said: z.string() }).nullable(),
  })
  .refine((run) => (run.outcome === 'captured') === (run.request !== null), {
    message: 'a captured run has a request, a failed one none',
  });
export type ClientRun = z.infer<typeof ClientRun>;

export interface RunOptions {
  cacheDir: string;
  run: string;
  timeoutMs: number;
  count: CountTokens;
  isolation: Isolation;
  /** All servers of content/servers.yaml. */
  servers: readonly ServerContent[];
  /** Which of the places for runs at the same time; each has the same length of path. */
  slot: number;
  signal?: AbortSignal;
  onStage?: (stage: string) => void;
  /** Only tests run elsewhere, or something else than what was installed. */
  places?: string;
  install?: typeof installPackage;
}

/** Where a client's process is given to end by itself when it is told to, in ms. */
const GRACE_MS = 1000;
/** How much of what a client printed is looked at, from its end, in characters. */
const SAID_CHARACTERS = 8192;

/**
 * Runs `job`. A client that cannot be installed, hangs, crashes or asks for a login gives a `failed`
 * run; Problem `run.aborted`, `place.*` are thrown, for they say nothing about the client.
 */
export async function runClient(job: Job, options: RunOptions): Promise<ClientRun> {
  const { slot, places = PLACES } = options;
  if (!(slot >= 0 && slot <= 9)) throw new RangeError('a slot is 0 to 9: paths must not differ');
  return withPlace(
    `wire-${slot}`,
    async ({ root, home, work }) => {
      const base: ClientRun = {
        kind: 'client_request',
        outcome: 'failed',
        client: job.client.name,
        variant: job.variant.name,
        package: { name: job.client.package, version: job.version, integrity: null },
        run: options.run,
        recipe: {
          args: [],
          env: {},
          servers: [],
          always_load: job.variant.always_load,
          ...(job.variant.fault !== undefined && { fault: job.variant.fault }),
          place: root,
          node: process.version,
          platform: `${process.platform}-${process.arch}`,
          isolation: options.isolation,
        },
        request: null,
        others: [],
        missing_servers: [],
        outside: [],
        ended: null,
        failure: null,
      };
      let command: string[];
      let attached: Attached[];
      try {
        options.onStage?.('installing');
        const installed = await install(options, job.client.package, job.version);
        base.package.integrity = installed.integrity;
        command = executable(installed, job.client.executable);
        attached = await attach(job, options, base.recipe.servers);
      } catch (error) {
        if (options.signal?.aborted || !(error instanceof Problem))
          throw aborted(job, options, error);
        const said = error.mend ?? '';
        return {
          ...base,
          failure: { code: error.code, message: plain(error.message), said: plain(said) },
        };
      }
      options.onStage?.('running');
      const socket = join(root, 'wire.sock');
      const inside = options.isolation === 'namespace';
      const came: RequestDigest[] = [];
      const wire = await startWire({
        listen: inside ? { socket } : { port: 0 },
        fault: job.variant.fault ?? null,
        count: options.count,
        onRequest: (digest) => came.push(digest),
      });
      try {
        const url = inside ? `http://127.0.0.1:${INNER_PORT}` : wire.url;
        const made = launch(job.client.name, {
          url,
          home,
          work,
          servers: attached,
          variant: job.variant,
        });
        base.recipe.args = made.args;
        base.recipe.env = Object.fromEntries(
          Object.entries(made.env).filter(([name]) => !/_proxy$/i.test(name)),
        );
        for (const [path, text] of Object.entries(made.files)) {
          await mkdir(dirname(path), { recursive: true });
          await writeFile(path, text, { mode: 0o600 });
        }
        const whole = [...command, ...made.args];
        const turn = await live(
          inside ? namespaced(socket, whole) : whole,
          made.env,
          work,
          options,
        );
        if (options.signal?.aborted) throw aborted(job, options);
        return outcome(base, came, attached, turn);
      } finally {
        await wire.close();
      }
    },
    places,
  );
}

function aborted(job: Job, { signal }: RunOptions, error?: unknown): unknown {
  return signal?.aborted ? new Problem('run.aborted', 'interrupted', { at: jobId(job) }) : error;
}

function install(
  { cacheDir, signal, install: by = installPackage }: RunOptions,
  name: string,
  version: string,
  asOf?: string,
): Promise<Installed> {
  return by({
    ...{ name, version, cacheDir },
    ...(asOf === undefined ? {} : { asOf }),
    ...(signal === undefined ? {} : { signal }),
  });
}

function executable(installed: Installed, path: string): string[] {
  const modules = installed.dir.slice(0, -installed.name.length);
  const file = join(modules, path.replaceAll('{platform}', `${process.platform}-${process.arch}`));
  if (!file.startsWith(modules.endsWith(sep) ? modules : modules + sep)) {
    throw new Problem('client.no-executable', 'the executable is outside of its package', {
      at: installed.name,
    });
  }
  return /\.[cm]?[jt]s$/.test(file) ? [process.execPath, file] : [file];
}

/** Installs the servers and says how a client is to start each; `names` gets what the record shows. */
async function attach(job: Job, options: RunOptions, names: string[]): Promise<Attached[]> {
  const attached: Attached[] = [];
  for (const wanted of job.servers) {
    const server = options.servers.find(({ name }) => name === wanted);
    if (server === undefined) {
      throw new Problem('clients.no-server', `there is no ${wanted}`, {
        at: jobId(job),
        mend: 'Name one of content/servers.yaml.',
      });
    }
    const { name, package: from, version, as_of: asOf, bin, args, env } = server;
    const script = (await install(options, from, version, asOf)).bin(bin);
    attached.push({ name, command: process.execPath, args: [script, ...args], env });
    names.push(`${name}@${version}`);
  }
  const { synthetic } = job.variant;
  if (synthetic > 0) {
    const own = ownNode(new URL('synthetic-server.ts', import.meta.url).href);
    const [command = '', ...args] = [...own, '--tools', String(synthetic)];
    attached.push({ name: 'synthetic', command, args, env: {} });
    names.push(`synthetic@${synthetic}`);
  }
  return attached;
}

interface Turn {
  code: number | null;
  signal: NodeJS.Signals | null;
  elapsed_ms: number;
  hung: boolean;
  error: Error | null;
  /** The last of what it printed. */
  said: string;
}

async function live(
  whole: readonly string[] | null,
  env: Record<string, string>,
  cwd: string,
  { timeoutMs, signal }: RunOptions,
): Promise<Turn> {
  const [command = '', ...args] = whole ?? [];
  const started = performance.now();
  const child = new Child({ command, args, env, cwd });
  child.process.stdin.end();
  let printed = '';
  child.process.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    printed = (printed + chunk).slice(-SAID_CHARACTERS);
  });
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort('hung'), timeoutMs);
  const interrupt = () => stop.abort('interrupted');
  signal?.addEventListener('abort', interrupt, { once: true });
  if (signal?.aborted) interrupt();
  const stopped = new Promise<null>((done) => {
    stop.signal.addEventListener('abort', () => done(null), { once: true });
    if (stop.signal.aborted) done(null);
  });
  try {
    const ended = await Promise.race([child.ended, stopped]);
    const elapsed_ms = Math.round(performance.now() - started);
    await child.end(ended === null ? GRACE_MS : 0);
    return {
      code: ended?.code ?? null,
      signal: ended?.signal ?? null,
      elapsed_ms,
      hung: ended === null,
      error: ended?.error ?? null,
      said: `${child.stderrTail()}\n${printed}`,
    };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', interrupt);
  }
}

const LOGIN = /\b(?:log ?in|sign ?in|authenticat\w+|api[ _-]?key)\b/i;

function outcome(
  base: ClientRun,
  came: readonly RequestDigest[],
  attached: readonly Attached[],
  turn: Turn,
): ClientRun {
  const turns = came.filter((one) => one.turn && one.status === 200);
  const request = turns.reduce<RequestDigest | null>(
    (largest, one) => (largest !== null && largest.body_bytes >= one.body_bytes ? largest : one),
    null,
  );
  const { code, signal, elapsed_ms } = turn;
  const about = {
    ...base,
    request,
    others: came
      .filter((one) => one !== request && one.outside === null)
      .map(({ endpoint, model, status, body_bytes, tools }) => ({
        ...{ endpoint, model, status, body_bytes },
        tools: tools.count,
      })),
    outside: [...new Set(came.flatMap((one) => one.outside ?? []))].sort(),
    ended: turn.error === null ? { code, signal, elapsed_ms } : null,
  };
  if (request !== null) {
    const missing = attached.filter(({ name }) => !seen(request, name)).map(({ name }) => name);
    return { ...about, outcome: 'captured', missing_servers: missing };
  }
  const refused = came.filter((one) => one.turn && (one.status ?? 0) >= 400).length;
  const [failure, message] =
    turn.error !== null
      ? ['client.not-started', turn.error.message]
      : LOGIN.test(turn.said)
        ? ['client.login', 'it asks for a login']
        : turn.hung
          ? ['client.hung', `it had sent nothing to a model after ${elapsed_ms} ms`]
          : refused > 0
            ? ['client.refused', `it was refused ${refused} times, and gave up`]
            : signal !== null || code !== 0
              ? [
                  'client.crashed',
                  `it ended with ${signal ?? `code ${code}`} before it asked a model`,
                ]
              : ['client.silent', 'it ended well and never asked a model'];
  return { ...about, failure: { code: failure, message: plain(message), said: plain(turn.said) } };
}

/** Whether a tool of the server is in the request, or named there. */
function seen({ tool_list, named }: RequestDigest, server: string): boolean {
  const form = toolOf(server);
  return (
    tool_list.some((tool) => form.test(tool.name) || form.test(tool.namespace ?? '')) ||
    named.some((name) => form.test(name))
  );
}

/** The last of a text without paths, addresses or what may be a secret: it goes to the disk. */
function plain(text: string): string {
  return text
    .trim()
    .slice(-2000)
    .replaceAll(/(?:[A-Za-z]:)?(?:[\\/][\w.@+~-]+){2,}[\\/]?/g, '<path>')
    .replaceAll(/\S+@\S+\.\w+/g, '<address>')
    .replaceAll(/[\w+=-]{24,}/g, '<token>')
    .slice(-500);
}
