/**
 * What a client's request weighs, how it loads tools, and what a change of it costs in cache. Pure. It
 * knows a request by its digest alone, so what it gives can be run again but not counted again.
 */
import type { Figure } from './figure.ts';
import { difference, type Quantity } from './figures.ts';

interface Weighed {
  bytes: number;
  /** o200k_base; null when it could not be counted. */
  tokens: number | null;
}

/** The part of a request's digest that figures are made from. */
export interface Digest {
  body_bytes: number;
  tools: Weighed & { count: number; deferred: number; namespaces: number };
  tool_list: readonly (Weighed & { name: string; namespace: string | null; sha256: string })[];
  /** Tools or namespaces that the client's own texts name as loadable. */
  named: readonly string[];
  system: Weighed & { sha256: string };
  /** Marked places, each with the hash of all up to it. */
  cache: readonly (Weighed & { at: string; sha256: string })[];
  /** Tools and system texts. */
  prefix: Weighed & { sha256: string };
}

/** A captured request, and where it stands in the ledger. */
export interface SentRequest {
  client: string;
  version: string;
  variant: string;
  leaf: string;
  /** Attached: `filesystem@2026.8.31`. */
  servers: readonly string[];
  digest: Digest;
}

/** The forms in which clients prefix a server's name to its tools, or call its namespace. */
export function toolOf(server: string): RegExp {
  return new RegExp(`^(?:mcp_{1,2})?${server.replaceAll(/[-.]/g, '[-_.]')}(?:_|$)`);
}

/**
 * How the tools of attached servers reach the model: all defined `upfront`, only named and `deferred`,
 * in `part` defined while a server's are only named, `absent`, or `none` where no server is attached.
 */
export type Loading = 'upfront' | 'deferred' | 'part' | 'absent' | 'none';

/** Counts and names the loading. A name beside a definition defers nothing. */
export function loadingOf({ servers, digest }: Pick<SentRequest, 'servers' | 'digest'>): {
  loading: Loading;
  defined: number;
} {
  const forms = servers.map((server) => toolOf(server.replace(/@[^@]*$/, '')));
  const definedBy = (form: RegExp) =>
    digest.tool_list.filter(({ name, namespace }) => form.test(name) || form.test(namespace ?? ''))
      .length;
  const counts = forms.map(definedBy);
  const defined = counts.reduce((sum, count) => sum + count, 0);
  const isNamed = forms.some((form) => digest.named.some((name) => form.test(name)));
  const loading =
    forms.length === 0
      ? 'none'
      : counts.every((count) => count > 0)
        ? 'upfront'
        : defined > 0
          ? 'part'
          : isNamed
            ? 'deferred'
            : 'absent';
  return { loading, defined };
}

/** The prefix that a cache filled by one request holds for the next, in o200k_base tokens. */
export interface CacheBreak {
  /** Of the next request: all that it asks to be cached, or tools and system texts where it asks nothing. */
  whole: number;
  /** Of that, what still matches. */
  kept: number;
  broken: number;
  /** The first tool of the next request that differs from the one in its place; null when none does. */
  tool: string | null;
  /** `marks`: up to the last marked place with an equal hash. `tools`: the leading tools that are equal. */
  by: 'marks' | 'tools';
}

/**
 * Compares two requests as a cache would, block by block from the first tool on. Null when a part that
 * has to be counted could not be.
 */
export function cacheBreak(before: Digest, after: Digest): CacheBreak | null {
  const list = after.tool_list;
  const differs = list.findIndex(({ sha256 }, i) => before.tool_list[i]?.sha256 !== sha256);
  const same = differs === -1 && before.tool_list.length === list.length;
  const tool = same ? null : (list[differs]?.name ?? before.tool_list[list.length]?.name ?? null);
  const last = after.cache.at(-1);
  if (last !== undefined) {
    const held = new Set(before.cache.map(({ sha256 }) => sha256));
    const kept = after.cache.findLast(({ sha256 }) => held.has(sha256));
    return broken(last.tokens, kept === undefined ? 0 : kept.tokens, tool, 'marks');
  }
  if (before.prefix.sha256 === after.prefix.sha256) {
    return broken(after.prefix.tokens, after.prefix.tokens, tool, 'tools');
  }
  const leading = same ? list : list.slice(0, Math.max(differs, 0));
  const kept = leading.reduce<number | null>(
    (sum, { tokens }) => (sum === null || tokens === null ? null : sum + tokens),
    0,
  );
  return broken(after.prefix.tokens, kept, tool, 'tools');
}

