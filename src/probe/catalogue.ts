/**
 * Looks a tools list over for what will trouble a client. Pure; it only reports, and must never
 * drop or mend a tool: what a server really sends is what gets weighed.
 */
import type { Warning } from './stdio.ts';

/** The characters and length that MCP 2025-11-25 allows in a tool's name. */
const NAME = /^[A-Za-z0-9_.-]{1,128}$/;
/** Characters; past it a description is a page of text that every request pays for. */
export const LONG_DESCRIPTION = 8192;
/** Levels of nesting that are walked. JSON may nest without end, our stack may not. */
export const DEEP_SCHEMA = 200;
/** How many warnings are kept; a list of 10,000 bad tools says the same thing 10,000 times. */
export const WARNINGS = 50;

/**
 * Codes: tool-not-object, name-missing, name-invalid, name-duplicate, name-collision,
 * description-missing, description-long, schema-missing, schema-not-object, schema-deep,
 * ref-recursive, ref-dangling, ref-remote, and `more` when there were more than WARNINGS.
 */
export function checkCatalogue(tools: readonly unknown[]): Warning[] {
  const warnings: Warning[] = [];
  const warn = (code: string, message: string) => warnings.push({ code, message });
  const exact = new Map<string, number>();
  const alike = new Map<string, Set<string>>();
  for (const [index, tool] of tools.entries()) {
    if (!isObject(tool)) {
      warn('tool-not-object', `tool ${index} is not an object`);
      continue;
    }
    const { name, description, inputSchema } = tool;
    const label = typeof name === 'string' && name !== '' ? shorten(name) : `tool ${index}`;
    if (typeof name !== 'string' || name === '') {
      warn('name-missing', `tool ${index} has no name`);
    } else {
      if (!NAME.test(name)) warn('name-invalid', `${label}: not a name that MCP allows`);
      exact.set(name, (exact.get(name) ?? 0) + 1);
      const plain = name.toLowerCase().replaceAll(/[-_.]/g, '');
      alike.set(plain, (alike.get(plain) ?? new Set()).add(name));
    }
    if (typeof description !== 'string' || description.trim() === '') {
      warn('description-missing', `${label}: no description`);
    } else if (description.length > LONG_DESCRIPTION) {
      warn('description-long', `${label}: a description of ${description.length} characters`);
    }
    if (inputSchema === undefined) warn('schema-missing', `${label}: no inputSchema`);
    else if (!isObject(inputSchema) || inputSchema.type !== 'object') {
      warn('schema-not-object', `${label}: its inputSchema does not describe an object`);
    }
    if (isObject(inputSchema)) {
      for (const { code, message } of checkSchema(inputSchema)) warn(code, `${label}: ${message}`);
    }
  }
  for (const [name, count] of exact) {
    if (count > 1) warn('name-duplicate', `${shorten(name)} is listed ${count} times`);
  }
  for (const names of alike.values()) {
    if (names.size < 2) continue;
    const list = [...names].slice(0, 5).map(shorten).join(', ');
    warn('name-collision', `differ only in case, -, _ or .: ${list}`);
  }
  if (warnings.length <= WARNINGS) return warnings;
  const rest = warnings.length - WARNINGS;
  return [...warnings.slice(0, WARNINGS), { code: 'more', message: `and ${rest} more warnings` }];
}

/** Keywords whose values are maps from names to schemas, and those whose values are plain data. */
const MAPS = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
]);
const DATA = new Set(['enum', 'const', 'default', 'examples']);

/** One warning for each code: where a schema recurs once it usually recurs often. */
function checkSchema(root: JsonObject): Warning[] {
  const found = new Map<string, string>();
  const warn = (code: string, message: string) => found.has(code) || found.set(code, message);
  const done = new Set<object>();
  const open = new Set<object>();
  const anchors = new Map<string, object>();
  const followRef = (ref: string, depth: number) => {
    if (!ref.startsWith('#')) return warn('ref-remote', `$ref to ${shorten(ref)}, outside itself`);
    const target = resolvePointer(root, ref) ?? anchors.get(ref);
    if (!isObject(target))
      return warn('ref-dangling', `$ref to ${shorten(ref)}, which is not there`);
    if (open.has(target)) return warn('ref-recursive', `$ref to ${shorten(ref)} contains itself`);
    return walk(target, depth + 1);
  };
  const walk = (node: unknown, depth: number, map = false): void => {
    if (typeof node !== 'object' || node === null || done.has(node) || open.has(node)) return;
    if (depth > DEEP_SCHEMA) return void warn('schema-deep', `nested past ${DEEP_SCHEMA} levels`);
    open.add(node);
    for (const [key, value] of Object.entries(node)) {
      if (!map && DATA.has(key)) continue;
      if (!map && key === '$ref' && typeof value === 'string') followRef(value, depth);
      else walk(value, depth + 1, !map && MAPS.has(key));
    }
    open.delete(node);
    done.add(node);
  };
  collectAnchors(root, anchors);
  walk(root, 0);
  return [...found].map(([code, message]) => ({ code, message }));
}

function collectAnchors(node: unknown, anchors: Map<string, object>, depth = 0): void {
  if (typeof node !== 'object' || node === null || depth > DEEP_SCHEMA) return;
  if (isObject(node) && typeof node.$anchor === 'string') anchors.set(`#${node.$anchor}`, node);
  for (const value of Object.values(node)) collectAnchors(value, anchors, depth + 1);
}

/** RFC 6901 in the fragment of a URI. */
function resolvePointer(root: object, ref: string): unknown {
  if (ref !== '#' && !ref.startsWith('#/')) return undefined;
  let node: unknown = root;
  for (const part of ref.split('/').slice(1)) {
    const key = decode(part).replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof node !== 'object' || node === null || !Object.hasOwn(node, key)) return undefined;
    node = Reflect.get(node, key);
  }
  return node;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

interface JsonObject {
  [key: string]: unknown;
  type?: unknown;
  $anchor?: unknown;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function shorten(text: string): string {
  return text.length <= 80 ? text : `${text.slice(0, 80)}…`;
}
