/**
 * Writes a catalogue so that it says things once: definitions that nothing refers to go, and what a
 * schema repeats stands once in its own `$defs`. Every schema still stands alone, since no client
 * resolves a reference into another tool's schema. Pure; it must never change what a schema accepts.
 */
import type { Tool } from './figure.ts';
import { DEEPEST } from './repeats.ts';
import { serialise } from './shape.ts';
import type { Tokenizer } from './tokens.ts';

export interface Slimmed {
  tools: Tool[];
  /** Definitions that were dropped, and subschemas that were hoisted, in all schemas together. */
  dropped: number;
  hoisted: number;
  /** Tools that hold references where they held none: a client that resolves none misreads them. */
  newlyReferring: string[];
  /** Tools left as they were: too large, or they refer in ways that moving parts would break. */
  untouched: string[];
}

/** `hoist`: false only drops, which needs nothing of a client. Tokens decide what is worth hoisting. */
export function slim(
  tools: readonly Tool[],
  { tokenizer, hoist = true }: { tokenizer: Tokenizer; hoist?: boolean },
): Slimmed {
  const result: Slimmed = { tools: [], dropped: 0, hoisted: 0, newlyReferring: [], untouched: [] };
  for (const tool of tools) {
    const schema = tool.inputSchema;
    const found = isObject(schema) ? survey(schema) : null;
    if (!isObject(schema) || found === null) {
      if (isObject(schema)) result.untouched.push(tool.name);
      result.tools.push(tool);
      continue;
    }
    const { pruned, dropped } = prune(schema);
    const { schema: made, hoisted } = hoist
      ? hoistRepeats(pruned, tokenizer)
      : { schema: pruned, hoisted: 0 };
    result.dropped += dropped;
    result.hoisted += hoisted;
    if (hoisted > 0 && found.references === 0) result.newlyReferring.push(tool.name);
    result.tools.push(dropped + hoisted === 0 ? tool : { ...tool, inputSchema: made });
  }
  return result;
}

interface Schema {
  $ref?: unknown;
  $defs?: unknown;
  [keyword: string]: unknown;
}

/** Keywords that hold a schema, a list of them (or, `items`, either), a map of them. */
const ONE = words(`additionalItems additionalProperties contains contentSchema else if items not
  propertyNames then unevaluatedItems unevaluatedProperties`);
const LIST = words('allOf anyOf items oneOf prefixItems');
const MAP = words('properties patternProperties dependentSchemas dependencies $defs definitions');
/** What gives a subschema an address other than its place, or looks one up by where it is used. */
const ADDRESSED = words('$anchor $dynamicAnchor $dynamicRef $id $recursiveAnchor $recursiveRef');
/** Bytes, more or less: hoisting compares every part of a schema, again for each that it hoists. */
const LARGEST = 2 ** 18;
const DEFINITIONS = ['$defs', 'definitions'] as const;
const POINTER = /^#\/(\$defs|definitions)\/([^/%~]+)$/;

/** Calls `visit` with the schema and every subschema, and how deep it stands. */
function walk(schema: Schema, visit: (schema: Schema, depth: number) => void, depth = 0): void {
  if (depth > DEEPEST) return;
  visit(schema, depth);
  for (const child of children(schema)) walk(child, visit, depth + 1);
}

function children(schema: Schema): Schema[] {
  return Object.entries(schema).flatMap(([keyword, value]) => {
    if (MAP.has(keyword) && isObject(value)) return Object.values(value).filter(isObject);
    if (LIST.has(keyword) && Array.isArray(value)) return value.filter(isObject);
    return ONE.has(keyword) && isObject(value) ? [value] : [];
  });
}

/** How many references a schema holds; null where its parts cannot be moved safely. */
function survey(schema: Schema): { references: number } | null {
  let references = 0;
  let safe = serialise(schema).length <= LARGEST;
  walk(schema, (one, depth) => {
    // The schema's own $id is the address of the whole, which stays.
    const addressed = Object.keys(one).some(
      (keyword) => ADDRESSED.has(keyword) && (depth > 0 || keyword !== '$id'),
    );
    if (depth >= DEEPEST || addressed) safe = false;
    if (!Object.hasOwn(one, '$ref')) return;
    references++;
    const { $ref } = one;
    safe &&= typeof $ref === 'string' && ($ref === '#' || POINTER.test($ref));
  });
  return safe ? { references } : null;
}

