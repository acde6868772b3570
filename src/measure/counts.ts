/**
 * The counts of tokenizers that are recorded since a build can't count with them, and the built-in
 * figures of these. Pure: it must never give a figure of a count whose payloads are no longer current.
 */
import { z } from 'zod';
import type { Figure, WeighedServer } from './figure.ts';
import { derived, type Quantity, ratio, total } from './figures.ts';
import { LAYOUTS, reservedBytes } from './memory.ts';

const Tokens = z.number().int().nonnegative();
/** What one tokenizer made of the servers' definitions: the payload of a count, as canonical JSON. */
export const Tally = z.strictObject({
  servers: z.record(
    z.string(),
    z.strictObject({
      /** SHA-256 of the payload that was counted. */
      payload: z.string(),
      /** Of the array in Anthropic's shape, compact, as `weigh` counts it. */
      tokens: Tokens,
      /** Of a whole prompt with this server's tools alone. */
      rendered: Tokens.exactOptional(),
    }),
  ),
  /** Of a whole prompt with all tools, and with none; absent where no chat template takes tools. */
  rendered: z.strictObject({ all: Tokens, empty: Tokens }).exactOptional(),
});
export type Tally = z.infer<typeof Tally>;

/** Reads a count's payload. Throws what JSON.parse and the schema throw. */
export function parseTally(bytes: Uint8Array): Tally {
  return Tally.parse(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)));
}

export interface RecordedCount {
  tokenizer: string;
  /** Leaf of the capture.add entry. */
  leaf: string;
  /** Method ids of the counts and of those of the rendered prompt. */
  method: string;
  rendered: string | null;
  tally: Tally;
}

/** The model for which a rendered prompt is put into bytes, by its tokenizer. */
const MODELS: Readonly<Record<string, keyof typeof LAYOUTS>> = { qwen3: 'qwen3.8-27b' };

/**
 * `counts.<tokenizer>.<server>.<measure>`, `counts.<tokenizer>.all.<measure>`, and over all tokenizers
 * `counts.spread`. `wanted` names the tokenizers that belong to it: while one of them has no count of
 * all current payloads there is no spread, rather than another one.
 */
export function countFigures(
  wanted: readonly string[],
  counts: readonly RecordedCount[],
  servers: readonly WeighedServer[],
): Figure[] {
  if (servers.length === 0) return [];
  const built = total(
    servers.map(({ weight, leaf }) =>
      counted([leaf], weight.tokens.total, '', `tokens/${weight.tokenizer}`),
    ),
    '',
  );
  const figures: Figure[] = [];
  const totals = [built];
  for (const count of counts) {
    const own = ofServers(count, servers);
    const { tokenizer } = count;
    for (const { server, quantities } of own) {
      figures.push(...named(`counts.${tokenizer}.${server}`, quantities));
    }
    if (own.length < servers.length) continue;
    if (Object.keys(count.tally.servers).length > servers.length) continue;
    const all = ofAll(count, own, built);
    figures.push(...named(`counts.${tokenizer}.all`, all));
    totals.push(all.tokens);
  }
  if (wanted.length > 0 && totals.length === wanted.length + 1) {
    const values = totals.map(({ value }) => value);
    const spread = derived(totals, 'spread/percent@1', {
      value: 100 * (Math.max(...values) / Math.min(...values) - 1),
      decimals: 1,
      unit: '%',
      label: 'more tokens by the tokenizer that makes most than by the one that makes fewest',
    });
    const tokenizers = derived(totals, 'count@1', {
      value: totals.length,
      decimals: 0,
      unit: 'tokenizers',
      label: 'tokenizers that the same definitions were counted with',
    });
    figures.push(...named('counts', { spread, tokenizers }));
  }
  return figures;
}

function named(prefix: string, quantities: Readonly<Record<string, Quantity>>): Figure[] {
  return Object.entries(quantities)
    .filter(([, quantity]) => Number.isFinite(quantity.value))
    .map(([measure, quantity]) => ({ id: `${prefix}.${measure}`, ...quantity }));
}

function counted(inputs: string[], value: number, label: string, method: string): Quantity {
  return { value, decimals: 0, unit: 'tokens', label, method, status: 'observed', inputs };
}

/** Of each server whose current payload is the one that was counted. */
function ofServers(
  { leaf, method, rendered, tally, tokenizer }: RecordedCount,
  servers: readonly WeighedServer[],
) {
  return servers.flatMap((server) => {
    const own = tally.servers[server.name];
    if (own?.payload !== server.sha256) return [];
    // It can be counted again from that server's capture alone; the count is what says what came of it.
    const inputs = [leaf, server.leaf];
    const tokens = counted(
      inputs,
      own.tokens,
      `tokens of the tool definitions by ${tokenizer}`,
      method,
    );
    if (own.rendered === undefined || rendered === null) {
      return { server: server.name, quantities: { tokens } };
    }
    const label = 'tokens of the prompt that the chat template makes of them';
    const prompt = counted(inputs, own.rendered, label, rendered);
    return { server: server.name, quantities: { tokens, rendered_tokens: prompt } };
  });
}

function ofAll(
  { tally, rendered, tokenizer }: RecordedCount,
  own: ReturnType<typeof ofServers>,
  built: Quantity,
) {
  const tokens = total(
    own.map(({ quantities }) => quantities.tokens),
    `tokens of the tool definitions by ${tokenizer}, all servers`,
  );
  const plain = { tokens, over_o200k: over(tokens, built, 'more tokens than by o200k_base') };
  if (tally.rendered === undefined || rendered === null) return plain;
  const { inputs } = tokens;
  const label = 'tokens of the prompt that the chat template makes of all of them';
  const rendered_tokens = counted(inputs, tally.rendered.all, label, rendered);
  const prompt = {
    rendered_tokens,
    empty_tokens: counted(
      inputs,
      tally.rendered.empty,
      'tokens of that prompt without tools',
      rendered,
    ),
    rendered_over: over(
      rendered_tokens,
      tokens,
      'more tokens once the chat template has rendered them',
    ),
  };
  const model = MODELS[tokenizer];
  const known = model === undefined ? undefined : LAYOUTS[model];
  if (known === undefined) return { ...plain, ...prompt };
  const kv_gib = derived([rendered_tokens], `kv-cache/${model}@1`, {
    value: reservedBytes(rendered_tokens.value, known.layout) / 2 ** 30,
    decimals: 2,
    unit: 'GiB',
    label: 'of key-value cache that this prompt reserves',
  });
  return { ...plain, ...prompt, kv_gib };
}

/** By how many per cent `a` is more than `b`; below zero where it is less. */
function over(a: Quantity, b: Quantity, label: string): Quantity {
  const { value, inputs } = ratio(a, b, label);
  const shown = { value: 100 * (value - 1), decimals: 1, unit: '%', label };
  return { ...shown, method: 'over@1', status: 'derived', inputs };
}
