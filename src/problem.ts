/**
 * The one error that this project throws on purpose: a code for programs, a message that names the
 * thing at fault, and the way to mend it. `measure` and `ledger` stay free of it (they import
 * nothing of ours) and report in their own typed results.
 */
export class Problem extends Error {
  readonly code: string;
  /** Where it is: `content/articles/x/claims.yaml:12:3`, a server's name, an entry's number. */
  readonly at: string | undefined;
  /** What the reader can do about it, in the imperative. */
  readonly mend: string | undefined;

  constructor(
    code: string,
    message: string,
    more: { at?: string; mend?: string; cause?: unknown } = {},
  ) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause });
    this.name = 'Problem';
    this.code = code;
    this.at = more.at;
    this.mend = more.mend;
  }

  /** `at: message [code]` and, on a line of its own, the mend. */
  override toString(): string {
    const head = `${this.at === undefined ? '' : `${this.at}: `}${this.message} [${this.code}]`;
    return this.mend === undefined ? head : `${head}\n  ${this.mend}`;
  }
}

const MENDS: readonly (readonly [codes: RegExp, mend: string])[] = [
  [/^(?:ENOSPC|EDQUOT)$/, 'Free some disk space and try again.'],
  [/^(?:EACCES|EPERM|EROFS)$/, 'See that you may read and write there, and try again.'],
  [
    /^ENOENT$/,
    'Name one that is there, from this folder or by its whole path, or make its folder first.',
  ],
  [/^(?:EISDIR|ENOTDIR)$/, 'Name a file where a file is wanted, and a folder where a folder is.'],
];
const mendOf = (code: string | undefined): string =>
  MENDS.find(([codes]) => codes.test(code ?? ''))?.[1] ??
  'See to what the message names, and try again.';

/** A file or folder that was named and can't be read or written, under the caller's own code. */
export function refused(code: string, cause: unknown, at: string): Problem {
  const { code: why, message } = cause as NodeJS.ErrnoException;
  return new Problem(code, why === 'ENOENT' ? 'there is no such file or folder' : message, {
    at,
    mend: mendOf(why),
    cause,
  });
}

/** The Problem that was thrown, or the one that a refused system call comes to; null for anything else, which is a bug. */
export function problemOf(error: unknown): Problem | null {
  if (error instanceof Problem) return error;
  const { code, syscall, path, message } = (error ?? {}) as NodeJS.ErrnoException;
  // A bundler written in another language passes on the words of the system alone.
  if (syscall === undefined && /\bNo space left on device\b/i.test(String(message))) {
    return new Problem('system.enospc', 'the disk is full', {
      mend: mendOf('ENOSPC'),
      cause: error,
    });
  }
  if (code === undefined || syscall === undefined) return null;
  return new Problem(`system.${code.toLowerCase()}`, message, {
    ...(path === undefined ? {} : { at: path }),
    mend: mendOf(code),
    cause: error,
  });
}