/** Without the definitions that cannot be reached from the rest of the schema. */
function prune(schema: Schema): { pruned: Schema; dropped: number } {
  const waiting: Schema[] = [without(schema, DEFINITIONS)];
  const reached = new Set<string>();
  for (const one of waiting) {
    walk(one, ({ $ref }) => {
      const [, holder, name] = POINTER.exec(String($ref)) ?? [];
      const map = holder === undefined ? undefined : schema[holder];
      if (name === undefined || !isObject(map) || reached.has(String($ref))) return;
      reached.add(String($ref));
      const target = map[name];
      if (isObject(target)) waiting.push(target);
    });
  }
  let dropped = 0;
  const pruned = { ...schema };
  for (const holder of DEFINITIONS) {
    const map = schema[holder];
    if (!isObject(map)) continue;
    const kept = Object.entries(map).filter(([name]) => reached.has(`#/${holder}/${name}`));
    dropped += Object.keys(map).length - kept.length;
    if (kept.length === Object.keys(map).length) continue;
    if (kept.length > 0) pruned[holder] = Object.fromEntries(kept);
    else delete pruned[holder];
  }
  return { pruned, dropped };
}

/** The same with what it repeats in `$defs`, one after the other, that which saves most first. */
function hoistRepeats(schema: Schema, tokenizer: Tokenizer): { schema: Schema; hoisted: number } {
  let current = schema;
  for (let hoisted = 0; ; hoisted++) {
    const best = mostWasteful(current, tokenizer);
    if (best === null) return { schema: current, hoisted };
    const { text, name } = best;
    const swap = (one: Schema, depth: number): Schema =>
      depth > 0 && serialise(one) === text
        ? { $ref: `#/$defs/${name}` }
        : mapChildren(one, (child) => swap(child, depth + 1));
    const { $defs, ...rest } = swap(current, 0);
    const moved: unknown = JSON.parse(text);
    current = { ...rest, $defs: { ...(isObject($defs) ? $defs : {}), [name]: moved } };
  }
}

/** The repeated subschema that saves most tokens when it is hoisted; null where none saves any. */
function mostWasteful(schema: Schema, tokenizer: Tokenizer): { text: string; name: string } | null {
  const copies = new Map<string, { count: number; key: string }>();
  const count = (one: Schema, key: string) => {
    const text = serialise(one);
    const known = copies.get(text);
    if (known !== undefined) known.count++;
    else copies.set(text, { count: 1, key });
    for (const [below, child] of named(one, key)) count(child, below);
  };
  for (const [key, child] of named(schema, 'item')) count(child, key);
  const taken = isObject(schema.$defs) ? schema.$defs : {};
  let best: { text: string; name: string } | null = null;
  let most = 0;
  for (const [text, { count, key }] of copies) {
    if (count < 2) continue;
    const name = freeName(key, taken);
    const size = tokenizer.count(text);
    const reference = tokenizer.count(serialise({ $ref: `#/$defs/${name}` }));
    const frame = Object.keys(taken).length === 0 ? '"$defs":{"":},' : '"":,';
    const saved = count * (size - reference) - size - tokenizer.count(name + frame);
    if (saved > most) {
      most = saved;
      best = { text, name };
    }
  }
  return best;
}

/** Subschemas with what they are called by: the nearest property or definition. */
function named(schema: Schema, key: string): [string, Schema][] {
  return Object.entries(schema).flatMap(([keyword, value]): [string, Schema][] => {
    if (MAP.has(keyword) && isObject(value)) {
      return Object.entries(value).flatMap(([name, child]) =>
        isObject(child) ? [[name, child] as [string, Schema]] : [],
      );
    }
    return children({ [keyword]: value }).map((child) => [key, child]);
  });
}

function freeName(key: string, taken: object): string {
  // Characters that a JSON Pointer in a URI fragment carries as they are.
  const plain = key.replace(/[^A-Za-z0-9_.-]+/g, '_').slice(0, 40) || 'item';
  for (let n = 1; ; n++) {
    const name = n === 1 ? plain : `${plain}${n}`;
    if (!Object.hasOwn(taken, name)) return name;
  }
}

function mapChildren(schema: Schema, change: (child: Schema) => Schema): Schema {
  const each = (value: unknown) => (isObject(value) ? change(value) : value);
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      if (MAP.has(keyword) && isObject(value)) {
        const map = Object.entries(value).map(([name, child]) => [name, each(child)]);
        return [keyword, Object.fromEntries(map)];
      }
      if (LIST.has(keyword) && Array.isArray(value)) return [keyword, value.map(each)];
      return [keyword, ONE.has(keyword) ? each(value) : value];
    }),
  );
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/));
}

function without(schema: Schema, keywords: readonly string[]): Schema {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => !keywords.includes(key)));
}

function isObject(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
