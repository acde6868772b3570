/**
 * The shape of every entry that the ledger may hold. Pure; the schemas are the documentation, the
 * types are inferred from them. An entry of an unknown type or with an unknown key is refused: a
 * ledger that accepts what it does not understand can't promise what it folds to.
 */
import { z } from 'zod';
import {
  POSTS,
  QUOTE_STATUSES,
  RETRACT_REASONS,
  SOURCE_TYPES,
  STATUSES,
  SURFACES,
  TIERS,
} from './terms.ts';

/** Lower-case hex SHA-256. */
export const Sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'a lower-case hex SHA-256');
export type Sha256 = z.infer<typeof Sha256>;

/** Text that the ledger's authors wrote: NFC and well formed, so that one look has one hash. */
const Text = z.string().refine(
  // Most text is ASCII, which is always both, and told in a third of the time.
  (s) => /^[ -~]*$/.test(s) || (s.isWellFormed() && s === s.normalize('NFC')),
  'text in Unicode NFC, without lone surrogates',
);
const Name = z.string().regex(/^[a-z0-9]+(?:[-_.][a-z0-9]+)*$/, 'a name of a-z, 0-9, -, _ and .');
const Count = z.number().int().nonnegative().max(Number.MAX_SAFE_INTEGER);
/** RFC 3339 in UTC with milliseconds, as Date.prototype.toISOString writes it. Informs; never orders. */
export const Timestamp = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/, 'an RFC 3339 time in UTC');
/** An entry's own name and the leaf hash that pins which version of it is meant. */
export const Ref = z.strictObject({ id: Name, leaf: Sha256 });
export type Ref = z.infer<typeof Ref>;
/** A blob by the digest of its bytes. */
export const BlobRef = z.strictObject({ sha256: Sha256, bytes: Count });
export type BlobRef = z.infer<typeof BlobRef>;
/** The exact decimal that a page shows, without grouping: `17307`, `42.1`, `-0.518`. Never a float. */
export const Decimal = z
  .string()
  .regex(/^-?(?:0|[1-9]\d*)(?:\.\d+)?$/, 'a plain decimal number as text');

export const Tier = z.enum(TIERS);
export const Status = z.enum(STATUSES);
export type Tier = z.infer<typeof Tier>;
export type Status = z.infer<typeof Status>;

/** What each outcome of a capture must come with, and must not. */
function outcomeFits(
  body: Record<'answer' | 'blob' | 'unchanged_from' | 'failure', unknown> & {
    outcome: 'captured' | 'unchanged' | 'failed';
  },
  ctx: z.RefinementCtx,
): void {
  const want = {
    captured: [true, true, false, false],
    unchanged: [true, true, true, false],
    failed: [false, false, false, true],
  }[body.outcome];
  const have = [body.answer, body.blob, body.unchanged_from, body.failure].map(
    (part) => part !== null,
  );
  if (have.some((present, i) => present !== want[i])) {
    ctx.addIssue({
      code: 'custom',
      message: `answer, blob, unchanged_from and failure do not fit outcome ${body.outcome}`,
    });
  }
}

/** The release of a server that was asked, and how: all that another machine needs to do the same. */
const asked = {
  /** The server's name in content/servers.yaml. */
  server: Name,
  package: z.strictObject({
    name: Text,
    version: Text,
    integrity: Text.nullable(),
    /** YYYY-MM-DD: what it depends on was installed as it stood when that day began. */
    as_of: Text,
    /** Dependencies that were held at an exact version, by name; absent where none was. */
    pins: z.record(z.string(), Text).optional(),
  }),
  /** When the refresh that made this began: all captures of one run share it. */
  run: Timestamp,
  /** What another machine needs to do the same. Values of env are placeholders, never secrets. */
  recipe: z.strictObject({
    transport: z.literal('stdio'),
    args: z.array(Text),
    env: z.record(z.string(), Text),
    place: Text,
    node: Text,
    protocol_requested: Text,
    /** JSON of the client capabilities that were declared. */
    client_capabilities: Text,
  }),
};
/** What came of asking a server, but for its answer, whose form is its kind's. */
const came = {
  outcome: z.enum(['captured', 'unchanged', 'failed']),
  blob: BlobRef.nullable(),
  /** Leaf of the `captured` entry whose payload came again. */
  unchanged_from: Sha256.nullable(),
  failure: z
    .strictObject({ code: Name, message: Text, stderr_tail: Text, elapsed_ms: Count })
    .nullable(),
  /** Which rule replaced what, as JSON pointers into the payload; empty when it is verbatim. */
  redactions: z.array(z.strictObject({ rule: Name, pointer: Text })),
};

