/**
 * Carries a conversation over Streamable HTTP, as the revisions from 2025-03-26 to 2026-07-28 have
 * it. It must never send a secret header to another origin than it was given for, never let one
 * into a message or a payload, and never leave a session or a stream open.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { Problem } from '../problem.ts';
import { readChallenge, start } from './challenge.ts';
import {
  abortedProblem,
  Conversation,
  flood,
  handshake,
  type Outgoing,
  type Probed,
  ProbeFailure,
  quote,
  Refusal,
  type TalkOptions,
  VERSION_KEY,
} from './conversation.ts';
import { checkHeaders, type SecretHeaders, Secrets } from './header.ts';
import { LineTooLong } from './lines.ts';
import { Events } from './sse.ts';

export type HttpOptions = TalkOptions & {
  /** The MCP endpoint, http or https. */
  url: string;
  /** Sent to the origin of `url` and nowhere else; every value is taken for a secret. */
  headers?: SecretHeaders;
  /** How long ending the session may take. Default 2,000 ms. */
  graceMs?: number;
};

const JSON_TYPE = 'application/json';
const STREAM_TYPE = 'text/event-stream';
const REDIRECTS = 10;
/** Before a stream that broke off is asked for again, unless the server names a time. */
const RETRY_MS = 1000;
const LEAST_RETRY_MS = 100;

/** Lists the tools of a server twice over HTTP. Throws ProbeFailure. `stderrTail` is empty. */
export function probeHttp(options: HttpOptions): Promise<Probed> {
  return overHttp(options, handshake);
}

/** Holds an exchange over HTTP and ends the session. Throws ProbeFailure. */
export async function overHttp<T>(
  options: HttpOptions,
  exchange: (conversation: Conversation) => Promise<T>,
): Promise<T & { stderrTail: string }> {
  const endpoint = new Endpoint(options);
  let grace = options.graceMs ?? 2000;
  try {
    if (options.signal?.aborted) throw abortedProblem();
    endpoint.open();
    return { ...(await endpoint.conversation.hold(exchange)), stderrTail: '' };
  } catch (cause) {
    if (!(cause instanceof Problem)) throw cause;
    grace = Math.min(grace, 250);
    throw new ProbeFailure(endpoint.hide(cause), '', endpoint.conversation);
  } finally {
    await endpoint.close(grace);
    options.onEvent?.('ended');
  }
}

/** One MCP endpoint, as redirects have left it. */
class Endpoint {
  readonly conversation: Conversation;
  readonly #given: string;
  readonly #secrets: Secrets;
  readonly #abort = new AbortController();
  #url = new URL('http://invalid');
  #headers: SecretHeaders;
  #session: string | null = null;
  /** An origin that the secret headers were not given for was asked without them. */
  #dropped = false;
  #received = 0;

