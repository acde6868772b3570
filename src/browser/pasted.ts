/**
 * What a reader pasted or dropped, weighed: a list of tools, a lock file, a report of `weigh --json`,
 * or a client's configuration, which no page can run. Pure; text and tokenizer come in, and it must
 * never give a value of a configuration back, which may be a secret.
 */
import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser';
import { type Collision, findCollisions } from '../measure/collisions.ts';
import { type Cut, cutsOf } from '../measure/cuts.ts';
import type { Tool } from '../measure/figure.ts';
import { readLock } from '../measure/gate.ts';
import { parseCatalogue } from '../measure/payload.ts';
import { valueAt } from '../measure/repeats.ts';
import { Report } from '../measure/report.ts';
import { type Shape, shapeTools } from '../measure/shape.ts';
import type { Tokenizer } from '../measure/tokens.ts';
import { tokensMethod, weigh } from '../measure/weigh.ts';
import { firstLine } from '../render/printable.ts';

export interface OwnTool {
  name: string;
  total: number;
  /** Name, description, schema; null where only the total is known. */
  parts: readonly [number, number, number] | null;
}
export interface Own {
  server: string;
  tools: number;
  upfront: number;
  /** Of the names alone. */
  deferred: number;
  /** The costliest first, at most TOOLS of them; empty where a report does not name them. */
  perTool: OwnTool[];
}
export interface OwnRepeat {
  copies: number;
  bytes: number;
  /** The first tool that holds it. */
  tool: string;
  excerpt: string;
}

export type Pasted =
  | {
      kind: 'weighed';
      what: 'list' | 'lock file' | 'report';
      method: string;
      servers: Own[];
      /** Null where there is no definition to look into. */
      details: { bytes: number; redundantBytes: number; repeats: OwnRepeat[]; cuts: Cut[] } | null;
      collisions: Collision[];
    }
  | { kind: 'config'; servers: string[] }
  | { kind: 'fault'; message: string; at: { line: number; column: number; text: string } | null };

/** Tools and repeats that are listed; the others are counted. */
const TOOLS = 200;
const REPEATS = 8;
const NAME = 80;
const EXCERPT = 200;

export interface Weighing {
  /** What the server is called in `mcp__<server>__<tool>`. */
  server: string;
  shape: Shape;
  tokenizer: Tokenizer;
}

/** Never throws: what can't be weighed is a fault that says why. */
export function weighPasted(text: string, as: Weighing): Pasted {
  const body = text.replace(/^\ufeff/, '');
  if (body.trim() === '') return fault('there is nothing in it');
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch (error) {
    return notOneValue(body, error as SyntaxError, as);
  }
  try {
    return weighValue(value, body, as);
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof RangeError)) throw error;
    return fault(error.message);
  }
}

const fault = (message: string): Pasted => ({ kind: 'fault', message, at: null });

/** Captured pages, a line each; a configuration with comments, or in TOML; else where it stops being JSON. */
function notOneValue(body: string, error: SyntaxError, as: Weighing): Pasted {
  const page = badPage(body);
  if (page === null) {
    try {
      return weighTools(parseCatalogue(new TextEncoder().encode(body)), as);
    } catch (cause) {
      if (!(cause instanceof SyntaxError || cause instanceof RangeError)) throw cause;
      return fault(cause.message);
    }
  }
  const tables = [...body.matchAll(/^\s*\[mcp_servers\.("?)([^\]".]+)\1\]/gm)];
  if (tables.length > 0) return config(tables.map(([, , name = '']) => name));
  const lenient: ParseError[] = [];
  const loose: unknown = parse(body, lenient, { allowTrailingComma: true });
  const named = lenient.length === 0 ? configured(loose) : null;
  if (named !== null) return config(named);
  return notJson(body, page, error);
}

/**
 * Of a text with one JSON value a line: where the first line begins that is none, or null where every
 * line is one. 0 for any other text.
 */
function badPage(body: string): number | null {
  let start = 0;
  for (const line of body.trimEnd().split('\n')) {
    try {
      JSON.parse(line);
    } catch {
      return start;
    }
    start += line.length + 1;
  }
  return null;
}

/** Where the value that begins at `start` stops being JSON, and why. */
function notJson(body: string, start: number, error: SyntaxError): Pasted {
  const errors: ParseError[] = [];
  parse(body.slice(start), errors, { disallowComments: true });
  const [first] = errors;
  const offset = first?.offset ?? Number(/position (\d+)/.exec(error.message)?.[1] ?? 0);
  const words = first === undefined ? error.message : spaced(printParseErrorCode(first.error));
  return { kind: 'fault', message: `it is not JSON: ${words}`, at: placeOf(body, start + offset) };
}

/** `ValueExpected` → `value expected`. */
const spaced = (name: string) => name.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();

/** Line and column from one, and the line's text around there with a mark before the place. */
function placeOf(text: string, offset: number): { line: number; column: number; text: string } {
  const before = text.slice(0, offset);
  const start = before.lastIndexOf('\n') + 1;
  const end = text.indexOf('\n', offset);
  const from = Math.max(start, offset - 40);
  const upTo = Math.min(end === -1 ? text.length : end, offset + 40);
  return {
    line: before.split('\n').length,
    column: offset - start + 1,
    text: firstLine(`${text.slice(from, offset)}▸${text.slice(offset, upTo)}`, 2 * 40 + 1),
  };
}