/**
 * One attempt to fetch a server's tool definitions. `captured` carries a new payload, `unchanged`
 * names the entry whose payload came again, `failed` says how it failed: a failure is evidence.
 */
export const ToolsListBody = z
  .strictObject({
    kind: z.literal('tools_list'),
    ...asked,
    ...came,
    /** What the server said; null when it never gave a list. */
    answer: z
      .strictObject({
        protocol_negotiated: Text,
        server_name: Text.nullable(),
        server_version: Text.nullable(),
        pages: Count,
        tools: Count,
        /** The list was taken twice: the same tools in the same order? the same bytes? */
        same_order: z.boolean(),
        same_bytes: z.boolean(),
        warnings: z.array(z.strictObject({ code: Name, message: Text })),
      })
      .nullable(),
  })
  .superRefine(outcomeFits);
export type ToolsListBody = z.infer<typeof ToolsListBody>;

/** How long, and by whom, an answer may be kept, as it says itself; null where it does not. */
const Caching = z.strictObject({ ttl_ms: Count.nullable(), cache_scope: Text.nullable() });
/**
 * One attempt to ask a server by the revision that has no handshake. Its payload is the one line with
 * which it answered `server/discover`, be it an error; one that did not answer at all has failed.
 */
export const DiscoverBody = z
  .strictObject({
    kind: z.literal('discover'),
    ...asked,
    ...came,
    answer: z
      .strictObject({
        /** The revision asked for, where the server speaks it; then its tools were listed by it, too. */
        protocol_negotiated: Text.nullable(),
        /** What it says it speaks, where it says so. */
        supported_versions: z.array(Text).nullable(),
        error: z.strictObject({ code: z.number().int(), message: Text }).nullable(),
        /** Of the answer itself and of the list of tools; null where the revision is not spoken. */
        caching: z.strictObject({ discover: Caching, list: Caching }).nullable(),
      })
      .nullable(),
  })
  .superRefine(outcomeFits);
export type DiscoverBody = z.infer<typeof DiscoverBody>;

/**
 * What a tokenizer that is too large to come with us made of the servers' current definitions. The
 * payload holds the counts and the hashes of what was counted. Trouble in counting is ours and says
 * nothing of a tokenizer, so that there is no such thing as a failed count.
 */
export const CountBody = z
  .strictObject({
    kind: z.literal('count'),
    outcome: z.enum(['captured', 'unchanged']),
    tokenizer: Name,
    /** Where its vocabulary comes from. */
    package: z.strictObject({ name: Text, version: Text, integrity: Text.nullable() }),
    run: Timestamp,
    /** Method of the counts, and of those of the rendered prompt where its chat template takes tools. */
    method: Text,
    rendered: Text.nullable(),
    recipe: z.strictObject({
      node: Text,
      /** What renders the template: `@huggingface/jinja@0.5.11`. */
      renderer: Text.nullable(),
    }),
    blob: BlobRef,
    unchanged_from: Sha256.nullable(),
  })
  .refine(
    ({ outcome, unchanged_from }) => (outcome === 'unchanged') === (unchanged_from !== null),
    {
      message: 'unchanged_from does not fit the outcome',
    },
  )
  .refine(({ rendered, recipe }) => (rendered === null) === (recipe.renderer === null), {
    message: 'a template without what renders it, or the reverse',
  });
export type CountBody = z.infer<typeof CountBody>;

/**
 * One turn of a client with MCP servers attached. The blob is a digest of its request: names, sizes
 * and hashes, never a text of the client's or a server's. So it can be run again, not counted again.
 */
