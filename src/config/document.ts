/**
 * Reads the text of a configuration file, JSON (with comments, as editors write it) or TOML, and
 * tells where in it things stand. It must never put a piece of the text, which may be a secret,
 * into a message.
 */
import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { parse as parseToml, TomlError } from 'smol-toml';
import { Problem } from '../problem.ts';

export type Path = readonly (string | number)[];
export type Document = {
  format: 'json' | 'toml';
  value: unknown;
  /** `file:line:column` of what has this path, or of the nearest thing around it. */
  at(path: Path): string;
  /** Where comments or trailing commas make it other than strict JSON; null where nothing does. */
  loose: string | null;
  /** Every name that one object has twice: its path, once per repetition. JSON only. */
  repeated: { path: Path; at: string }[];
};

/** By what it begins with, since names are free. Throws Problem `config.syntax`. */
export function readDocument(text: string, file: string): Document {
  const body = text.replace(/^\ufeff/, '');
  const first = /[^\s]/.exec(body)?.[0];
  // A table's header begins with [ too, but no client's JSON does.
  return first === '{' || first === '/' ? readJson(body, file) : readToml(body, file);
}

function readJson(text: string, file: string): Document {
  const place = (offset: number) => {
    const before = text.slice(0, offset);
    const line = before.split('\n').length;
    return `${file}:${line}:${offset - before.lastIndexOf('\n')}`;
  };
  const lenient = { allowTrailingComma: true, disallowComments: false };
  const errors: ParseError[] = [];
  const root = orTooDeep(file, () => parseTree(text, errors, lenient));
  const error = errors[0];
  if (error !== undefined || root === undefined) {
    const words = error === undefined ? 'nothing in it' : printParseErrorCode(error.error);
    throw new Problem('config.syntax', `not JSON: ${spaced(words)}`, {
      at: place(error?.offset ?? 0),
      mend: 'Comments and trailing commas are taken; look just before that place.',
    });
  }
  const strictly: ParseError[] = [];
  parseTree(text, strictly, { allowTrailingComma: false, disallowComments: true });
  const repeated: Document['repeated'] = [];
  return {
    format: 'json',
    value: toValue(root, [], (path, offset) => repeated.push({ path, at: place(offset) })),
    at: (path) => place(offsetOf(root, path)),
    loose: strictly[0] === undefined ? null : place(strictly[0].offset),
    repeated,
  };
}

/** The value, the last of what is named twice, as JSON.parse has it. */
function toValue(node: Node, path: Path, twice: (path: Path, offset: number) => void): unknown {
  const { children = [] } = node;
  if (node.type === 'array') return children.map((child, i) => toValue(child, [...path, i], twice));
  if (node.type !== 'object') return node.value;
  const found = new Map<string, unknown>();
  for (const { children: pair = [] } of children) {
    const [key, value] = pair;
    if (key === undefined || value === undefined) continue;
    const name = String(key.value);
    if (found.has(name)) twice([...path, name], key.offset);
    found.set(name, toValue(value, [...path, name], twice));
  }
  // A member may be called __proto__; fromEntries makes it one like any other.
  return Object.fromEntries(found);
}

function offsetOf(root: Node, path: Path): number {
  let node = root;
  let offset = root.offset;
  for (const step of path) {
    const { children = [] } = node;
    const child =
      typeof step === 'number'
        ? children[step]
        : children.findLast(({ children: pair }) => pair?.[0]?.value === step);
    if (child === undefined) break;
    offset = child.offset;
    node = child.type === 'property' ? (child.children?.[1] ?? child) : child;
  }
  return offset;
}

function readToml(text: string, file: string): Document {
  try {
    const value: unknown = orTooDeep(file, () => parseToml(text));
    return {
      format: 'toml',
      value,
      at: (path) => tomlPlace(text, file, path),
      loose: null,
      repeated: [],
    };
  } catch (cause) {
    if (!(cause instanceof TomlError)) throw cause;
    // Only the first line: what follows is a piece of the file.
    const what = cause.message.split('\n', 1)[0]!.replace(/^Invalid TOML document: /, '');
    throw new Problem('config.syntax', `neither JSON nor TOML: ${what}`, {
      at: `${file}:${cause.line}:${cause.column}`,
      mend: 'A table or key may stand there only once; strings want quotes.',
    });
  }
}

/** Nothing keeps the places of TOML: its headers and keys are looked for, each on a line. */
function tomlPlace(text: string, file: string, path: Path): string {
  const lines = text.split('\n');
  const steps = path.map(String);
  for (let depth = steps.length; depth > 0; depth--) {
    const header = lines.findIndex(
      (line) =>
        HEADER.test(line) && steps.slice(0, depth).every((step, i) => keys(line)[i] === step),
    );
    if (header === -1) continue;
    const rest = lines.slice(header + 1);
    const end = rest.findIndex((line) => HEADER.test(line));
    const within = end === -1 ? rest : rest.slice(0, end);
    const own = within.findIndex((line) => depth < steps.length && keys(line)[0] === steps[depth]);
    return `${file}:${header + 1 + (own + 1)}:1`;
  }
  return file;
}

const HEADER = /^\s*\[[^,=]*\]\s*(?:#.*)?$/;

/** The parts of a header's name, or of the key that a line begins with. */
function keys(line: string): string[] {
  const name = HEADER.test(line) ? line : line.split('=', 1)[0]!;
  return [...name.matchAll(/"([^"]*)"|'([^']*)'|([\w-]+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? '',
  );
}

function orTooDeep<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new Problem('config.syntax', 'nested too deeply to be a configuration', { at: file });
  }
}

function spaced(code: string): string {
  return code.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
}
