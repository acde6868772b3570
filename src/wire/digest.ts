/**
 * What is kept of a client's request: names, sizes, hashes. Pure. No text of a prompt, tool or
 * credential may pass: every string below is a word of a fixed form or a hash, by its schema.
 */
import { z } from 'zod';
import { APIS, type Reading } from './api.ts';
import { sha256 } from './json.ts';

const Count = z.number().int().nonnegative();
const Hash = z.string().regex(/^[0-9a-f]{64}$/);
/** What stands in for a word of a form that no name has, so that nothing hides in a name. */
const HIDDEN = /^hidden-[0-9a-f]{12}$/;
/** A word of a given form, or its stand-in. */
const word = (form: RegExp) =>
  z.string().refine((value) => form.test(value) || HIDDEN.test(value), `must match ${form}`);

/** The forms that a string of a client may have; whatever has not is replaced by its hash. */
const FORMS = {
  tool: /^[A-Za-z0-9_.:-]{1,128}$/,
  /** One slash at most: `openai/gpt-5`, never a path. */
  model:
    /^[A-Za-z0-9][A-Za-z0-9._:-]{0,99}(?:\/[A-Za-z0-9][A-Za-z0-9._:-]{0,99})?(?:\[[0-9a-z]{1,8}\])?$/,
  key: /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/,
  type: /^[a-z][a-z0-9_]{0,63}$/,
  beta: /^[a-z][a-z0-9]*(?:-[a-z0-9]+){1,8}$/,
  client: /^[A-Za-z][A-Za-z0-9_-]{0,39}$/,
  version: /^\d+(?:\.\d+){1,3}(?:-[a-z0-9.]{1,20})?$/,
} as const;

const Weight = {
  /** UTF-8 bytes of the compact JSON. */
  bytes: Count,
  /** o200k_base tokens of the same; null when it cannot be counted (a run of millions of characters). */
  tokens: Count.nullable(),
};

export const RequestDigest = z.strictObject({
  v: z.literal(1),
  /** From the user-agent; null where it gives none. */
  client: z
    .strictObject({ name: word(FORMS.client), version: z.string().regex(FORMS.version).nullable() })
    .nullable(),
  api: z.enum(APIS).nullable(),
  /** `messages`, `responses`, …; `outside` was meant for another host; null is unknown. */
  endpoint: z.string().regex(FORMS.type).nullable(),
  /** Whether a model was asked to answer; else it was something beside that. */
  turn: z.boolean(),
  method: z.enum(['GET', 'HEAD', 'POST', 'CONNECT', 'other']),
  http: z.enum(['1.0', '1.1']),
  /** Answered with; null when the client went away before. */
  status: Count.nullable(),
  /** The fault that was played on this request; null where it did not apply. */
  fault: z
    .string()
    .regex(/^[a-z-]+$/)
    .nullable(),
  /** Why the body could not be read. */
  unread: z.enum(['too-large', 'bad-encoding', 'invalid-json', 'aborted', 'too-deep']).nullable(),
  /** Host and port that a request through the proxy asked for. */
  outside: z
    .string()
    .regex(/^[a-z0-9.-]{1,253}:\d{1,5}$/)
    .nullable(),
  model: word(FORMS.model).nullable(),
  stream: z.boolean(),
  /** As sent, and after its content encoding was undone (null when it could not be). */
  body_bytes: Count,
  decoded_bytes: Count.nullable(),
  encoding: z.enum(['identity', 'gzip', 'deflate', 'br', 'zstd', 'other']),
  betas: z.array(word(FORMS.beta)),
  metadata_keys: z.array(word(FORMS.key)),
  messages: Count,
  /** All values that carry tools, whole: with it come the wrappers of namespaces. */
  tools: z.strictObject({ count: Count, deferred: Count, namespaces: Count, ...Weight }),
  tool_list: z.array(
    z.strictObject({
      name: word(FORMS.tool),
      namespace: word(FORMS.tool).nullable(),
      type: word(FORMS.type).nullable(),
      deferred: z.boolean(),
      sha256: Hash,
      ...Weight,
    }),
  ),
  /** Tools and namespaces that the client's own texts name as loadable, without a definition. */
  named: z.array(word(FORMS.tool)),
  /** The client's own texts for the model, in order, and all of them joined. */
  system: z.strictObject({ chars: Count, sha256: Hash, ...Weight }),
  system_parts: z.array(
    z.strictObject({
      at: z.string().regex(/^(?:\/[A-Za-z]+|\/\d+)+$/),
      chars: Count,
      sha256: Hash,
    }),
  ),
  /** Places that the client asked to be cached, and the hash of all that comes before and with them. */
  cache: z.array(
    z.strictObject({
      at: z.string().regex(/^(?:\/[A-Za-z]+|\/\d+)+$/),
      ttl: z.enum(['5m', '1h']).nullable(),
      sha256: Hash,
      ...Weight,
    }),
  ),
  /** Tools and system texts: what stays the same from turn to turn, whoever asks for it to be cached. */
  prefix: z.strictObject({ sha256: Hash, ...Weight }),
});
export type RequestDigest = z.infer<typeof RequestDigest>;