export const ClientRequestBody = z
  .strictObject({
    kind: z.literal('client_request'),
    outcome: z.enum(['captured', 'unchanged', 'failed']),
    /** The client's and its variant's names in content/clients.yaml. */
    client: Name,
    variant: Name,
    package: z.strictObject({ name: Text, version: Text, integrity: Text.nullable() }),
    /** When the command that made this began: all captures of one run share it. */
    run: Timestamp,
    /** What another machine needs to do the same. Values of env are placeholders, never secrets. */
    recipe: z.strictObject({
      args: z.array(Text),
      env: z.record(z.string(), Text),
      /** Attached MCP servers: `memory@2026.8.31`; `synthetic@200` is our own with so many tools. */
      servers: z.array(Text),
      always_load: z.boolean(),
      /** How the server that it was pointed at misbehaved on purpose; absent where it did not. */
      fault: Text.exactOptional(),
      place: Text,
      node: Text,
      platform: Text,
      /** What held it to this machine: no other network at all, or its proxy variables alone. */
      isolation: z.enum(['namespace', 'proxy']),
    }),
    /** The turn's request; null when it never asked a model. */
    answer: z
      .strictObject({
        api: z.enum(['anthropic', 'openai', 'gemini']),
        endpoint: Name,
        model: Text.nullable(),
        body_bytes: Count,
        tools: Count,
        /** Marked to be loaded on demand. */
        deferred: Count,
        namespaces: Count,
        /** Named as loadable in the client's own texts. */
        named: Count,
        tool_bytes: Count,
        /** o200k_base; null when they could not be counted. */
        tool_tokens: Count.nullable(),
        system_tokens: Count.nullable(),
        prefix_sha256: Sha256,
        /** All that came in the turn, this one included. */
        requests: Count,
        /** Attached servers of which the request says nothing. */
        missing_servers: z.array(Name),
      })
      .nullable(),
    /** Hosts and ports beyond this machine that it tried to reach; none was reached. */
    outside: z.array(Text),
    /** How its process ended; null when it was never started. */
    ended: z
      .strictObject({ code: z.int().nullable(), signal: Text.nullable(), elapsed_ms: Count })
      .nullable(),
    blob: BlobRef.nullable(),
    /** Leaf of the `captured` entry whose digest came again. */
    unchanged_from: Sha256.nullable(),
    failure: z.strictObject({ code: Name, message: Text, said: Text }).nullable(),
  })
  .superRefine(outcomeFits);
export type ClientRequestBody = z.infer<typeof ClientRequestBody>;

/**
 * Rows of a log of requests, as a gateway, a client or a collector keeps it, redacted to numbers and
 * hashes. The log is its owner's: others can't read it again. What keeps one from being read says
 * nothing of a bill, so that there is no such thing as a failed log.
 */
export const GatewayLogBody = z
  .strictObject({
    kind: z.literal('gateway_log'),
    outcome: z.enum(['captured', 'unchanged']),
    source: z.enum(['cloudflare', 'litellm', 'claude-code', 'otlp']),
    /** What the log is called here; never the name of an account or a gateway. */
    name: Name,
    run: Timestamp,
    /** How rows were read and redacted: `gateway/cloudflare@1`. */
    method: Text,
    /** Options of the command; no path and no credential. */
    recipe: z.strictObject({ node: Text, args: z.array(Text) }),
    answer: z.strictObject({
      rows: Count,
      /** Times of the first and last row. */
      first: Timestamp.nullable(),
      last: Timestamp.nullable(),
      models: z.array(Text),
      /** Rows that came again and count once; records that could not be read. */
      repeated: Count,
      unread: Count,
    }),
    blob: BlobRef,
    unchanged_from: Sha256.nullable(),
  })
  .refine(
    ({ outcome, unchanged_from }) => (outcome === 'unchanged') === (unchanged_from !== null),
    { message: 'unchanged_from does not fit the outcome' },
  );
export type GatewayLogBody = z.infer<typeof GatewayLogBody>;

/** What was fetched from something real, told apart by `kind`. */
export const CaptureBody = z.discriminatedUnion('kind', [
  ToolsListBody,
  DiscoverBody,
  CountBody,
  ClientRequestBody,
  GatewayLogBody,
]);
export type CaptureBody = z.infer<typeof CaptureBody>;

/** Something that a claim rests on, with the exact words relied on. */
export const SourceBody = z.strictObject({
  id: Name,
  type: z.enum(SOURCE_TYPES),
  url: Text,
  title: Text,
  author: Text.nullable(),
  /** Day of publication, YYYY-MM-DD, where the source gives one. */
  published: Text.nullable(),
  quote: Text.nullable(),
  quote_status: z.enum(QUOTE_STATUSES),
  /**
   * The day on which the page was last read, or said to be gone, to find this status. Absent where
   * nobody asked it: entries from before there were checks hold no such key and stay valid for ever,
   * and since null is refused, "never checked" has one form, hence one hash.
   */
  checked: z.iso.date('a day, YYYY-MM-DD').exactOptional(),
  summary: Text,
  /** Numbers taken from the quote: the exact characters there, and the value read from them. */
  figures: z.array(z.strictObject({ name: Name, characters: Text, value: Decimal, unit: Text })),
  replaces: Sha256.nullable(),
});
export type SourceBody = z.infer<typeof SourceBody>;

