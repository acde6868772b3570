/**
 * The built-in figures of weighed servers, and the arithmetic that an article's own are made with.
 * Pure: it must never give a figure without its method and the captures it rests on.
 */
import { WINDOW, windowShare } from './context.ts';
import type { Figure, WeighedServer } from './figure.ts';
import { mean, pearson, quantile, spread } from './statistics.ts';
import { tokensMethod, type Weight } from './weigh.ts';

/** A figure before it has an id: what `figures.ts` of an article returns. */
export type Quantity = Omit<Figure, 'id'>;

/** What is worked out of `from`, under a versioned method id; rests on all that they rest on. */
export function derived(
  from: readonly Quantity[],
  method: string,
  shown: Pick<Figure, 'value' | 'decimals' | 'unit' | 'label'>,
): Quantity {
  const inputs = [...new Set(from.flatMap((figure) => figure.inputs))];
  return { ...shown, method, status: 'derived', inputs };
}

/** `part` in per cent of `whole`: 42.1, not 0.421. */
export function share(part: Quantity, whole: Quantity, label: string, decimals = 1): Quantity {
  const value = (100 * part.value) / whole.value;
  return derived([part, whole], 'share@1', { value, decimals, unit: '%', label });
}

/** How many times `b` goes into `a`; the unit is `times` unless one is given. */
export function ratio(
  a: Quantity,
  b: Quantity,
  label: string,
  { unit = 'times', decimals = 1 }: { unit?: string; decimals?: number } = {},
): Quantity {
  return derived([a, b], 'ratio@1', { value: a.value / b.value, decimals, unit, label });
}

/** `a - b`, in the unit of `a`. */
export function difference(a: Quantity, b: Quantity, label: string): Quantity {
  const decimals = Math.max(a.decimals, b.decimals);
  return derived([a, b], 'difference@1', {
    value: a.value - b.value,
    decimals,
    unit: a.unit,
    label,
  });
}

/**
 * The sum, in the unit of the first. Of counts made by one method it is a count by that method, of
 * more than one capture; else it is worked out. Throws RangeError when there is none.
 */
export function total(parts: readonly Quantity[], label: string): Quantity {
  const [first] = parts;
  if (first === undefined) throw new RangeError('a sum of no figures has no unit');
  const alike = (field: 'method' | 'status') => parts.every((part) => part[field] === first[field]);
  const method = alike('method') ? `${first.method}/sum@1` : 'sum@1';
  const sum = derived(parts, method, {
    value: parts.reduce((so, part) => so + part.value, 0),
    decimals: Math.max(...parts.map((part) => part.decimals)),
    unit: first.unit,
    label,
  });
  return alike('method') && alike('status') ? { ...sum, status: first.status } : sum;
}

/** Method ids of what is read off a payload without a tokenizer. */
export const LISTED = 'tools/listed@1';
const REPEATS = 'repeats/64/compact@1';
const DEFS = 'repeats/defs/compact@1';

/**
 * All built-in figures: `servers.<name>.<measure>` of each server, then `servers.all.<measure>`. A
 * figure that has no value (a share of nothing, a correlation of one server) is left out.
 */
export function builtInFigures(servers: readonly WeighedServer[]): Figure[] {
  const each = servers.map((server) => ({ server, own: ofServer(server) }));
  const groups = each.map(({ server, own }) => ({ prefix: `servers.${server.name}`, own }));
  if (each.length > 0) groups.push({ prefix: 'servers.all', own: ofAll(each) });
  return groups.flatMap(({ prefix, own }) =>
    Object.entries(own)
      .filter(([, quantity]) => Number.isFinite(quantity.value))
      .map(([measure, quantity]) => ({ id: `${prefix}.${measure}`, ...quantity })),
  );
}

