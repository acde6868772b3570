/**
 * Reads YAML that people write: checked against a schema, every fault with file, line and column.
 * Pure; it never guesses: a duplicate or unknown key is a fault, not a choice.
 */
import { type Document, isScalar, LineCounter, parseDocument } from 'yaml';
import type { z } from 'zod';
import { Problem } from '../problem.ts';
import { type Prose, place } from './prose.ts';

type Path = readonly (string | number)[];

export interface Yaml<T> {
  /** Null when there are problems. */
  value: T | null;
  problems: Problem[];
  /** `file:line:column` of the node at a path. */
  at(...path: Path): string;
  /** The string at a path as prose; empty when there is none. */
  prose(...path: Path): Prose[];
}

/** Text that can be pinned: NFC, no byte order mark. */
export function textProblems(file: string, source: string): Problem[] {
  if (source.startsWith('\uFEFF')) {
    return [
      new Problem('text.bom', 'the file begins with a byte order mark', {
        at: `${file}:1:1`,
        mend: 'Save it as UTF-8 without one.',
      }),
    ];
  }
  if (source === source.normalize('NFC')) return [];
  const line = source.split('\n').findIndex((text) => text !== text.normalize('NFC'));
  return [
    new Problem('text.nfc', 'the text is not in Unicode NFC', {
      at: `${file}:${line + 1}:1`,
      mend: 'Normalise it: one look must have one hash.',
    }),
  ];
}

/**
 * Parses and checks. `range` picks a part of the source (front matter), positions stay those of the
 * whole file. An empty document is null to the schema.
 */
export function readYaml<T>(
  file: string,
  source: string,
  schema: z.ZodType<T>,
  range: { start: number; end: number } = { start: 0, end: source.length },
): Yaml<T> {
  const lines = new LineCounter();
  const document: Document.Parsed = parseDocument(source.slice(range.start, range.end), {
    lineCounter: lines,
    prettyErrors: false,
    uniqueKeys: true,
    strict: true,
  });
  const node = (path: Path) => document.getIn(path, true);
  const offset = (path: Path): number => {
    // The nearest ancestor that stands in the file: a missing key has no place of its own.
    for (let length = path.length; length > 0; length--) {
      const found = node(path.slice(0, length));
      if (found !== null && typeof found === 'object' && 'range' in found && found.range) {
        return range.start + (found.range as [number, number, number])[0];
      }
    }
    return range.start;
  };
  const at = (...path: Path) => place(file, source, offset(path));
  // One slip makes many errors; all but the first are noise.
  const problems = [...document.errors, ...document.warnings].slice(0, 1).map(
    (error) =>
      new Problem('yaml.syntax', error.message, {
        at: place(file, source, range.start + error.pos[0]),
        mend: 'Mend the YAML there.',
      }),
  );
  let value: T | null = null;
  let raw: unknown;
  try {
    if (problems.length === 0) raw = document.toJS();
  } catch (cause) {
    // Names for what stands elsewhere, one within the other, would grow without end.
    problems.push(
      new Problem('yaml.syntax', (cause as Error).message, {
        at: file,
        mend: 'Write it out, without `&` and `*`.',
        cause,
      }),
    );
  }
  if (problems.length === 0) {
    const checked = schema.safeParse(raw);
    if (checked.success) value = checked.data;
    else {
      for (const issue of checked.error.issues) {
        const path = issue.path.filter((key) => typeof key !== 'symbol');
        const unknown = issue.code === 'unrecognized_keys' ? issue.keys : [];
        problems.push(
          new Problem(
            unknown.length > 0 ? 'yaml.unknown-key' : 'yaml.invalid',
            `${path.length > 0 ? `${path.join('.')}: ` : ''}${issue.message}`,
            {
              at: at(...path, ...unknown.slice(0, 1)),
              mend: 'Write what the schema asks for there.',
            },
          ),
        );
      }
    }
  }
  const prose = (...path: Path): Prose[] => {
    const found = node(path);
    if (!isScalar(found) || typeof found.value !== 'string' || !found.range) return [];
    const [start, end] = [range.start + found.range[0], range.start + found.range[1]];
    return [{ file, source, start, end, text: found.value, slots: true }];
  };
  return { value, problems, at, prose };
}