/** A figure as a claim or page shows it, and the entries from which it can be derived again. */
export const Slot = z.strictObject({
  value: Decimal,
  unit: Text,
  method: Text,
  inputs: z.array(Sha256),
});
export type Slot = z.infer<typeof Slot>;

/** One atomic assertion: its text with every number already in it, and where each came from. */
export const ClaimBody = z.strictObject({
  id: Name,
  text: Text,
  slots: z.record(z.string(), Slot),
  tier: Tier,
  status: z.array(Status).min(1),
  sources: z.array(Ref),
  /** The heading under which the article makes it. */
  section: Text,
  claimed_by: Text,
  why: Text,
  rationale: Text,
  /** What the actor spent on it; unknown is null, never 0. */
  tokens: Count.nullable(),
  cost: Decimal.nullable(),
  /** Why it is not as it was before; a new tier or status must say so. Absent where nobody did. */
  change: Text.exactOptional(),
  replaces: Sha256.nullable(),
});
export type ClaimBody = z.infer<typeof ClaimBody>;

export const RetractBody = z.strictObject({
  id: Name,
  /** Leaf of the claim.put that is withdrawn. */
  claim: Sha256,
  reason: z.enum(RETRACT_REASONS),
  note: Text,
});
export type RetractBody = z.infer<typeof RetractBody>;

/**
 * A figure among the many of a page: its inputs are places in the article's own list of entries, for
 * many figures rest on the same few. The first entries name each leaf instead, and stay valid.
 */
const Shown = Slot.extend({ inputs: z.union([z.array(Sha256), z.array(Count)]) });

/** Everything a page shows, pinned: its files, its claims and sources, and each figure's value. */
export const ArticleBody = z.strictObject({
  id: Name,
  title: Text,
  summary: Text,
  tags: z.array(Text),
  /** Digests of index.mdx, figures.ts and the like, by file name; each is also a blob. */
  files: z.record(z.string(), BlobRef),
  claims: z.array(Ref),
  sources: z.array(Ref),
  figures: z.record(z.string(), Shown),
  /** Every entry that one of its figures rests on, once. */
  inputs: z.array(Sha256).exactOptional(),
  replaces: Sha256.nullable(),
});
export type ArticleBody = z.infer<typeof ArticleBody>;

/** An article's figures with the leaves that each rests on; a place outside the list gives ''. */
export function slotsOf({ figures, inputs = [] }: ArticleBody): Record<string, Slot> {
  const leaf = (input: string | number) =>
    typeof input === 'string' ? input : (inputs[input] ?? '');
  return Object.fromEntries(
    Object.entries(figures).map(([id, shown]) => [
      id,
      { ...shown, inputs: shown.inputs.map(leaf) },
    ]),
  );
}

/** The other way: figures as an article holds them, beside the list that their places refer to. */
export function shownOf(
  slots: Readonly<Record<string, Slot>>,
): Pick<ArticleBody, 'figures' | 'inputs'> {
  const inputs = [...new Set(Object.values(slots).flatMap((slot) => slot.inputs))];
  const places = new Map(inputs.map((leaf, place) => [leaf, place]));
  const figures = Object.entries(slots).map(([id, slot]) => [
    id,
    { ...slot, inputs: slot.inputs.map((leaf) => places.get(leaf)!) },
  ]);
  return { figures: Object.fromEntries(figures), inputs };
}

/** A signed-note public key, `<name>+<id>+<base64>`; note.ts judges it. */
const VkeyText = Text.max(1024);

/**
 * The log's key changes: checkpoints over more entries than stand before this one are signed by
 * `vkey`. The note says so and is signed by both keys: the old one hands over, the new one is held.
 */
export const KeyBody = z.strictObject({ vkey: VkeyText, replaces: VkeyText, note: Text });
export type KeyBody = z.infer<typeof KeyBody>;

const LegacyChain = z.strictObject({
  records: Count,
  /** Records that hash and link. */
  verified: Count,
  /** Its last hash; null for an empty chain. */
  head: Sha256.nullable(),
});
/** Of what a page showed: how much the chain held as shown, with other content, and not at all. */
const LegacyCoverage = z.strictObject({
  shown: Count,
  same: Count,
  other: Count,
  absent: Count,
  /** In the chain and not on the page. */
  gone: Count,
});
/** What verifying an older, unsigned chain came to: digests, heads and counts, none of its texts. */
export const LegacyBody = z.strictObject({
  id: Name,
  /** The whole file, which is not kept. */
  file: BlobRef,
  method: Text,
  contributions: LegacyChain,
  provenance: LegacyChain,
  claims: LegacyCoverage,
  sources: LegacyCoverage,
  /** Records in which text could move into the next field under the same hash. */
  movable: Count,
  /** Fields of the file that no record covers at all. */
  uncovered: Count,
  replaces: Sha256.nullable(),
});
export type LegacyBody = z.infer<typeof LegacyBody>;

