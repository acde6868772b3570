/**
 * Asks one MCP server over stdio for its tools and keeps the answer byte for byte. It must never
 * re-serialise what came, never send anything but the official handshake and `tools/list`, and
 * never leave the server running.
 */
import { isUtf8 } from 'node:buffer';
import { z } from 'zod';
import { Problem } from '../problem.ts';
import { Child, type Ended } from './child.ts';
import { Lines, LineTooLong } from './lines.ts';

/** The protocol revision that `initialize` asks for. */
export const PROTOCOL_REQUESTED = '2025-11-25';

/**
 * Request ids are fixed, so that the same server gives the same payload everywhere. Pages of the
 * two listings differ in one digit, which lets their bytes be compared.
 */
const FIRST_LISTING = 1000;
const SECOND_LISTING = 2000;

/** How much a server may say, in bytes, lines and pages; past it the probe ends with `server.flood`. */
export type Limits = {
  /** One line of stdout. */
  lineBytes: number;
  /** All pages of one listing. */
  listBytes: number;
  /** All of stdout. */
  stdoutBytes: number;
  /** Pages of one listing; under 1,000, so that the ids of two listings never meet. */
  pages: number;
};
const MIB = 2 ** 20;
export const LIMITS: Limits = {
  lineBytes: 32 * MIB,
  listBytes: 64 * MIB,
  stdoutBytes: 256 * MIB,
  pages: 999,
};

export type ProbeOptions = {
  command: string;
  args: readonly string[];
  /** The whole environment of the server; nothing of ours is added. */
  env: Readonly<Record<string, string>>;
  cwd: string;
  /** For all of it, from the start to the last page of the second listing. */
  timeoutMs: number;
  /** How long a server may take to leave after EOF, and again after SIGTERM. Default 2,000 ms. */
  graceMs?: number;
  signal?: AbortSignal;
  /** Declared in `initialize`; default none. With `roots`, roots/list is answered by an empty list. */
  clientCapabilities?: Readonly<Record<string, unknown>>;
  limits?: Partial<Limits>;
  onEvent?: (event: ProbeEvent) => void;
};
export type ProbeEvent = 'started' | 'initialized' | 'page' | 'listed' | 'ended';

/** Something odd that did not stop the list from being had. */
export type Warning = { code: string; message: string };

/** What came of it. */
export type Probed = {
  protocolRequested: string;
  protocolNegotiated: string;
  serverName: string | null;
  serverVersion: string | null;
  capabilities: Readonly<Record<string, unknown>>;
  /** The response lines of the first listing, one a page, as they came, without line ends. */
  pages: Uint8Array[];
  /** The `tools` of those pages, in order. */
  tools: unknown[];
  /** The second listing named the same tools in the same order. */
  sameOrder: boolean;
  /** The pages of both listings are equal but for the id of the request. */
  sameBytes: boolean;
  warnings: Warning[];
  stderrTail: string;
  /** From the start to the end of the first listing. */
  listMs: number;
};

/** Why a probe came to nothing. `code` is one of the `server.*` codes, or `probe.aborted`. */
export class ProbeFailure extends Problem {
  /** The last 4 KiB of the server's stderr. */
  readonly stderrTail: string;
  readonly elapsedMs: number;

  constructor(problem: Problem, stderrTail: string, elapsedMs: number) {
    super(problem.code, problem.message, {
      ...(problem.mend === undefined ? {} : { mend: problem.mend }),
      cause: problem.cause,
    });
    this.stderrTail = stderrTail;
    this.elapsedMs = elapsedMs;
  }
}

const Message = z.looseObject({ jsonrpc: z.literal('2.0') });
const Id = z.union([z.number(), z.string()]);
const Call = Message.extend({ method: z.string(), id: Id.optional() });
const Reply = Message.extend({
  id: Id.nullable(),
  result: z.unknown().optional(),
  error: z.looseObject({ code: z.number(), message: z.string() }).optional(),
}).refine((reply) => (reply.result === undefined) !== (reply.error === undefined));
type Reply = z.infer<typeof Reply>;

const Initialized = z.looseObject({
  protocolVersion: z.string(),
  capabilities: z.record(z.string(), z.unknown()).default({}),
  serverInfo: z
    .looseObject({
      name: z.string().nullable().catch(null),
      version: z.string().nullable().catch(null),
    })
    .nullable()
    .catch(null),
});
const Page = z.looseObject({
  tools: z.array(z.unknown()),
  nextCursor: z.string().nullish(),
});