function broken(
  whole: number | null,
  kept: number | null,
  tool: string | null,
  by: CacheBreak['by'],
): CacheBreak | null {
  if (whole === null || kept === null) return null;
  return { whole, kept, broken: Math.max(whole - kept, 0), tool, by };
}

/** What a model's cache costs, in US dollars for a million tokens. */
export interface CachePrice {
  write: number;
  read: number;
}

/** US dollars that it costs to write so many tokens once more instead of reading them. */
export function cacheCost(tokens: number, { write, read }: CachePrice): number {
  return (tokens * (write - read)) / 1e6;
}

/** `clients.claude-code.2.1.304.baseline`: what the figures of one request begin with. */
export const requestId = ({
  client,
  version,
  variant,
}: Pick<SentRequest, 'client' | 'version' | 'variant'>): string =>
  `clients.${client}.${version}.${variant}`;

const TOKENS = 'tokens/o200k_base/request';

/**
 * `clients.<client>.<version>.<variant>.<measure>` of each request; against `baseline` of its own
 * version too where that was captured. `priceOf` gives the price of the model that was asked, if known.
 */
export function requestFigures(
  requests: readonly SentRequest[],
  priceOf: (request: SentRequest) => CachePrice | null,
): Figure[] {
  return requests.flatMap((request) => {
    const baseline = requests.find(
      ({ client, version, variant }) =>
        client === request.client && version === request.version && variant === 'baseline',
    );
    const own = counts(request);
    const against =
      baseline === undefined || baseline === request
        ? {}
        : compared(request, own, baseline, priceOf(request));
    return Object.entries<Quantity | null>({ ...own, ...against }).flatMap(([measure, quantity]) =>
      quantity === null ? [] : { id: `${requestId(request)}.${measure}`, ...quantity },
    );
  });
}

function counts(request: SentRequest) {
  const { digest, leaf } = request;
  const of = (value: number, unit: string, label: string, method: string): Quantity => ({
    ...{ value, decimals: 0, unit, label, method },
    status: 'observed',
    inputs: [leaf],
  });
  const tokens = (value: number | null, label: string, method: string) =>
    value === null ? null : of(value, 'tokens', label, method);
  const { tools, system, prefix, named } = digest;
  return {
    body_bytes: of(digest.body_bytes, 'bytes', 'bytes of the request', 'request/body@1'),
    tools: of(tools.count, 'tools', 'tools that the request defines', 'request/tools@1'),
    server_tools: of(
      loadingOf(request).defined,
      'tools',
      'tools of attached servers that the request defines',
      'request/server-tools@1',
    ),
    deferred: of(
      tools.deferred,
      'tools',
      'tools marked to be loaded on demand',
      'request/deferred@1',
    ),
    named: of(
      named.length,
      'names',
      'tools or namespaces named as loadable, without a definition',
      'request/named@1',
    ),
    tool_bytes: of(tools.bytes, 'bytes', 'bytes of the tool definitions', 'bytes/request/tools@1'),
    tool_tokens: tokens(tools.tokens, 'tokens of the tool definitions', `${TOKENS}/tools@1`),
    system_tokens: tokens(
      system.tokens,
      'tokens of the client’s own instructions',
      `${TOKENS}/system@1`,
    ),
    prefix_tokens: tokens(
      prefix.tokens,
      'tokens of tool definitions and instructions',
      `${TOKENS}/prefix@1`,
    ),
  } satisfies Record<string, Quantity | null>;
}

function compared(
  request: SentRequest,
  own: ReturnType<typeof counts>,
  baseline: SentRequest,
  price: CachePrice | null,
): Record<string, Quantity | null> {
  const base = counts(baseline);
  const lost = cacheBreak(baseline.digest, request.digest);
  const inputs = [baseline.leaf, request.leaf];
  const cache = (
    value: number,
    label: string,
    shown: { decimals: number; unit: string } = { decimals: 0, unit: 'tokens' },
    method = `cache/${lost?.by}@1`,
  ): Quantity => ({ value, label, ...shown, method, status: 'derived', inputs });
  return {
    prefix_tokens_change:
      own.prefix_tokens && base.prefix_tokens
        ? difference(own.prefix_tokens, base.prefix_tokens, 'tokens more than in the baseline')
        : null,
    cache_kept_tokens: lost && cache(lost.kept, 'tokens that a cache of the baseline still covers'),
    cache_broken_tokens:
      lost && cache(lost.broken, 'tokens that a cache of the baseline does not cover'),
    cache_cost:
      lost && price && lost.by === 'marks'
        ? cache(
            cacheCost(lost.broken, price),
            'to write these tokens again instead of reading them',
            { decimals: 4, unit: 'USD' },
            'cache/write-less-read@1',
          )
        : null,
  };
}