function weighValue(value: unknown, body: string, as: Weighing): Pasted {
  if (hasKey(value, 'lock_version')) return weighLock(body, as);
  if (hasKey(value, 'kind') && !Array.isArray(value['tools'])) return weighReport(value);
  const named = configured(value);
  if (named !== null) return config(named);
  return weighTools(parseCatalogue(new TextEncoder().encode(body)), as);
}

function weighTools(tools: Tool[], as: Weighing): Pasted {
  if (tools.length === 0) return fault('its list of tools is empty');
  const weight = weigh(tools, as);
  const sent = shapeTools(tools, as.shape, as.server).map((tool) => tool.sent);
  const { blocks, redundantBytes } = weight.duplicates;
  return {
    kind: 'weighed',
    what: 'list',
    method: tokensMethod(weight),
    servers: [
      {
        server: as.server,
        tools: weight.tools,
        upfront: weight.tokens.total,
        deferred: weight.tokens.name,
        perTool: weight.perTool.slice(0, TOOLS).map((tool) => ({
          name: shown(tool.name),
          total: tool.total,
          parts: [tool.name_tokens, tool.description_tokens, tool.schema_tokens],
        })),
      },
    ],
    details: {
      bytes: weight.bytes,
      redundantBytes,
      repeats: blocks.slice(0, REPEATS).map(({ path, copies, bytes }) => ({
        ...{ copies, bytes, tool: shown(tools[Number(path.split('/')[1])]?.name ?? '') },
        excerpt: firstLine(JSON.stringify(valueAt(sent, path)) ?? '', EXCERPT),
      })),
      cuts: cutsOf(tools, weight, as).map((cut) => ({ ...cut, tools: cut.tools.map(shown) })),
    },
    collisions: [],
  };
}

const shown = (name: string): string => firstLine(name, NAME);

function weighLock(body: string, { tokenizer }: Weighing): Pasted {
  const read = readLock(body);
  if ('fault' in read) return fault(read.fault);
  const { method, servers } = read.lock;
  return {
    kind: 'weighed',
    what: 'lock file',
    method,
    servers: servers.map(({ server, tokens, tools }) => ({
      server: shown(server),
      tools: tools.length,
      upfront: tokens,
      deferred: tools.reduce(
        (sum, { name }) => sum + tokenizer.count(`mcp__${server}__${name}`),
        0,
      ),
      perTool: tools
        .toSorted((a, b) => b.tokens - a.tokens)
        .slice(0, TOOLS)
        .map(({ name, tokens: total }) => ({ name: shown(name), total, parts: null })),
    })),
    details: null,
    collisions: findCollisions(
      servers.map(({ server, tools }) => ({ server, tools: tools.map(({ name }) => name) })),
    ),
  };
}

function weighReport(value: unknown): Pasted {
  const { data: report, error } = Report.safeParse(value);
  if (report === undefined) {
    const [issue] = error.issues;
    return fault(`it is no report of weigh: ${issue?.path.join('.') || 'it'}: ${issue?.message}`);
  }
  if (report.kind === 'skills') return fault('it is a report on skills; those define no tools');
  const method = report.kind === 'bill' ? report.method : tokensMethod(report);
  const servers: Own[] =
    report.kind === 'bill'
      ? report.servers.map((one) => ({
          ...{ server: shown(one.server), tools: one.tools, upfront: one.tokens },
          ...{ deferred: one.name_tokens, perTool: [] },
        }))
      : [
          {
            ...{ server: shown(report.server), tools: report.tools, upfront: report.tokens.total },
            deferred: report.tokens.name,
            perTool: report.perTool.slice(0, TOOLS).map((tool) => ({
              ...{ name: shown(tool.name), total: tool.total },
              parts: [tool.name_tokens, tool.description_tokens, tool.schema_tokens],
            })),
          },
        ];
  const collisions = report.kind === 'bill' ? report.collisions : [];
  return { kind: 'weighed', what: 'report', method, servers, details: null, collisions };
}

const config = (names: string[]): Pasted => ({ kind: 'config', servers: names.map(shown) });

/** Names of the servers that a client is configured with; null where it is no such configuration. */
function configured(value: unknown): string[] | null {
  const found = ['mcpServers', 'servers', 'mcp_servers', 'context_servers', 'mcp'].flatMap(
    (key) => {
      const map = hasKey(value, key) ? value[key] : undefined;
      const inner = hasKey(map, 'servers') ? map['servers'] : map;
      return typeof inner === 'object' && inner !== null && !Array.isArray(inner)
        ? [Object.keys(inner)]
        : [];
    },
  );
  const projects = hasKey(value, 'projects') ? Object.values(value['projects'] ?? {}) : [];
  const below = projects.flatMap((one) => configured(one) ?? []);
  if (found.length === 0 && below.length === 0) return null;
  return [...new Set([...found.flat(), ...below])];
}

function hasKey(value: unknown, key: string): value is Record<string, unknown> {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.hasOwn(value, key)
  );
}
