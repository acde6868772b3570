/**
 * Placeholders in configurations: `${VAR}` and `${VAR:-default}` of Claude Code, `${env:VAR}`,
 * `${input:id}` and `${workspaceFolder}` of the editors. It must never put a value into a problem.
 */
import { sep } from 'node:path';
import { Problem } from '../problem.ts';
import type { Path } from './document.ts';

/** What placeholders are filled from. */
export type Surroundings = {
  env: Readonly<Record<string, string | undefined>>;
  /** For `${userHome}`. */
  home?: string;
  /** For `${workspaceFolder}`. */
  workspace?: string;
  /** For `${input:id}`: answers that an editor would ask for. */
  inputs?: Readonly<Record<string, string>>;
};

type Part =
  | string
  | { variable: string; fallback?: string }
  | { input: string }
  | { known: string }
  | { unknown: string };

/** A text with placeholders: as the file has it, in parts, and where it stands in its entry. */
export type Template = { written: string; parts: Part[]; path: Path };

const EDITORS = new Set([
  'workspaceFolder',
  'workspaceFolderBasename',
  'userHome',
  'pathSeparator',
  '/',
]);

/** The text as it is; clients without placeholders take `${` for itself. */
export function literal(text: string, path: Path): Template {
  return { written: text, parts: [text], path };
}

/** A variable's value, as Codex has it by name. */
export function variable(name: string, path: Path, before = ''): Template {
  return { written: `${before}\${${name}}`, parts: [before, { variable: name }], path };
}

export function parseTemplate(text: string, path: Path): Template {
  const parts: Part[] = [];
  let from = 0;
  for (const { 0: all, 1: inner = '', index } of text.matchAll(/\$\{([^{}]*)\}/g)) {
    parts.push(text.slice(from, index), part(inner));
    from = index + all.length;
  }
  parts.push(text.slice(from));
  return { written: text, parts, path };
}

function part(inner: string): Part {
  const [, name, fallback] = /^(?:env:)?([A-Za-z_]\w*)(?::-(.*))?$/s.exec(inner) ?? [];
  if (EDITORS.has(inner)) return { known: inner };
  if (name !== undefined)
    return { variable: name, ...(fallback === undefined ? {} : { fallback }) };
  const [, input] = /^input:([\w.-]+)$/.exec(inner) ?? [];
  if (input !== undefined) return { input };
  // The kind alone: the rest is whatever somebody wrote there.
  return { unknown: /^[A-Za-z]{1,20}(?=:)/.exec(inner)?.[0] ?? '' };
}

/**
 * The text with its placeholders filled, or null and, told to `wrong`, each that cannot be: Problem
 * `config.missing-variable`, `config.missing-input`, `config.unknown-placeholder`.
 */
export function fill(
  { parts }: Template,
  around: Surroundings,
  at: string,
  wrong: (problem: Problem) => void,
): string | null {
  const texts = parts.map((one) => {
    if (typeof one === 'string') return one;
    const found = lookUp(one, around);
    if (typeof found === 'string') return found;
    wrong(new Problem(found.code, found.message, { at, mend: found.mend }));
    return null;
  });
  return texts.includes(null) ? null : texts.join('');
}

function lookUp(
  one: Exclude<Part, string>,
  { env, home, workspace, inputs }: Surroundings,
): string | { code: string; message: string; mend: string } {
  if ('variable' in one) {
    const value = Object.hasOwn(env, one.variable) ? env[one.variable] : undefined;
    return (
      value ??
      one.fallback ?? {
        code: 'config.missing-variable',
        message: `the environment variable ${one.variable} is not set`,
        mend: `Set ${one.variable} before weighing.`,
      }
    );
  }
  if ('input' in one) {
    const given = Object.hasOwn(inputs ?? {}, one.input) ? inputs?.[one.input] : undefined;
    return (
      given ?? {
        code: 'config.missing-input',
        message: `the editor would ask for the input ${one.input}`,
        mend: `Put an environment variable in its place: \${env:NAME}.`,
      }
    );
  }
  if ('unknown' in one) {
    return {
      code: 'config.unknown-placeholder',
      message: `a placeholder of an unknown kind${one.unknown === '' ? '' : `, ${one.unknown}:`}`,
      mend: `Known are \${VAR}, \${VAR:-default}, \${env:VAR}, \${input:id}, \${workspaceFolder}, \${userHome}.`,
    };
  }
  const value = {
    workspaceFolder: workspace,
    workspaceFolderBasename: workspace?.split(/[/\\]/).findLast(Boolean),
    userHome: home,
    pathSeparator: sep,
    '/': sep,
  }[one.known];
  return (
    value ?? {
      code: 'config.missing-variable',
      message: `\${${one.known}} has no value here`,
      mend: 'Write the path out.',
    }
  );
}