  constructor(options: HttpOptions) {
    this.#given = options.url;
    this.#headers = options.headers ?? {};
    this.#secrets = new Secrets(this.#headers);
    const hide = (text: string) => this.#secrets.hide(text);
    this.conversation = new Conversation({ hide, ...options }, (message) => this.#send(message));
  }

  /** Looks the address and headers over. Throws Problem. */
  open(): void {
    this.#url = readUrl(this.#given);
    checkHeaders(this.#headers);
    if (this.#url.protocol === 'http:' && !isLoopback(this.#url)) {
      const what = Object.keys(this.#headers).length > 0 ? 'the secret headers go' : 'all goes';
      this.conversation.warn('plain-http', `${what} to ${this.#url.host} without encryption`);
    }
  }

  /** The same problem without the values of secret headers, should the server have said them. */
  hide(problem: Problem): Problem {
    const hidden = new Problem(problem.code, this.#secrets.hide(problem.message), {
      ...(problem.mend === undefined ? {} : { mend: this.#secrets.hide(problem.mend) }),
    });
    if (!(problem instanceof Refusal)) return hidden;
    const { code, message, data } = problem.rpc;
    return new Refusal(hidden, { code, message: this.#secrets.hide(message), data });
  }

  /** Lets go of every stream and ends the session, which servers may refuse with 405. */
  async close(grace: number): Promise<void> {
    this.#abort.abort();
    if (this.#session === null) return;
    try {
      const signal = AbortSignal.timeout(grace);
      const headers = this.#requestHeaders(null);
      const response = await fetch(this.#url, {
        method: 'DELETE',
        headers,
        redirect: 'manual',
        signal,
      });
      await response.body?.cancel();
    } catch {
      // The list has been had, or its failure is told; a session that stays is the server's to end.
    }
  }

  async #send(message: Outgoing): Promise<void> {
    const asks = message.method !== undefined && message.id !== undefined;
    const response = await this.#request('POST', message);
    if (!response.ok) throw await this.#refused(response, asks);
    if (message.method === 'initialize') this.#keepSession(response);
    if (!asks) return void (await response.body?.cancel());

    const type = mediaType(response);
    if (type === JSON_TYPE) {
      if (this.#hear(await this.#body(response)) !== 'reply') {
        throw badAnswer(`${JSON_TYPE} that does not answer ${this.conversation.method}`);
      }
    } else if (type === STREAM_TYPE) await this.#stream(response);
    else throw await wrongType(response, type);
  }

  #keepSession(response: Response): void {
    const id = response.headers.get('mcp-session-id');
    if (id === null) return;
    if (!/^[\x21-\x7e]+$/.test(id)) throw badAnswer('an Mcp-Session-Id that is not visible ASCII');
    this.#session = id;
  }

  /** Reads events up to the answer, on a second connection where the first broke off in order. */
  async #stream(first: Response): Promise<void> {
    const { method, limits, stateless } = this.conversation;
    let lastId = '';
    for (let response = first; ; ) {
      const events = new Events(limits.lineBytes);
      try {
        for await (const chunk of this.#chunks(response)) {
          for (const { type, data } of events.push(chunk)) {
            // An event without data only says the id to come back with.
            if (type !== 'message' || data.length === 0) continue;
            this.#hear(data);
            if (!this.conversation.waits) return;
          }
        }
      } catch (cause) {
        throw cause instanceof LineTooLong ? flood(cause.message) : cause;
      }
      lastId = events.lastId || lastId;
      if (lastId === '' || stateless) throw brokeOff(method, 'the stream ended');
      const wait = Math.max(events.retryMs ?? RETRY_MS, LEAST_RETRY_MS);
      await sleep(wait, undefined, { signal: this.#abort.signal });
      response = await this.#request('GET', null, { 'last-event-id': lastId });
      if (!response.ok) throw await this.#refused(response, false);
      const type = mediaType(response);
      if (type !== STREAM_TYPE) throw await wrongType(response, type);
    }
  }

  #hear(message: Uint8Array) {
    const name = this.#secrets.in(message);
    if (name !== null) {
      throw new Problem('server.echoes-secret', `the answer holds the value of header ${name}`, {
        mend: 'Nothing was kept. Report it to the server: it shows its callers’ secrets.',
      });
    }
    return this.conversation.hear(this.#oneLine(message));
  }

  /**
   * A payload keeps one page a line. Between JSON's tokens, the only place where they can stand,
   * line breaks at an end are left out and others become spaces: the value and length stay.
   */
  #oneLine(message: Uint8Array): Uint8Array {
    const text = Buffer.from(message);
    const isBreak = (byte: number | undefined) => byte === 0x0a || byte === 0x0d;
    const from = text.findIndex((byte) => !isBreak(byte));
    const line = text.subarray(from, text.findLastIndex((byte) => !isBreak(byte)) + 1);
    if (line.some(isBreak)) {
      for (const [i, byte] of line.entries()) if (isBreak(byte)) line[i] = 0x20;
      this.conversation.warn('line-breaks', 'line breaks inside an answer are kept as spaces');
    }
    return line;
  }

  async #body(response: Response): Promise<Uint8Array> {
    const { lineBytes } = this.conversation.limits;
    const parts: Uint8Array[] = [];
    let held = 0;
    for await (const chunk of this.#chunks(response)) {
      held += chunk.length;
      if (held > lineBytes) throw flood(`an answer of more than ${lineBytes} bytes`);
      parts.push(chunk);
    }
    return Buffer.concat(parts);
  }

  async *#chunks(response: Response): AsyncGenerator<Uint8Array> {
    const { stdoutBytes } = this.conversation.limits;
    try {
      for await (const chunk of response.body ?? []) {
        this.#received += chunk.length;
        if (this.#received > stdoutBytes) {
          throw flood(`more than ${stdoutBytes} bytes of answers`);
        }
        yield chunk;
      }
    } catch (cause) {
      if (cause instanceof Problem) throw cause;
      throw brokeOff(this.conversation.method, reason(cause), cause);
    }
  }

  /** One request, and the same again wherever the server sends it. */
  async #request(
    method: 'POST' | 'GET',
    message: Outgoing | null,
    extra: Record<string, string> = {},
  ): Promise<Response> {
    const seen = new Set<string>();
    for (;;) {
      seen.add(this.#url.href);
      let response: Response;
      try {
        response = await fetch(this.#url, {
          method,
          headers: { ...this.#requestHeaders(message), ...extra },
          redirect: 'manual',
          signal: this.#abort.signal,
          ...(message === null ? {} : { body: JSON.stringify(message) }),
        });
      } catch (cause) {
        throw unreachable(this.#url, cause);
      }
      if (response.status < 300 || response.status > 399) return response;
      await response.body?.cancel();
      this.#redirect(response);
      if (seen.has(this.#url.href) || seen.size > REDIRECTS) {
        throw new Problem(
          'server.redirect-loop',
          `${shown(readUrl(this.#given))} is redirected without end, by way of ${shown(this.#url)}`,
          { mend: 'Ask for the endpoint’s own address; a missing or extra / is often why.' },
        );
      }
    }
  }

  /** Moves to where the server points, without the secrets where that is somebody else's. */
  #redirect(response: Response): void {
    const { status } = response;
    const from = this.#url;
    const to = URL.parse(response.headers.get('location') ?? '', from);
    const wrong = (what: string) =>
      new Problem('server.bad-redirect', `${shown(from)} answered ${status} ${what}`, {
        mend: 'Open the address in a browser, and give the one that it ends at.',
      });
    if (to === null || !response.headers.has('location')) throw wrong('without an address');
    // 303 means to GET what was not asked for. 301 and 302 let a client keep POST (RFC 9110, 15.4).
    if (![301, 302, 307, 308].includes(status)) throw wrong('which cannot be followed with POST');
    if (!isHttp(to) || to.username !== '' || to.password !== '') {
      throw wrong('to an address that is not plain http or https');
    }
    if (from.protocol === 'https:' && to.protocol === 'http:') {
      throw wrong(`to ${shown(to)}, which is not encrypted`);
    }
    this.conversation.warn('redirected', `${shown(from)} redirects to ${shown(to)}`);
    this.#url = to;
    if (to.origin === from.origin) return;
    this.#dropped ||= Object.keys(this.#headers).length > 0;
    this.#headers = {};
    this.#session = null;
  }

  /** The era from 2026-07-28 on says in headers what its `_meta` says; before, they were two things. */
  #requestHeaders(message: Outgoing | null): Record<string, string> {
    const { stateless, version } = this.conversation;
    const modern = stateless ? metaVersion(message) : null;
    const said = modern ?? version;
    return {
      accept: `${JSON_TYPE}, ${STREAM_TYPE}`,
      'content-type': JSON_TYPE,
      'user-agent': 'weighbridge',
      ...this.#headers,
      ...(said === null ? {} : { 'mcp-protocol-version': said }),
      ...(modern === null ? {} : { 'mcp-method': message?.method ?? '' }),
      ...(this.#session === null || stateless ? {} : { 'mcp-session-id': this.#session }),
    };
  }

  /** Why a status that is not 2xx came: the server's JSON-RPC error where it sent one. */
  async #refused(response: Response, asks: boolean): Promise<Problem> {
    const { status } = response;
    const body = await start(response).catch(() => '');
    if (status === 401) return this.#unauthorized(response);
    try {
      // Throws the Refusal, which is what is looked for.
      if (asks && body.startsWith('{')) this.#hear(Buffer.from(body));
    } catch (cause) {
      if (cause instanceof Problem) return cause;
    }
    const [code, mend] = statusHint(status, this.#session !== null);
    const said = pageTitle(body) ?? body.trim();
    const message = `${this.conversation.method} was answered by HTTP ${status}`;
    return new Problem(code, said === '' ? message : `${message}: ${quote(said)}`, { mend });
  }

  async #unauthorized(response: Response): Promise<Problem> {
    const header = response.headers.get('www-authenticate');
    const asked = await readChallenge(header, this.#url, this.#abort.signal);
    const sent = Object.keys(this.#headers).length > 0;
    const facts = [
      asked.scheme === null ? 'it does not say which credentials' : `it wants ${asked.scheme}`,
      ...(asked.error === null ? [] : [`error ${asked.error}`]),
      ...(asked.scopes.length === 0 ? [] : [`scope ${asked.scopes.join(' ')}`]),
      ...(asked.authorizationServers.length === 0
        ? []
        : [`tokens from ${asked.authorizationServers.join(', ')}`]),
      ...(asked.metadata === null ? ['no metadata'] : [`metadata at ${asked.metadata}`]),
    ];
    const problem = sent
      ? 'the server refuses the credentials of the given headers'
      : this.#dropped
        ? `${this.#url.origin} wants authorization, and the headers were given for another origin`
        : 'the server wants authorization';
    return new Problem('server.unauthorized', `${problem} (HTTP 401: ${facts.join('; ')})`, {
      mend:
        this.#dropped && !sent
          ? `If you trust it with them, give its own address: ${shown(this.#url)}`
          : `Put the header's value in a variable: --header-env 'Authorization=VARIABLE'.`,
    });
  }
}

/** An address that can be probed. Throws Problem `probe.bad-url`. */
export function readUrl(text: string): URL {
  const url = URL.parse(text);
  if (url === null || !isHttp(url)) {
    throw new Problem('probe.bad-url', 'not an http or https address', {
      mend: 'Give the whole address of the MCP endpoint, such as https://example.com/mcp.',
    });
  }
  if (url.username !== '' || url.password !== '') {
    throw new Problem('probe.bad-url', `the address of ${url.host} holds credentials`, {
      mend: "Take them out and give them by name: --header-env 'Authorization=VARIABLE'.",
    });
  }
  url.hash = '';
  return url;
}

/** An address without its query, which may hold a key. */
function shown(url: URL): string {
  return `${url.origin}${url.pathname}${url.search === '' ? '' : '?…'}`;
}

function isHttp(url: URL): boolean {
  return url.protocol === 'http:' || url.protocol === 'https:';
}

function isLoopback({ hostname }: URL): boolean {
  return /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}

function mediaType(response: Response): string {
  return (response.headers.get('content-type') ?? '').split(';', 1)[0]!.trim().toLowerCase();
}

const Meta = z.object({ _meta: z.object({ [VERSION_KEY]: z.string() }) });

function metaVersion(message: Outgoing | null): string | null {
  return Meta.safeParse(message?.params).data?._meta[VERSION_KEY] ?? null;
}

/** Code and mend of a status. */
function statusHint(status: number, session: boolean): [code: string, mend: string] {
  if (status === 403) {
    return ['server.forbidden', 'Use credentials with the right to list tools.'];
  }
  if (status === 404 && session) {
    return [
      'server.session-gone',
      'Try again; behind a balancer, sessions must stick to one server.',
    ];
  }
  if (status === 404 || status === 405 || status === 410) {
    return [
      'server.no-endpoint',
      'Check the path, often /mcp. The older HTTP+SSE transport (/sse) is not spoken here.',
    ];
  }
  if (status === 406 || status === 415) {
    return [
      'server.not-acceptable',
      `Report it to the server: ${JSON_TYPE} and ${STREAM_TYPE} were both offered.`,
    ];
  }
  if (status === 429) return ['server.busy', 'Wait, or use credentials with a higher limit.'];
  if (status >= 500) return ['server.http-error', 'The fault is the server’s; its log says more.'];
  return ['server.http-error', 'Check the address and what the server wants of its clients.'];
}

async function wrongType(response: Response, type: string): Promise<Problem> {
  const body = await start(response).catch(() => '');
  if (type === 'text/html') {
    return new Problem(
      'server.html',
      `a web page came instead of an MCP answer: ${quote(pageTitle(body) ?? body.trim())}`,
      { mend: 'Check the path, often /mcp; a login page or a portal may stand before it.' },
    );
  }
  const what = type === '' ? 'no Content-Type' : `Content-Type ${quote(type)}`;
  return new Problem(
    'server.wrong-type',
    `HTTP ${response.status} with ${what}, where ${JSON_TYPE} or ${STREAM_TYPE} must come`,
    { mend: 'Check the path; if it is right, report it to the server.' },
  );
}

/** The title of an HTML page, or null where the body is none. */
function pageTitle(body: string): string | null {
  if (!/^\s*</.test(body)) return null;
  const title = /<title[^>]*>([^<]*)/i.exec(body)?.[1]?.trim();
  return title === undefined || title === '' ? 'without a title' : title;
}

function badAnswer(what: string): Problem {
  return new Problem('server.bad-answer', `the server sent ${what}`, {
    mend: 'Check the path; if it is right, report it to the server.',
  });
}

function brokeOff(method: string, why: string, cause?: unknown): Problem {
  return new Problem('server.broke-off', `the answer to ${method} broke off: ${why}`, {
    mend: 'Try again; a proxy may cut long answers short, or its Content-Encoding be wrong.',
    ...(cause === undefined ? {} : { cause }),
  });
}

function unreachable(url: URL, cause: unknown): Problem {
  return new Problem('server.unreachable', `cannot reach ${url.origin}: ${reason(cause)}`, {
    mend: /CERT|SIGNED|ALTNAME|ISSUER/.test(reason(cause))
      ? 'Its certificate is not trusted; NODE_EXTRA_CA_CERTS can name an authority of your own.'
      : 'Check the address, that the server runs, and the way to it.',
    cause,
  });
}

/** What stood at the ground of a failed fetch, in a few words without our own headers. */
function reason(cause: unknown): string {
  let ground = cause;
  while (ground instanceof Error && ground.cause instanceof Error) ground = ground.cause;
  if (!(ground instanceof Error)) return String(ground);
  const { code } = ground as NodeJS.ErrnoException;
  return code === undefined || ground.message.includes(code)
    ? ground.message
    : `${ground.message} (${code})`;
}