/** What is read off one capture. */
function counts({ weight, leaf }: WeighedServer) {
  const observed =
    (method: string, unit: string) =>
    (value: number, label: string): Quantity => ({
      value,
      decimals: 0,
      unit,
      label,
      method,
      status: 'observed',
      inputs: [leaf],
    });
  const tokens = observed(tokensMethod(weight), 'tokens');
  const defsTokens = observed(`${tokensMethod(weight)}/schemas@1`, 'tokens');
  const defsBytes = observed(DEFS, 'bytes');
  const { defs, redundantBytes } = weight.duplicates;
  return {
    tools: observed(LISTED, 'tools')(weight.tools, 'tools listed'),
    tokens: tokens(weight.tokens.total, 'tokens of the tool definitions'),
    bytes: observed(bytesMethod(weight), 'bytes')(weight.bytes, 'bytes of the tool definitions'),
    name_tokens: tokens(weight.tokens.name, 'tokens of the tool names'),
    description_tokens: tokens(weight.tokens.description, 'tokens of the descriptions'),
    schema_tokens: tokens(weight.tokens.schema, 'tokens of the input schemas'),
    punctuation_tokens: tokens(weight.tokens.punctuation, 'tokens between the three parts'),
    redundant_bytes: observed(REPEATS, 'bytes')(
      redundantBytes,
      'bytes that repeat an earlier block',
    ),
    defs_copies: observed(DEFS, 'tools')(defs.copies, 'tools that carry shared definitions'),
    defs_names: observed(DEFS, 'definitions')(defs.names.length, 'shared definitions by name'),
    defs_redundant_bytes: defsBytes(defs.redundantBytes, 'bytes of repeated shared definitions'),
    schema_bytes: defsBytes(defs.schemaBytes, 'bytes of the input schemas as one list'),
    schema_list_tokens: defsTokens(defs.schemaTokens, 'tokens of the input schemas as one list'),
    schema_list_tokens_without_defs: defsTokens(
      defs.schemaTokensWithout,
      'tokens of that list with every block of shared definitions emptied',
    ),
  } satisfies Record<string, Quantity>;
}
type Counts = ReturnType<typeof counts>;

function bytesMethod(weight: Weight): string {
  return `bytes/${weight.shape}/compact@1`;
}

/** What follows from counts alike for one server and for all of them. */
function shares(of: Counts) {
  const parts = total(
    [of.name_tokens, of.description_tokens, of.schema_tokens],
    'tokens of names, descriptions and schemas',
  );
  const saved = difference(
    of.schema_list_tokens,
    of.schema_list_tokens_without_defs,
    'tokens that the shared definitions take',
  );
  return {
    parts_tokens: parts,
    name_share: share(of.name_tokens, parts, 'share of the names in the three parts'),
    description_share: share(
      of.description_tokens,
      parts,
      'share of the descriptions in the three parts',
    ),
    schema_share: share(of.schema_tokens, parts, 'share of the schemas in the three parts'),
    tokens_per_tool: ratio(of.tokens, of.tools, 'tokens for each tool', { unit: 'tokens/tool' }),
    window_share: derived([of.tokens], `share/window-${WINDOW}@1`, {
      value: windowShare(of.tokens.value),
      decimals: 1,
      unit: '%',
      label: 'share of the context window',
    }),
    redundant_share: share(of.redundant_bytes, of.bytes, 'share of bytes that repeat a block'),
    defs_share: share(
      of.defs_redundant_bytes,
      of.schema_bytes,
      'share of schema bytes that are repeated shared definitions',
    ),
    defs_saved_tokens: saved,
    defs_saved_share: share(
      saved,
      of.schema_list_tokens,
      'share of schema tokens that the shared definitions take',
    ),
    defs_total_share: share(
      saved,
      of.tokens,
      'share of all tokens that the shared definitions take',
    ),
  } satisfies Record<string, Quantity>;
}

function ofServer(server: WeighedServer) {
  const of = counts(server);
  return { ...of, ...shares(of) };
}
type OfServer = ReturnType<typeof ofServer>;

