/**
 * Reads the source of an article's figures.ts and says what keeps it from being a pure function of
 * captures that a browser can run. Pure; a check for mistakes, not a sandbox.
 */
import { posix } from 'node:path';
import { Problem } from '../problem.ts';
import { place } from './prose.ts';

const COMMENT_OR_STRING = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/g;
/** A word of the language, not one that stands in a string. */
const IMPORT = /(?<![\w$.'"])(?:from|import)\s*(['"])([^'"\n]+)\1/g;
const IMPURE =
  /(?<![\w$.])(?:Date|Math\s*\.\s*random|fetch|process|globalThis|performance|crypto|require|eval|setTimeout|setInterval|XMLHttpRequest|WebSocket|import(?=\s*\()|import\s*\.\s*meta|await)(?![\w$])/g;

/** Problems `figures.import` and `figures.impure`, each at its line and column. */
export function purityProblems(file: string, source: string): Problem[] {
  const blank = (text: string): string => text.replace(/[^\n]/g, ' ');
  const code = source.replace(COMMENT_OR_STRING, (text) =>
    text.startsWith('/') ? blank(text) : text,
  );
  const problems: Problem[] = [];
  for (const match of code.matchAll(IMPORT)) {
    const path = match[2]!;
    const target = posix.join(posix.dirname(file), path);
    if (path.startsWith('.') && /^src\/measure\/[\w-]+\.ts$/.test(target)) continue;
    problems.push(
      new Problem('figures.import', `${path} is not in src/measure`, {
        at: place(file, source, match.index),
        mend: 'Import from src/measure alone: a browser runs the same module.',
      }),
    );
  }
  for (const match of code.replace(COMMENT_OR_STRING, blank).matchAll(IMPURE)) {
    problems.push(
      new Problem('figures.impure', `${match[0]} in a pure function of captures`, {
        at: place(file, source, match.index),
        mend: 'Work with what the captures hold; a figure must come out the same anywhere, at any time.',
      }),
    );
  }
  return problems;
}
