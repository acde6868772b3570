/**
 * Asks a server by the 2026-07-28 revision: `server/discover`, then its tools with `_meta` on every
 * request. It must never send `initialize`, since a server that speaks both eras keeps to the one
 * it was first asked in; each call therefore has a process or connection of its own.
 */
import { z } from 'zod';
import { Problem } from '../problem.ts';
import {
  CLIENT_INFO,
  type Conversation,
  noTools,
  type Probed,
  ProbeFailure,
  Refusal,
  read,
  type TalkOptions,
  VERSION_KEY,
} from './conversation.ts';
import { type HttpOptions, overHttp } from './http.ts';
import { overStdio, type ProbeOptions } from './stdio.ts';

/** The first revision without a handshake, and the one that is asked for. */
export const DISCOVER_VERSION = '2026-07-28';
const METHOD = 'server/discover';
const INFO_KEY = 'io.modelcontextprotocol/serverInfo';
const UNSUPPORTED_VERSION = -32022;
/** The problems of an older server that does not say so in JSON-RPC. */
const SAID_BY: Readonly<Record<string, Refused['how']>> = {
  'server.timeout': 'silence',
  'server.exited': 'exit',
  'server.http-error': 'status',
  'server.no-endpoint': 'status',
  'server.not-acceptable': 'status',
};

/** How long, and by whom, an answer may be kept; null where the server does not say. */
export type Caching = { ttlMs: number | null; cacheScope: string | null };

/** It speaks the revision. Its `protocolNegotiated` is that revision. */
export type Spoken = Probed & {
  outcome: 'spoken';
  supportedVersions: string[];
  instructions: string | null;
  /** The answer to `server/discover` as it came. */
  discovery: Uint8Array;
  /** `list`: as the first page says. */
  caching: { discover: Caching; list: Caching };
};
/** It does not, which most servers say with an error, some by silence and some by leaving. */
export type Refused = {
  outcome: 'refused';
  how: 'error' | 'version' | 'silence' | 'exit' | 'status';
  /** The JSON-RPC error code, where there was one: often -32601. */
  code: number | null;
  message: string;
  /** What it says it speaks instead, where it says so. */
  supportedVersions: string[] | null;
  /** Its reply as it came; null without one, and over HTTP, where it may hold what must not be shown. */
  discovery: Uint8Array | null;
  stderrTail: string;
  elapsedMs: number;
};
export type Discovered = Spoken | Refused;

const Cached = z.looseObject({
  ttlMs: z.number().nullable().default(null).catch(null),
  cacheScope: z.string().nullable().default(null).catch(null),
});
const Info = z.looseObject({ name: z.string(), version: z.string() });
const Discovery = Cached.extend({
  supportedVersions: z.array(z.string()),
  capabilities: z.record(z.string(), z.unknown()).default({}),
  instructions: z.string().nullable().default(null).catch(null),
  // In `_meta` by the revision, in the result itself by its drafts.
  serverInfo: Info.optional().catch(undefined),
  _meta: z
    .looseObject({ 'io.modelcontextprotocol/serverInfo': Info.optional().catch(undefined) })
    .optional()
    .catch(undefined),
});
const Unsupported = z.looseObject({ supported: z.array(z.string()) });

/** Asks a process of its own. Throws ProbeFailure where it cannot be said whether it speaks it. */
export function discoverStdio(options: ProbeOptions): Promise<Discovered> {
  return orRefused(overStdio(options, (conversation) => discover(conversation, options)));
}

/** Asks over HTTP, without a session. Throws ProbeFailure. */
export function discoverHttp(options: HttpOptions): Promise<Discovered> {
  return orRefused(overHttp(options, (conversation) => discover(conversation, options)));
}

async function discover(
  conversation: Conversation,
  { onEvent }: TalkOptions,
): Promise<Omit<Spoken, 'stderrTail'>> {
  conversation.stateless = true;
  const params = {
    _meta: {
      [VERSION_KEY]: DISCOVER_VERSION,
      'io.modelcontextprotocol/clientInfo': CLIENT_INFO,
      'io.modelcontextprotocol/clientCapabilities': conversation.capabilities(),
    },
  };
  const { reply, line } = await conversation.request(1, METHOD, params);
  const told = read(Discovery, reply.result, METHOD);
  if (!told.supportedVersions.includes(DISCOVER_VERSION)) {
    throw new Refusal(
      new Problem('server.version', `it speaks only ${told.supportedVersions}`),
      {
        code: UNSUPPORTED_VERSION,
        message: `${METHOD} names other revisions`,
        data: { supported: told.supportedVersions },
      },
      line,
    );
  }
  onEvent?.('initialized');
  if (!('tools' in told.capabilities)) throw noTools('declares no tools capability');

  const { results, ...lists } = await conversation.listTwice(params);
  const first = Cached.parse(results[0]);
  for (const page of results) complete(page);
  if (results.some((page) => !sameCaching(Cached.parse(page), first))) {
    conversation.warn('caching-differs', 'the pages of one list say different ttlMs or cacheScope');
  }
  const info = told._meta?.[INFO_KEY] ?? told.serverInfo;
  return {
    outcome: 'spoken',
    protocolRequested: DISCOVER_VERSION,
    protocolNegotiated: DISCOVER_VERSION,
    serverName: info?.name ?? null,
    serverVersion: info?.version ?? null,
    capabilities: told.capabilities,
    supportedVersions: told.supportedVersions,
    instructions: told.instructions,
    discovery: line,
    caching: { discover: caching(told), list: caching(first) },
    ...lists,
    warnings: conversation.warnings(),
  };
}

/** A failure of the first question, where it says which era the server is of, is an answer. */
async function orRefused(asked: Promise<Spoken>): Promise<Discovered> {
  try {
    return await asked;
  } catch (cause) {
    if (!(cause instanceof ProbeFailure) || cause.method !== METHOD) throw cause;
    const { rpc, line, stderrTail, elapsedMs } = cause;
    const how =
      rpc === null ? SAID_BY[cause.code] : rpc.code === UNSUPPORTED_VERSION ? 'version' : 'error';
    if (how === undefined) throw cause;
    return {
      outcome: 'refused',
      how,
      code: rpc?.code ?? null,
      message: rpc?.message ?? cause.message,
      supportedVersions: Unsupported.safeParse(rpc?.data).data?.supported ?? null,
      discovery: line,
      stderrTail,
      elapsedMs,
    };
  }
}

/** A result that wants something of us first, or is of a kind nobody defined, is no list. */
function complete(result: object): void {
  const type = 'resultType' in result ? result.resultType : 'complete';
  if (type === 'complete') return;
  throw new Problem('server.bad-answer', `tools/list gave resultType ${JSON.stringify(type)}`, {
    mend: 'Only "complete" holds a list; what the server waits for cannot be given here.',
  });
}

function caching({ ttlMs, cacheScope }: Caching): Caching {
  return { ttlMs, cacheScope };
}

function sameCaching(a: Caching, b: Caching): boolean {
  return a.ttlMs === b.ttlMs && a.cacheScope === b.cacheScope;
}