function ofAll(each: readonly { server: WeighedServer; own: OfServer }[]) {
  const owns = each.map(({ own }) => own);
  const list = (measure: keyof OfServer) => owns.map((own) => own[measure]);
  const values = (measure: keyof OfServer) => list(measure).map((quantity) => quantity.value);
  const sum = (measure: keyof Counts) =>
    total(list(measure), `${owns[0]![measure].label}, all servers`);
  const sums = {
    tools: sum('tools'),
    tokens: sum('tokens'),
    bytes: sum('bytes'),
    name_tokens: sum('name_tokens'),
    description_tokens: sum('description_tokens'),
    schema_tokens: sum('schema_tokens'),
    punctuation_tokens: sum('punctuation_tokens'),
    redundant_bytes: sum('redundant_bytes'),
    defs_copies: sum('defs_copies'),
    defs_names: sum('defs_names'),
    defs_redundant_bytes: sum('defs_redundant_bytes'),
    schema_bytes: sum('schema_bytes'),
    schema_list_tokens: sum('schema_list_tokens'),
    schema_list_tokens_without_defs: sum('schema_list_tokens_without_defs'),
  } satisfies Counts;

  // A server without tools has no tokens per tool.
  const perTool = list('tokens_per_tool').filter(({ value }) => Number.isFinite(value));
  const overPerTool = (method: string, value: number, label: string, unit = 'tokens/tool') =>
    derived(perTool, method, { value, decimals: 1, unit, label });
  const perToolValues = perTool.map(({ value }) => value);

  const r = pearson(values('tools'), values('tokens'));
  const pairs = [...list('tools'), ...list('tokens')];
  const overTokens = (method: string, value: number, label: string) =>
    derived(list('tokens'), method, { value, decimals: 0, unit: 'tokens', label });
  const largest = overTokens(
    'largest@1',
    Math.max(...values('tokens')),
    'tokens of the costliest server',
  );
  const serversWith = (method: string, label: string, has: (server: WeighedServer) => boolean) =>
    ({
      value: each.filter(({ server }) => has(server)).length,
      decimals: 0,
      unit: 'servers',
      label,
      method,
      status: 'observed',
      inputs: each.map(({ server }) => server.leaf),
    }) satisfies Quantity;

  return {
    ...sums,
    ...shares(sums),
    count: serversWith('count@1', 'servers weighed', () => true),
    same_order: serversWith(
      'listings/same-order@1',
      'servers that listed their tools twice in one order',
      (server) => server.sameOrder,
    ),
    same_bytes: serversWith(
      'listings/same-bytes@1',
      'servers that listed their tools twice in the same bytes',
      (server) => server.sameBytes,
    ),
    with_defs: serversWith(
      'listings/defs@1',
      'servers whose schemas carry shared definitions',
      (server) => server.weight.duplicates.defs.copies > 0,
    ),
    tokens_mean: overTokens('mean@1', mean(values('tokens')), 'mean tokens of a server'),
    tokens_median: overTokens(
      'quantile/type-7@1',
      quantile(values('tokens'), 0.5),
      'median tokens of a server',
    ),
    largest_tokens: largest,
    largest_share: share(largest, sums.tokens, 'share of the costliest server in all tokens'),
    smallest_tokens: overTokens(
      'smallest@1',
      Math.min(...values('tokens')),
      'tokens of the cheapest server',
    ),
    tokens_per_tool_min: overPerTool(
      'smallest@1',
      Math.min(...perToolValues),
      'fewest tokens for each tool of a server',
    ),
    tokens_per_tool_max: overPerTool(
      'largest@1',
      Math.max(...perToolValues),
      'most tokens for each tool of a server',
    ),
    tokens_per_tool_median: overPerTool(
      'quantile/type-7@1',
      quantile(perToolValues, 0.5),
      'median over servers of tokens for each tool',
    ),
    tokens_per_tool_spread: overPerTool(
      'spread@1',
      spread(perToolValues),
      'spread between servers in tokens for each tool',
      'times',
    ),
    pearson_tools_tokens: derived(pairs, 'pearson@1', {
      value: r,
      decimals: 3,
      unit: '',
      label: 'correlation of the number of tools with tokens',
    }),
    r_squared: derived(pairs, 'pearson-squared@1', {
      value: 100 * r * r,
      decimals: 0,
      unit: '%',
      label: 'share of the variance in tokens that the number of tools explains',
    }),
  } satisfies Record<string, Quantity>;
}