const METHOD_NOT_FOUND = -32601;
const SAMPLE_CHARACTERS = 120;

/** Starts a server, lists its tools twice, ends it. Throws ProbeFailure. */
export async function probeStdio(options: ProbeOptions): Promise<Probed> {
  const started = performance.now();
  const elapsed = () => Math.round(performance.now() - started);
  if (options.signal?.aborted) throw new ProbeFailure(abortedProblem(), '', 0);
  const child = new Child(options);
  let grace = options.graceMs ?? 2000;
  try {
    const answer = await new Conversation(child, options, elapsed).hold();
    return { ...answer, stderrTail: child.stderrTail() };
  } catch (cause) {
    if (!(cause instanceof Problem)) throw cause;
    const failure = new ProbeFailure(cause, child.stderrTail(), elapsed());
    // It has had its time; whoever pressed Ctrl-C should not wait for its manners.
    grace = Math.min(grace, 250);
    throw failure;
  } finally {
    await child.end(grace);
    options.onEvent?.('ended');
  }
}

/** One server's stdio seen as requests and replies. */
class Conversation {
  readonly #child: Child;
  readonly #options: ProbeOptions;
  readonly #limits: Limits;
  readonly #elapsed: () => number;
  /** The one request that is under way; requests are never sent side by side. */
  #waiting: { id: number; resolve: (got: { reply: Reply; line: Uint8Array }) => void } | undefined;
  #fail: (problem: Problem) => void = () => {};
  #method = 'initialize';
  #stdoutBytes = 0;
  #junk = { lines: 0, sample: '' };
  #strays = { replies: 0, sample: '' };

  constructor(child: Child, options: ProbeOptions, elapsed: () => number) {
    this.#child = child;
    this.#options = options;
    this.#limits = { ...LIMITS, ...options.limits };
    this.#elapsed = elapsed;
  }

  /** The whole exchange, or the first thing that went wrong: time, signal, exit, flood, bad bytes. */
  async hold(): Promise<Omit<Probed, 'stderrTail'>> {
    const { timeoutMs, signal } = this.#options;
    let timer: NodeJS.Timeout | undefined;
    const onAbort = () => this.#fail(abortedProblem());
    const failed = new Promise<never>((_, reject) => {
      this.#fail = reject;
    });
    timer = setTimeout(() => this.#fail(this.#timeoutProblem()), timeoutMs);
    signal?.addEventListener('abort', onAbort, { once: true });
    this.#listen();
    try {
      return await Promise.race([failed, this.#exchange()]);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    }
  }

  async #exchange(): Promise<Omit<Probed, 'stderrTail'>> {
    this.#options.onEvent?.('started');
    const { reply } = await this.#request(1, 'initialize', {
      protocolVersion: PROTOCOL_REQUESTED,
      capabilities: this.#options.clientCapabilities ?? {},
      clientInfo: { name: 'weighbridge', version: '1' },
    });
    const hello = read(Initialized, reply.result, 'initialize');
    this.#send({ method: 'notifications/initialized' });
    this.#options.onEvent?.('initialized');
    if (!('tools' in hello.capabilities)) throw noTools('declares no tools capability');

    const first = await this.#list(FIRST_LISTING);
    const listMs = this.#elapsed();
    this.#options.onEvent?.('listed');
    const second = await this.#list(SECOND_LISTING);
    return {
      protocolRequested: PROTOCOL_REQUESTED,
      protocolNegotiated: hello.protocolVersion,
      serverName: hello.serverInfo?.name ?? null,
      serverVersion: hello.serverInfo?.version ?? null,
      capabilities: hello.capabilities,
      pages: first.pages,
      tools: first.tools,
      sameOrder: names(first.tools) === names(second.tools),
      sameBytes:
        first.pages.length === second.pages.length &&
        first.pages.every((page, i) => differInOneByte(page, second.pages[i] ?? page)),
      warnings: this.#warnings(),
      listMs,
    };
  }

  /** All pages of one listing. */
  async #list(base: number): Promise<{ pages: Uint8Array[]; tools: unknown[] }> {
    const pages: Uint8Array[] = [];
    const tools: unknown[] = [];
    const seen = new Set<string>();
    let bytes = 0;
    let cursor: string | undefined;
    do {
      if (pages.length === this.#limits.pages) throw flood(`${pages.length} pages and no end`);
      const { reply, line } = await this.#request(
        base + pages.length + 1,
        'tools/list',
        cursor === undefined ? {} : { cursor },
      );
      const page = read(Page, reply.result, 'tools/list');
      bytes += line.length;
      if (bytes > this.#limits.listBytes) {
        throw flood(`a list of more than ${this.#limits.listBytes} bytes`);
      }
      pages.push(line);
      for (const tool of page.tools) tools.push(tool);
      this.#options.onEvent?.('page');
      cursor = page.nextCursor ?? undefined;
      if (cursor !== undefined && seen.has(cursor)) {
        throw new Problem(
          'server.cursor-loop',
          `the cursor ${quote(cursor)} came again on page ${pages.length}: the list has no end`,
          {
            mend: 'Report it to the server: nextCursor must advance and be absent on the last page.',
          },
        );
      }
      if (cursor !== undefined) seen.add(cursor);
    } while (cursor !== undefined);
    return { pages, tools };
  }

