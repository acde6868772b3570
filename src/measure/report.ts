/**
 * The JSON that `weigh --json` prints, one shape for each thing it weighs. Sizes are in tokens of the
 * report's first tokenizer, or UTF-8 bytes where it says so.
 */
import { z } from 'zod';
import { SHAPES } from './shape.ts';
import type { Weight } from './weigh.ts';

const Count = z.int().nonnegative();
const Text = z.string();
const ReportWarning = z.strictObject({ code: Text, message: Text });

/** What of a catalogue each tokenizer that was asked for makes. */
const Spread = z
  .array(z.strictObject({ tokenizer: Text, method: Text, tokens: Count }))
  .meta({ description: 'Only where several tokenizers were asked for.' });

const Rendered = z.strictObject({
  template: Text,
  method: Text,
  prompt_tokens: Count,
  empty_tokens: Count,
});

const Memory = z.strictObject({
  attention_layers: z.number(),
  kv_heads: z.number(),
  head_dim: z.number(),
  bytes_per_number: z.number(),
  step_tokens: z.number(),
  /** Null: given on the command line. */
  source: Text.nullable(),
  /** What is reserved for: the rendered prompt where there is one, else the whole. */
  tokens: Count,
  bytes_per_token: z.number(),
  reserved_bytes: z.number(),
});

const Slim = z.strictObject({
  file: Text,
  before: Count,
  /** With nothing but unused definitions dropped. */
  pruned: Count,
  after: Count,
  dropped: Count,
  hoisted: Count,
  newly_referring: z.array(Text),
  untouched: z.array(Text),
});

const Change = z.strictObject({
  tool: Text,
  change: z.enum(['added', 'removed', 'grew', 'shrank', 'changed']),
  before: Count.nullable(),
  after: Count.nullable(),
});

const Gate = z.strictObject({
  /** Null: only limits were asked for. */
  baseline: Text.nullable(),
  written: z.boolean(),
  ok: z.boolean(),
  broken: z.array(
    z.strictObject({
      rule: z.enum(['max-growth', 'max-tokens', 'frozen']),
      found: z.number(),
      allowed: z.number(),
    }),
  ),
  before: Count.nullable(),
  after: Count,
  servers: z.array(
    z.strictObject({
      server: Text,
      before: Count.nullable(),
      after: Count.nullable(),
      changes: z.array(Change),
      reordered: z.boolean(),
    }),
  ),
});

const Protocol = z.strictObject({ requested: Text, negotiated: Text });

const Weighed = z.strictObject({
  shape: z.enum(SHAPES),
  tokenizer: Text,
  tools: Count,
  bytes: Count,
  tokens: z.strictObject({
    total: Count,
    name: Count,
    description: Count,
    schema: Count,
    punctuation: z.int(),
  }),
  perTool: z.array(
    z.strictObject({
      name: Text,
      total: Count,
      name_tokens: Count,
      description_tokens: Count,
      schema_tokens: Count,
    }),
  ),
  duplicates: z.strictObject({
    blocks: z.array(z.strictObject({ path: Text, copies: Count, bytes: Count })),
    redundantBytes: Count,
    defs: z.strictObject({
      names: z.array(Text),
      copies: Count,
      redundantBytes: Count,
      schemaBytes: Count,
      schemaTokens: Count,
      schemaTokensWithout: Count,
    }),
  }),
}) satisfies z.ZodType<Weight>;

/** What was asked for besides the weight; each is there only then. */
const Asked = {
  tokenizers: Spread.optional(),
  rendered: Rendered.optional(),
  memory: Memory.optional(),
  gate: Gate.optional(),
};

/** One server's catalogue. */
export const ServerReport = z.strictObject({
  kind: z.literal('server'),
  server: Text,
  /** Null: read from a file. */
  protocol: Protocol.nullable(),
  ...Weighed.shape,
  ...Asked,
  slim: Slim.optional(),
  warnings: z.array(ReportWarning),
});
export type ServerReport = z.infer<typeof ServerReport>;

/** All servers that a client is configured with. */
export const BillReport = z.strictObject({
  kind: z.literal('bill'),
  file: Text,
  client: Text,
  shape: z.enum(SHAPES),
  tokenizer: Text,
  method: Text,
  /** The costliest first. */
  servers: z.array(
    z.strictObject({
      server: Text,
      protocol: Protocol,
      tools: Count,
      tokens: Count,
      bytes: Count,
      /** All that stays where a client loads no definition before it is asked for. */
      name_tokens: Count,
      schema_tokens: Count,
      largest: z.strictObject({ tool: Text, tokens: Count }).nullable(),
      list_ms: z.number(),
      warnings: z.array(ReportWarning),
    }),
  ),
  failed: z.array(
    z.strictObject({ server: Text, code: Text, message: Text, mend: Text.nullable(), at: Text }),
  ),
  /** Configured, but of no cost here: switched off, for another folder, behind one of the same name. */
  left_out: z.array(z.strictObject({ server: Text, why: Text, at: Text })),
  collisions: z.array(
    z.strictObject({
      kind: z.enum(['same', 'alike', 'sent']),
      name: Text,
      tools: z.array(z.strictObject({ server: Text, tool: Text })),
    }),
  ),
  /** `deferred`: the names alone. */
  totals: z.strictObject({ tools: Count, bytes: Count, upfront: Count, deferred: Count }),
  ...Asked,
  warnings: z.array(ReportWarning),
});
export type BillReport = z.infer<typeof BillReport>;

/** A folder of agent skills. */
export const SkillsReport = z.strictObject({
  kind: z.literal('skills'),
  folder: Text,
  tokenizer: Text,
  method: Text,
  /** Those that keep most in context first. `path` is below the folder. */
  skills: z.array(z.strictObject({ name: Text, path: Text, resident: Count, body: Count })),
  failed: z.array(z.strictObject({ path: Text, code: Text, message: Text, mend: Text })),
  totals: z.strictObject({ resident: Count, body: Count }),
  warnings: z.array(ReportWarning),
});
export type SkillsReport = z.infer<typeof SkillsReport>;

/** Whatever `weigh --json` prints. */
export const Report = z.discriminatedUnion('kind', [ServerReport, BillReport, SkillsReport]);
export type Report = z.infer<typeof Report>;
