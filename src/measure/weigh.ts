/**
 * Weighs one catalogue: tokens by part and by tool, and what it repeats. Pure: it must never read
 * anything but its arguments, so that a page can weigh again what a script weighed.
 */
import type { Tool } from './figure.ts';
import { findRepeats, utf8Length } from './repeats.ts';
import { type Shape, serialise, shapeTools } from './shape.ts';
import type { Tokenizer } from './tokens.ts';

/** The JSON that `weigh --json` prints, less what only a probe knows (server, protocol). */
export interface Weight {
  shape: Shape;
  tokenizer: string;
  tools: number;
  /** UTF-8 bytes of the compact JSON in the shape. */
  bytes: number;
  /**
   * `total`: the whole array. `name`, `description`, `schema`: these texts alone (the schema as
   * compact JSON), summed. `punctuation`: all that is left, in the raw shape other fields too.
   */
  tokens: { total: number; name: number; description: number; schema: number; punctuation: number };
  /**
   * The costliest first, equals as listed, each under its listed name. `total`: the tool's own
   * compact JSON; `name_tokens`: the name as sent, prefix included.
   */
  perTool: {
    name: string;
    total: number;
    name_tokens: number;
    description_tokens: number;
    schema_tokens: number;
  }[];
  duplicates: {
    /** Paths are JSON Pointers into the array that is sent; those that waste most first. */
    blocks: { path: string; copies: number; bytes: number }[];
    redundantBytes: number;
    /** The `$defs` at the top of the input schemas, alone. */
    defs: {
      /** All definitions' names, in the order in which they first appear. */
      names: string[];
      /** How many schemas carry a `$defs`. */
      copies: number;
      /** Bytes of the definitions (without names) that equal one already seen in the catalogue. */
      redundantBytes: number;
      /**
       * Of all input schemas, with or without `$defs`, as one compact JSON array: the schemas
       * counted one by one (`tokens.schema`) may differ by a token or two where they meet.
       */
      schemaBytes: number;
      schemaTokens: number;
      /** The same array with every `$defs` emptied to `{}`, the first copy too. */
      schemaTokensWithout: number;
    };
  };
}

/** The method id of a token count: what was counted with, in which shape and serialisation. */
export function tokensMethod(weight: Pick<Weight, 'tokenizer' | 'shape'>): string {
  return `tokens/${weight.tokenizer}/${weight.shape}/compact@1`;
}

/**
 * Weighs `tools` as `server`'s, in `shape`. Throws RangeError when a tool is nested deeper than
 * `DEEPEST` levels or has a run of millions of characters that cannot be split.
 */
export function weigh(
  tools: readonly Tool[],
  { shape, server, tokenizer }: { shape: Shape; server: string; tokenizer: Tokenizer },
): Weight {
  const shaped = shapeTools(tools, shape, server);
  const sent = shaped.map((tool) => tool.sent);
  // First, because it refuses what is nested too deep for JSON.stringify.
  const { blocks, redundantBytes } = findRepeats(sent);

  const text = serialise(sent);
  const schemas = shaped.flatMap((tool) => (tool.schema === undefined ? [] : [tool.schema]));
  const perTool = shaped
    .map((tool) => ({
      name: tool.listed,
      total: tokenizer.count(serialise(tool.sent)),
      name_tokens: tokenizer.count(tool.name),
      description_tokens: tokenizer.count(tool.description ?? ''),
      schema_tokens: tool.schema === undefined ? 0 : tokenizer.count(serialise(tool.schema)),
    }))
    .sort((a, b) => b.total - a.total);

  const total = tokenizer.count(text);
  const name = sum(perTool.map((tool) => tool.name_tokens));
  const description = sum(perTool.map((tool) => tool.description_tokens));
  const schema = sum(perTool.map((tool) => tool.schema_tokens));
  return {
    shape,
    tokenizer: tokenizer.name,
    tools: tools.length,
    bytes: utf8Length(text),
    tokens: { total, name, description, schema, punctuation: total - name - description - schema },
    perTool,
    duplicates: { blocks, redundantBytes, defs: weighDefs(schemas, tokenizer) },
  };
}

function weighDefs(
  schemas: readonly unknown[],
  tokenizer: Tokenizer,
): Weight['duplicates']['defs'] {
  const carriers = schemas.filter(hasDefs);
  const definitions = carriers.flatMap((schema) => Object.values(schema.$defs).map(serialise));
  const bytesOf = (texts: Iterable<string>) => sum(Array.from(texts, utf8Length));
  const whole = serialise(schemas);
  const emptied = schemas.map((schema) => (hasDefs(schema) ? { ...schema, $defs: {} } : schema));
  return {
    names: [...new Set(carriers.flatMap((schema) => Object.keys(schema.$defs)))],
    copies: carriers.length,
    redundantBytes: bytesOf(definitions) - bytesOf(new Set(definitions)),
    schemaBytes: utf8Length(whole),
    schemaTokens: tokenizer.count(whole),
    schemaTokensWithout: tokenizer.count(serialise(emptied)),
  };
}

function hasDefs(schema: unknown): schema is { $defs: object } {
  if (typeof schema !== 'object' || schema === null || !Object.hasOwn(schema, '$defs'))
    return false;
  const { $defs } = schema as { $defs: unknown };
  return typeof $defs === 'object' && $defs !== null && !Array.isArray($defs);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