  #request(
    id: number,
    method: string,
    params: object,
  ): Promise<{ reply: Reply; line: Uint8Array }> {
    this.#method = method;
    return new Promise((resolve) => {
      this.#waiting = { id, resolve };
      this.#send({ id, method, params });
    });
  }

  #send(message: object): void {
    const { stdin } = this.#child.process;
    if (stdin.writable) stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  #listen(): void {
    const { process: child, ended } = this.#child;
    const lines = new Lines(this.#limits.lineBytes);
    const take = (some: Iterable<Uint8Array>) => {
      try {
        for (const line of some) this.#line(line);
      } catch (cause) {
        this.#fail(
          cause instanceof LineTooLong
            ? flood(cause.message)
            : cause instanceof Problem
              ? cause
              : new Problem('server.bad-answer', String(cause), { cause }),
        );
        child.stdout.pause();
      }
    };
    child.stdout.on('data', (chunk: Buffer) => {
      this.#stdoutBytes += chunk.length;
      if (this.#stdoutBytes > this.#limits.stdoutBytes) {
        child.stdout.pause();
        this.#fail(flood(`more than ${this.#limits.stdoutBytes} bytes on stdout`));
      } else take(lines.push(chunk));
    });
    child.stdout.once('end', () => {
      const rest = lines.end();
      if (rest !== null) take([rest]);
    });
    const gone = async () => {
      // The exit may be told before the last of its output: let the pipes drain, but a grandchild
      // that inherited them must not hold us either.
      const drained = new Promise((resolve) => child.once('close', resolve));
      const leave = new Promise((resolve) => setTimeout(resolve, 1000).unref());
      await Promise.race([drained, leave]);
      const end = await Promise.race([ended, leave]);
      this.#fail(this.#exitedProblem(isEnded(end) ? end : undefined));
    };
    void ended.then(gone);
    child.stdout.once('end', () => void gone());
  }

  #line(line: Uint8Array): void {
    const text = Buffer.from(line.buffer, line.byteOffset, line.length).toString('utf8');
    const message = Message.safeParse(parse(text));
    if (!message.success) {
      this.#junk.sample ||= text.slice(0, SAMPLE_CHARACTERS);
      this.#junk.lines++;
      return;
    }
    if (!isUtf8(line)) {
      throw new Problem('server.bad-utf8', 'a message on stdout is not valid UTF-8', {
        mend: 'Report it to the server: MCP messages are UTF-8; such bytes have no one reading.',
      });
    }
    const call = Call.safeParse(message.data);
    if (call.success) {
      if (call.data.id !== undefined) this.#answer(call.data.id, call.data.method);
      return;
    }
    const reply = Reply.safeParse(message.data);
    const waiting = this.#waiting;
    // An error without an id says that our message could not even be read: it is meant for us.
    const ours = reply.success && (reply.data.id === waiting?.id || reply.data.id === null);
    if (!reply.success || waiting === undefined || !ours) {
      this.#strays.sample ||= text.slice(0, SAMPLE_CHARACTERS);
      this.#strays.replies++;
      return;
    }
    this.#waiting = undefined;
    if (reply.data.error !== undefined) throw refusal(this.#method, reply.data.error);
    waiting.resolve({ reply: reply.data, line });
  }

  /** The server's own requests: what was not declared is refused, and nothing is left open. */
  #answer(id: string | number, method: string): void {
    if (method === 'ping') this.#send({ id, result: {} });
    else if (method === 'roots/list' && 'roots' in (this.#options.clientCapabilities ?? {})) {
      this.#send({ id, result: { roots: [] } });
    } else {
      const error = { code: METHOD_NOT_FOUND, message: `${method} is not offered by this client` };
      this.#send({ id, error });
    }
  }

  #warnings(): Warning[] {
    const warnings: Warning[] = [];
    if (this.#junk.lines > 0) {
      const { lines, sample } = this.#junk;
      const message = `${lines} line(s) on stdout are not JSON-RPC; the first begins ${quote(sample)}`;
      warnings.push({ code: 'stdout-junk', message });
    }
    if (this.#strays.replies > 0) {
      const { replies, sample } = this.#strays;
      const message = `${replies} message(s) answer nothing asked; the first begins ${quote(sample)}`;
      warnings.push({ code: 'stray-reply', message });
    }
    return warnings;
  }

  #timeoutProblem(): Problem {
    return new Problem(
      'server.timeout',
      `no answer to ${this.#method} within ${this.#options.timeoutMs} ms`,
      { mend: 'Give it more time with --timeout, or start it by hand to see what it waits for.' },
    );
  }

  #exitedProblem(end: Ended | undefined): Problem {
    if (end?.error !== undefined) {
      return new Problem(
        'server.not-found',
        `cannot start ${this.#options.command}: ${end.error.message}`,
        { mend: 'Check the command, its rights and the working folder.', cause: end.error },
      );
    }
    const how =
      end === undefined
        ? 'closed its stdout'
        : end.signal === null
          ? `exited with code ${end.code}`
          : `was ended by ${end.signal}`;
    return new Problem('server.exited', `the server ${how} before answering ${this.#method}`, {
      mend: 'Its stderr says why; often an argument, a token or a newer Node is wanted.',
    });
  }
}