/** A digest as a line of `--out`: with the time at which the request came. */
export const DigestLine = RequestDigest.extend({ received: z.iso.datetime() });

/** What only the server knows of a request. */
export type Facts = Pick<
  RequestDigest,
  | 'api'
  | 'endpoint'
  | 'turn'
  | 'method'
  | 'http'
  | 'status'
  | 'fault'
  | 'unread'
  | 'outside'
  | 'body_bytes'
  | 'decoded_bytes'
  | 'encoding'
> & { headers: Readonly<Record<string, string | string[] | undefined>> };

/** Counts tokens; may throw RangeError on text that cannot be counted. */
export type CountTokens = (text: string) => number;

/** The digest of a request; `reading` is null for one without a body that counts. */
export function digest(
  { headers, ...facts }: Facts,
  reading: Reading | null,
  count: CountTokens,
): RequestDigest {
  const weigh = (text: string) => ({ bytes: Buffer.byteLength(text), tokens: tokens(text, count) });
  const carriers = reading?.carriers ?? [];
  const tools = reading?.tools ?? [];
  const system = reading?.system ?? [];
  const texts = system.map((part) => part.text);
  const carried = carriers.map((carrier) => JSON.stringify(carrier)).join('\n');
  const whole = JSON.stringify([carriers, texts]);
  return {
    v: 1,
    client: clientOf(one(headers['user-agent'])),
    ...facts,
    model: reading?.model == null ? null : formed(reading.model, FORMS.model),
    stream: reading?.stream ?? false,
    betas: (one(headers['anthropic-beta']) ?? '')
      .split(',')
      .flatMap((beta) => (beta.trim() === '' ? [] : formed(beta.trim(), FORMS.beta))),
    // Codex gives them in another order each time.
    metadata_keys: (reading?.metadataKeys ?? []).map((key) => formed(key, FORMS.key)).sort(),
    messages: reading?.messages ?? 0,
    tools: {
      count: tools.length,
      deferred: tools.filter((tool) => tool.deferred).length,
      namespaces: new Set(tools.flatMap((tool) => tool.namespace ?? [])).size,
      ...weigh(carried),
    },
    tool_list: tools.map(({ name, namespace, type, deferred, sent }) => {
      const text = JSON.stringify(sent);
      return {
        name: formed(name, FORMS.tool),
        namespace: namespace === null ? null : formed(namespace, FORMS.tool),
        type: type === null ? null : formed(type, FORMS.type),
        deferred,
        sha256: sha256(text),
        ...weigh(text),
      };
    }),
    named: texts.flatMap(namedIn),
    system: {
      chars: texts.reduce((total, text) => total + text.length, 0),
      sha256: sha256(texts.join('\n')),
      ...weigh(texts.join('\n')),
    },
    system_parts: system.map(({ at, text }) => ({ at, chars: text.length, sha256: sha256(text) })),
    cache: (reading?.cache ?? []).map(({ at, ttl, prefix }) => {
      const text = JSON.stringify(prefix);
      return {
        at,
        ttl: ttl === '5m' || ttl === '1h' ? ttl : null,
        sha256: sha256(text),
        ...weigh(text),
      };
    }),
    prefix: { sha256: sha256(whole), ...weigh(whole) },
  };
}

function one(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(', ') : header;
}

function formed(value: string, form: RegExp): string {
  return form.test(value) ? value : `hidden-${sha256(value).slice(0, 12)}`;
}

function tokens(text: string, count: CountTokens): number | null {
  try {
    return count(text);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** What the clients that we know call themselves in a user-agent, and their names here. */
const CLIENTS: readonly (readonly [RegExp, string])[] = [
  [/^claude-cli$/, 'claude-code'],
  [/^codex/, 'codex'],
  [/^opencode$/, 'opencode'],
  [/^GeminiCLI/, 'gemini-cli'],
];

/** `claude-cli/2.1.165 (external, sdk-cli)` → claude-code 2.1.165. */
function clientOf(agent: string | undefined): RequestDigest['client'] {
  const [, product, version] = /^([^\s/]+)(?:\/([^\s/]+))?/.exec(agent ?? '') ?? [];
  if (product === undefined) return null;
  const known = CLIENTS.find(([form]) => form.test(product))?.[1];
  return {
    name: known ?? formed(product, FORMS.client),
    version: version !== undefined && FORMS.version.test(version) ? version : null,
  };
}

/** The sentences after which Claude Code and Codex name, a line each, what can be loaded on demand. */
const NAMING = /^(?:The following deferred tools are now available|Deferred tool namespaces:)/;

function namedIn(prompt: string): string[] {
  const named: string[] = [];
  let open = false;
  for (const line of prompt.split('\n')) {
    // Codex adds what the server says of itself: `- mcp__context7: Use this server to …`.
    const name = /^(?:- ([\w.-]{1,128})(?:: .*)?|[\w.-]{1,128})$/.exec(line);
    if (open && name !== null) named.push(name[1] ?? name[0]);
    else open = NAMING.test(line);
  }
  return named;
}
