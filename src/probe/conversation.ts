/**
 * Holds one conversation with an MCP server, whatever carries it: sorts what comes in, answers the
 * server's own requests, asks for the tools twice. It must never re-serialise what came, nor ask
 * for anything but the official handshake, `server/discover` and `tools/list`.
 */
import { isUtf8 } from 'node:buffer';
import { z } from 'zod';
import { Problem } from '../problem.ts';

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
  /** One message: a line of stdout, the body or one event of an HTTP answer. */
  lineBytes: number;
  /** All pages of one listing. */
  listBytes: number;
  /** All of stdout, or of all HTTP answers. */
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

/** What every transport wants to know. */
export type TalkOptions = {
  /** For all of it, from the start to the last page of the second listing. */
  timeoutMs: number;
  signal?: AbortSignal;
  /** Declared to the server; default none. With `roots`, roots/list is answered by an empty list. */
  clientCapabilities?: Readonly<Record<string, unknown>>;
  limits?: Partial<Limits>;
  onEvent?: (event: ProbeEvent) => void;
  /** Takes secrets out of the server's words, which is done before they are cut: half a one is not known. */
  hide?: (text: string) => string;
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

/** The server's own error reply, kept in its words. `code` is `server.error` or `server.no-tools`. */
export class Refusal extends Problem {
  readonly rpc: { code: number; message: string; data?: unknown };
  /** The reply as it came; null where it may hold what must not be shown. */
  readonly line: Uint8Array | null;

  constructor(problem: Problem, rpc: Refusal['rpc'], line: Uint8Array | null = null) {
    super(problem.code, problem.message, problem.mend === undefined ? {} : { mend: problem.mend });
    this.rpc = rpc;
    this.line = line;
  }
}

/** Why a probe came to nothing. `code` is one of the `server.*` and `probe.*` codes. */
export class ProbeFailure extends Problem {
  /** The last 4 KiB of the server's stderr. */
  readonly stderrTail: string;
  readonly elapsedMs: number;
  /** What was being asked. */
  readonly method: string;
  /** The server's own error, where that is why, and the reply that holds it. */
  readonly rpc: Refusal['rpc'] | null;
  readonly line: Refusal['line'];

  constructor(
    problem: Problem,
    stderrTail: string,
    { elapsedMs, method }: { elapsedMs: number; method: string },
  ) {
    super(problem.code, problem.message, {
      ...(problem.mend === undefined ? {} : { mend: problem.mend }),
      cause: problem.cause,
    });
    this.stderrTail = stderrTail;
    this.elapsedMs = elapsedMs;
    this.method = method;
    this.rpc = problem instanceof Refusal ? problem.rpc : null;
    this.line = problem instanceof Refusal ? problem.line : null;
  }
}

const Message = z.looseObject({ jsonrpc: z.literal('2.0') });
const Id = z.union([z.number(), z.string()]);
const Call = Message.extend({ method: z.string(), id: Id.optional() });
const Reply = Message.extend({
  // The 2026-07-28 revision leaves it out where it could not be read, JSON-RPC says null.
  id: Id.nullish(),
  result: z.unknown().optional(),
  error: z
    .looseObject({ code: z.number(), message: z.string(), data: z.unknown().optional() })
    .optional(),
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

/** How we name ourselves to a server. */
export const CLIENT_INFO = { name: 'weighbridge', version: '1' };
/** Where a request of 2026-07-28 and later says its protocol version, in `_meta`. */
export const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';
const METHOD_NOT_FOUND = -32601;
const SAMPLE_CHARACTERS = 120;

/** One message of ours, before it is serialised. */
export type Outgoing = {
  readonly jsonrpc: '2.0';
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: object;
  readonly result?: object;
  readonly error?: object;
};
/** What a message turned out to be: `stray` answers nothing asked, `junk` is not JSON-RPC. */
export type Heard = 'reply' | 'call' | 'stray' | 'junk';
/** One listing. */
export type Listing = { pages: Uint8Array[]; tools: unknown[]; results: z.infer<typeof Page>[] };
/** What both eras can say of a server; transports add the tail of stderr. */
export type Told = Omit<Probed, 'stderrTail'>;

/**
 * Requests and replies over one transport, which gives `send` and calls `hear` and `fail`.
 * Requests are never sent side by side.
 */
export class Conversation {
  readonly limits: Limits;
  readonly #started = performance.now();
  /** Negotiated by the handshake; null before it and in the era that has none. */
  version: string | null = null;
  /** From 2026-07-28 on clients answer no requests of the server. */
  stateless = false;
  readonly #options: TalkOptions;
  readonly #send: (message: Outgoing) => Promise<void>;
  #waiting: { id: number; resolve: (got: { reply: Reply; line: Uint8Array }) => void } | undefined;
  #fail: (problem: Problem) => void = () => {};
  #method = 'initialize';
  #junk = { lines: 0, sample: '' };
  #strays = { replies: 0, sample: '' };
  readonly #warned: Warning[] = [];

  /** `send` resolves when the message is on its way, and rejects with a Problem. */
  constructor(options: TalkOptions, send: (message: Outgoing) => Promise<void>) {
    this.limits = { ...LIMITS, ...options.limits };
    this.#options = options;
    this.#send = send;
  }

  /** Since the conversation was made. */
  get elapsedMs(): number {
    return Math.round(performance.now() - this.#started);
  }

  /** What is being asked, or was asked last. */
  get method(): string {
    return this.#method;
  }

  /** A request waits for its reply. */
  get waits(): boolean {
    return this.#waiting !== undefined;
  }

  /** The whole exchange, or the first thing that went wrong: time, signal, or what `fail` was told. */
  async hold<T>(exchange: (conversation: Conversation) => Promise<T>): Promise<T> {
    const { timeoutMs, signal } = this.#options;
    const onAbort = () => this.#fail(abortedProblem());
    const failed = new Promise<never>((_, reject) => {
      this.#fail = reject;
    });
    const timer = setTimeout(() => this.#fail(this.#timeoutProblem()), timeoutMs);
    signal?.addEventListener('abort', onAbort, { once: true });
    this.tell('started');
    try {
      return await Promise.race([failed, exchange(this)]);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    }
  }

  /** Ends the exchange; the first problem counts. */
  fail(cause: unknown): void {
    this.#fail(
      cause instanceof Problem ? cause : new Problem('server.bad-answer', String(cause), { cause }),
    );
  }

  tell(event: ProbeEvent): void {
    this.#options.onEvent?.(event);
  }

  /** Notes something odd; the first of each code counts, for a server may do it without end. */
  warn(code: string, message: string): void {
    if (this.#warned.some((warning) => warning.code === code)) return;
    this.#warned.push({ code, message });
  }

  capabilities(): Readonly<Record<string, unknown>> {
    return this.#options.clientCapabilities ?? {};
  }

  request(id: number, method: string, params: object): Promise<{ reply: Reply; line: Uint8Array }> {
    this.#method = method;
    return new Promise((resolve, reject) => {
      this.#waiting = { id, resolve };
      this.#send({ jsonrpc: '2.0', id, method, params }).catch(reject);
    });
  }

  notify(method: string): Promise<void> {
    return this.#send({ jsonrpc: '2.0', method });
  }

  /** Both listings, compared; `params` go with every request. */
  async listTwice(params: object = {}): Promise<
    Pick<Told, 'pages' | 'tools' | 'sameOrder' | 'sameBytes' | 'listMs'> & {
      results: Listing['results'];
    }
  > {
    const first = await this.#list(FIRST_LISTING, params);
    const listMs = this.elapsedMs;
    this.tell('listed');
    const second = await this.#list(SECOND_LISTING, params);
    return {
      ...first,
      sameOrder: names(first.tools) === names(second.tools),
      sameBytes:
        first.pages.length === second.pages.length &&
        first.pages.every((page, i) => differInOneByte(page, second.pages[i] ?? page)),
      listMs,
    };
  }

  /** All pages of one listing. */
  async #list(base: number, params: object): Promise<Listing> {
    const pages: Uint8Array[] = [];
    const tools: unknown[] = [];
    const results: Listing['results'] = [];
    const seen = new Set<string>();
    let bytes = 0;
    let cursor: string | undefined;
    do {
      if (pages.length === this.limits.pages) throw flood(`${pages.length} pages and no end`);
      const { reply, line } = await this.request(
        base + pages.length + 1,
        'tools/list',
        cursor === undefined ? params : { ...params, cursor },
      );
      const page = read(Page, reply.result, 'tools/list');
      bytes += line.length;
      if (bytes > this.limits.listBytes) {
        throw flood(`a list of more than ${this.limits.listBytes} bytes`);
      }
      pages.push(line);
      results.push(page);
      for (const tool of page.tools) tools.push(tool);
      this.tell('page');
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
    return { pages, tools, results };
  }

  /**
   * Takes in one message, as bytes. Throws Problem: bytes that are not UTF-8, a Refusal of what
   * was asked.
   */
  hear(line: Uint8Array): Heard {
    const text = Buffer.from(line.buffer, line.byteOffset, line.length).toString('utf8');
    const message = Message.safeParse(parse(text));
    if (!message.success) {
      this.#junk.sample ||= this.#sample(text);
      this.#junk.lines++;
      return 'junk';
    }
    if (!isUtf8(line)) {
      throw new Problem('server.bad-utf8', 'a message is not valid UTF-8', {
        mend: 'Report it to the server: MCP messages are UTF-8; such bytes have no one reading.',
      });
    }
    const call = Call.safeParse(message.data);
    if (call.success) {
      if (call.data.id !== undefined) this.#answer(call.data.id, call.data.method);
      return 'call';
    }
    const reply = Reply.safeParse(message.data);
    const waiting = this.#waiting;
    // An error without an id says that our message could not even be read: it is meant for us.
    const ours = reply.success && (reply.data.id === waiting?.id || reply.data.id == null);
    if (!reply.success || waiting === undefined || !ours) {
      this.#strays.sample ||= this.#sample(text);
      this.#strays.replies++;
      return 'stray';
    }
    this.#waiting = undefined;
    if (reply.data.error !== undefined) throw this.#refusal(reply.data.error, line);
    waiting.resolve({ reply: reply.data, line });
    return 'reply';
  }

  /** The server's own requests: what was not declared is refused, and nothing is left open. */
  #answer(id: string | number, method: string): void {
    if (this.stateless) {
      this.warn('stray-request', `the server asked for ${method}, which this revision forbids`);
      return;
    }
    const answer = (rest: Pick<Outgoing, 'result' | 'error'>) => {
      this.#send({ jsonrpc: '2.0', id, ...rest }).catch((cause) => this.fail(cause));
    };
    if (method === 'ping') answer({ result: {} });
    else if (method === 'roots/list' && 'roots' in this.capabilities()) {
      answer({ result: { roots: [] } });
    } else {
      const error = { code: METHOD_NOT_FOUND, message: `${method} is not offered by this client` };
      answer({ error });
    }
  }

  warnings(): Warning[] {
    const warnings = [...this.#warned];
    if (this.#junk.lines > 0) {
      const { lines, sample } = this.#junk;
      const message = `${lines} line(s) or event(s) are not JSON-RPC; the first begins ${quote(sample)}`;
      warnings.push({ code: 'stdout-junk', message });
    }
    if (this.#strays.replies > 0) {
      const { replies, sample } = this.#strays;
      const message = `${replies} message(s) answer nothing asked; the first begins ${quote(sample)}`;
      warnings.push({ code: 'stray-reply', message });
    }
    return warnings;
  }

  /** What came that is no message, to follow on a failure that it may explain; else nothing. */
  get aside(): string {
    const { lines, sample } = this.#junk;
    if (lines === 0) return '';
    const what = lines === 1 ? '1 line that is' : `${lines} lines that are`;
    return `; it sent ${what} not JSON-RPC, the first: ${quote(sample)}`;
  }

  #sample(text: string): string {
    return this.#hide(text).slice(0, SAMPLE_CHARACTERS);
  }

  #hide(text: string): string {
    return this.#options.hide?.(text) ?? text;
  }

  #refusal(error: Refusal['rpc'], line: Uint8Array): Refusal {
    const method = this.#method;
    if (method === 'tools/list' && error.code === METHOD_NOT_FOUND) {
      return new Refusal(noTools('does not know tools/list'), error, line);
    }
    const message = this.#hide(error.message).slice(0, 500);
    const mend =
      method === 'initialize'
        ? `It may not speak MCP ${PROTOCOL_REQUESTED} or earlier, or want other settings.`
        : 'Its stderr may say more; often a token or a setting is wanted.';
    const problem = new Problem(
      'server.error',
      `${method} was answered by error ${error.code}: ${message}`,
      { mend },
    );
    return new Refusal(problem, error, line);
  }

  #timeoutProblem(): Problem {
    return new Problem(
      'server.timeout',
      `no answer to ${this.#method} within ${this.#options.timeoutMs} ms${this.aside}`,
      {
        mend:
          this.#strays.replies > 0
            ? `It sent ${this.#strays.replies} that answer nothing that was asked, the first begins ${quote(this.#strays.sample)}`
            : 'Give it more time with --timeout, or start it by hand to see what it waits for.',
      },
    );
  }
}

/** The eras up to 2025-11-25: `initialize`, `notifications/initialized`, then the lists. */
export async function handshake(conversation: Conversation): Promise<Told> {
  const { reply } = await conversation.request(1, 'initialize', {
    protocolVersion: PROTOCOL_REQUESTED,
    capabilities: conversation.capabilities(),
    clientInfo: CLIENT_INFO,
  });
  const hello = read(Initialized, reply.result, 'initialize');
  conversation.version = hello.protocolVersion;
  await conversation.notify('notifications/initialized');
  conversation.tell('initialized');
  if (!('tools' in hello.capabilities)) throw noTools('declares no tools capability');
  const { results: _, ...lists } = await conversation.listTwice();
  return {
    protocolRequested: PROTOCOL_REQUESTED,
    protocolNegotiated: hello.protocolVersion,
    serverName: hello.serverInfo?.name ?? null,
    serverVersion: hello.serverInfo?.version ?? null,
    capabilities: hello.capabilities,
    ...lists,
    warnings: conversation.warnings(),
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A result by its schema. Throws Problem server.bad-answer. */
export function read<S extends z.ZodType>(schema: S, result: unknown, method: string): z.infer<S> {
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

/** There is nothing to list. */
export function noTools(why: string): Problem {
  return new Problem('server.no-tools', `the server ${why}`, {
    mend: 'There is nothing to weigh: it may offer only resources or prompts.',
  });
}

/** The server said more than the limits allow. */
export function flood(what: string): Problem {
  return new Problem('server.flood', `the server sent ${what}`, {
    mend: 'Limits are in src/probe/conversation.ts; raise one only if such a list is really meant.',
  });
}

/** Whoever asked gave up. */
export function abortedProblem(): Problem {
  return new Problem('probe.aborted', 'interrupted before the server had answered');
}

/** The beginning of what a server said, safe on one line. */
export function quote(text: string): string {
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