function isEnded(value: unknown): value is Ended {
  return typeof value === 'object' && value !== null && 'code' in value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function read<S extends z.ZodType>(schema: S, result: unknown, method: string): z.infer<S> {
  const parsed = schema.safeParse(result);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const where = ['result', ...(issue?.path ?? [])].join('.');
  throw new Problem(
    'server.bad-answer',
    `the answer to ${method} is wrong at ${where}: ${issue?.message}`,
    {
      mend: 'Report it to the server: its answer does not follow the MCP schema.',
    },
  );
}

function refusal(method: string, error: { code: number; message: string }): Problem {
  if (method === 'tools/list' && error.code === METHOD_NOT_FOUND) {
    return noTools('does not know tools/list');
  }
  return new Problem(
    'server.error',
    `${method} was answered by error ${error.code}: ${error.message.slice(0, 500)}`,
    {
      mend:
        method === 'initialize'
          ? `It may not speak MCP ${PROTOCOL_REQUESTED} or earlier, or want other settings.`
          : 'Its stderr may say more; often a token or a setting is wanted.',
    },
  );
}

function noTools(why: string): Problem {
  return new Problem('server.no-tools', `the server ${why}`, {
    mend: 'There is nothing to weigh: it may offer only resources or prompts.',
  });
}

function flood(what: string): Problem {
  return new Problem('server.flood', `the server sent ${what}`, {
    mend: 'Limits are in src/probe/stdio.ts; raise one only if such a list is really meant.',
  });
}

function abortedProblem(): Problem {
  return new Problem('probe.aborted', 'interrupted before the server had answered');
}

function quote(text: string): string {
  return JSON.stringify(text.slice(0, SAMPLE_CHARACTERS));
}

function names(tools: unknown[]): string {
  return JSON.stringify(
    tools.map((tool) =>
      typeof tool === 'object' && tool !== null && 'name' in tool ? tool.name : tool,
    ),
  );
}

/** Two pages whose ids differ, as they must, are otherwise equal when one byte differs. */
function differInOneByte(a: Uint8Array, b: Uint8Array): boolean {
  const at = a.findIndex((byte, i) => byte !== b[i]);
  return a.length === b.length && Buffer.compare(a.subarray(at + 1), b.subarray(at + 1)) === 0;
}