/** A payload that is no longer kept, because it holds what must not be; its digest stays in the chain. */
export const RedactBody = z.strictObject({ sha256: Sha256, reason: Text });
export type RedactBody = z.infer<typeof RedactBody>;

/** A post's own name: 32 lower-case hex digits, given out by the intake that took it. */
const PostId = z.string().regex(/^[0-9a-f]{32}$/, 'the id of a post');
/**
 * A post from outside that was taken in: a commitment to its words, never the words, nor who wrote
 * them. Those stand in objections/<id>.json with the salt, and can be erased while this stays.
 */
export const ReceiveBody = z.strictObject({
  id: PostId,
  kind: z.enum(POSTS),
  /** The claim that it attacks, as it stood when it was taken in; null for the whole article. */
  claim: Ref.nullable(),
  surface: z.enum(Object.keys(SURFACES) as (keyof typeof SURFACES)[]).nullable(),
  commit: Sha256,
  received_at: Timestamp,
});
export type ReceiveBody = z.infer<typeof ReceiveBody>;

/** The public answer to a post, in our words: what was done about it, or why nothing is. */
export const ResolveBody = z.strictObject({
  id: PostId,
  /** Leaf of the objection.receive. */
  receive: Sha256,
  outcome: z.enum(['answered', 'declined']),
  answer: Text.min(1),
  /** The claim as it stands after it, where one changed. */
  claim: Ref.nullable(),
  /** Leaf of the answer before; null for the first. */
  replaces: Sha256.nullable(),
});
export type ResolveBody = z.infer<typeof ResolveBody>;

/** The words and the salt of a post are no longer kept; what was committed to stays in the chain. */
export const EraseBody = z.strictObject({ id: PostId, receive: Sha256, reason: Text.min(1) });
export type EraseBody = z.infer<typeof EraseBody>;

const envelope = {
  actor: Text,
  /** The article's slug, or null for what belongs to none. */
  article: Name.nullable(),
  /** Hex leaf hash of the entry before; for the first entry the hash of the log's genesis text. */
  prev: Sha256,
  seq: Count,
  ts: Timestamp,
  v: z.literal(1),
};
/** Compiled: three times as fast, and of an entry that fails it says the same. */
export const Entry = z.compile(
  z.discriminatedUnion('type', [
    z.strictObject({ ...envelope, type: z.literal('capture.add'), body: CaptureBody }),
    z.strictObject({ ...envelope, type: z.literal('source.put'), body: SourceBody }),
    z.strictObject({ ...envelope, type: z.literal('claim.put'), body: ClaimBody }),
    z.strictObject({ ...envelope, type: z.literal('claim.retract'), body: RetractBody }),
    z.strictObject({ ...envelope, type: z.literal('article.put'), body: ArticleBody }),
    z.strictObject({ ...envelope, type: z.literal('objection.receive'), body: ReceiveBody }),
    z.strictObject({ ...envelope, type: z.literal('objection.resolve'), body: ResolveBody }),
    z.strictObject({ ...envelope, type: z.literal('erase'), body: EraseBody }),
    z.strictObject({ ...envelope, type: z.literal('blob.redact'), body: RedactBody }),
    z.strictObject({ ...envelope, type: z.literal('key.put'), body: KeyBody }),
    z.strictObject({ ...envelope, type: z.literal('import.legacy'), body: LegacyBody }),
  ]),
);
export type Entry = z.infer<typeof Entry>;

/** A schema's complaints in one line: `body.tier: …; body.text: …`. */
export const complaints = (error: {
  issues: readonly { path: readonly PropertyKey[]; message: string }[];
}): string =>
  error.issues.map(({ path, message }) => `${path.map(String).join('.')}: ${message}`).join('; ');

/** Every blob that an entry stands on: a payload, or the files of an article. */
export function blobsOf({ type, body }: Entry): BlobRef[] {
  if (type === 'capture.add') return body.blob === null ? [] : [body.blob];
  return type === 'article.put' ? Object.values(body.files) : [];
}

/** What a writer proposes. `seq` and `prev` are given out by the appender, `actor` and `ts` by the batch. */
export type Draft = Entry extends infer E
  ? E extends Entry
    ? Pick<E, 'type' | 'article' | 'body'>
    : never
  : never;
