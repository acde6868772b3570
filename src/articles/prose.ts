/**
 * A run of prose as an author wrote it, with the place in its file: what the parsers hand to the
 * number lint, and how any place in a file is named. Pure.
 */

export interface Prose {
  /** Path from the project's root. */
  file: string;
  /** The whole file, and the range of it in which the text stands. */
  source: string;
  start: number;
  end: number;
  /** The text as a reader sees it (escapes and entities undone). */
  text: string;
  /** It may hold `{figure.id}` slots. */
  slots?: boolean;
  /** It begins a heading, so its first number may be the heading's own ordinal. */
  heading?: boolean;
  /** A comment right behind it says why its last number is not a figure. */
  excused?: boolean;
}

/** `file:line:column` of an offset (UTF-16 units); line and column count from one. */
export function place(file: string, source: string, offset: number): string {
  const before = source.slice(0, offset);
  const line = before.split('\n').length;
  return `${file}:${line}:${offset - before.lastIndexOf('\n')}`;
}

/**
 * The place of `needle` at `index` in a prose's text. Text and source differ by escapes and folding,
 * so the same occurrence is looked for in the source; where an escape hides it, the run's start is
 * named.
 */
export function placeIn(prose: Prose, needle: string, index: number): string {
  const nth = prose.text.slice(0, index).split(needle).length;
  let offset = prose.start - 1;
  for (let i = 0; i < nth; i++) {
    offset = prose.source.indexOf(needle, offset + 1);
    if (offset === -1 || offset >= prose.end) {
      return place(prose.file, prose.source, prose.start);
    }
  }
  return place(prose.file, prose.source, offset);
}

/** Where in `file`, a module, something was thrown or led to it, as the stack has it; else the file. */
export function placeThrown(file: string, cause: unknown): string {
  const stack = cause instanceof Error ? (cause.stack ?? '') : '';
  const from = stack.indexOf(file);
  const [, line, column] =
    /^(?:\?[^\s:]*)?:(\d+)(?::(\d+))?/.exec(stack.slice(from + file.length)) ?? [];
  if (from === -1 || line === undefined) return file;
  return `${file}:${line}${column === undefined ? '' : `:${column}`}`;
}

/** Where a word stands first in a file; the file, where it does not. */
export function placeOfWord(file: string, source: string, word: string): string {
  for (let at = source.indexOf(word); at !== -1; at = source.indexOf(word, at + 1)) {
    const around = `${source[at - 1] ?? ''} ${source[at + word.length] ?? ''}`;
    if (!/[\w$]/.test(around)) return place(file, source, at);
  }
  return file;
}
