/**
 * How a script that stands for a verb runs and ends: what is said of an error, and the exit code. A wrong
 * use is told with the verb's usage, a Problem in its own words; a bug is thrown on, never told as either.
 */
import './pipe.ts';
import { COMMANDS, type Command, help, type Verb } from './commands.ts';
import { clean } from './intake/post.ts';
import { shown } from './intake/shown.ts';
import type { Stamp } from './ledger/batch.ts';
import { Problem, problemOf } from './problem.ts';
import { printable } from './render/printable.ts';

/** The command line asks for what can't be meant. */
export class Usage extends Error {}

/** What node:util throws for options that it does not know counts as a wrong use too. */
const isUsage = (error: unknown): error is Error =>
  error instanceof Usage ||
  (error instanceof TypeError &&
    String((error as NodeJS.ErrnoException).code).startsWith('ERR_PARSE_ARGS'));

/** Options that npm may have been given for reasons of its own, and without which nothing else is done. */
const HARMLESS = /^(?:help|json|force)$/;

/**
 * npm keeps options that stand before a lone `--` for itself: a run that was meant to be dry would
 * record. Throws Usage for one that changes what is done.
 */
function refuseTaken(verb: Verb, env: NodeJS.ProcessEnv = process.env): void {
  const { options, npm }: Command = COMMANDS[verb];
  for (const [name, { type }] of Object.entries(options)) {
    const taken = env[`npm_config_${name.replaceAll('-', '_')}`] === 'true';
    if (type === 'boolean' && taken && !HARMLESS.test(name)) {
      throw new Usage(`npm took --${name} for itself: write \`${npm} --${name}\``);
    }
  }
}

/**
 * Runs `act` for a verb, or for what is a tool of ours alone and has its own usage. Ends with the exit
 * code that `act` gives (none: 0), with 2 for a wrong use, and for a Problem with the code that `exits`
 * names for it, else 1.
 */
export async function script(
  what: Verb | { usage: string },
  act: () => Promise<number | undefined> | Promise<void>,
  exits: Readonly<Record<string, number>> = {},
): Promise<void> {
  try {
    if (typeof what === 'string') refuseTaken(what);
    process.exitCode = (await act()) ?? 0;
  } catch (error) {
    const problem = problemOf(error);
    if (isUsage(error)) {
      const usage = typeof what === 'string' ? help(what) : what.usage;
      console.error(`${error.message}\n\n${usage.trimEnd()}`);
      process.exitCode = 2;
    } else if (problem !== null) {
      console.error(problem.toString());
      process.exitCode = exits[problem.code] ?? 1;
    } else throw error;
  }
}

/** Aborts at the first Ctrl-C; the second ends at once, and children die with us. */
export function interruption(): AbortSignal {
  const abort = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (abort.signal.aborted) process.exit(130);
      abort.abort();
    });
  }
  return abort.signal;
}

/** The port that a text names, from `least` to 65535. Throws Usage. */
export function portNumber(text: string, least = 0): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port >= least && port <= 65_535) return port;
  throw new Usage(`a port is a number from ${least} to 65535, not ${printable(text)}`);
}

/** The folder that the user stands in, from which files are named: npm runs our own script in the package's. */
export function userFolder(verb: Verb): string {
  const { INIT_CWD, npm_lifecycle_event: event, npm_package_name: name } = process.env;
  return (event === verb && name === 'weighbridge' && INIT_CWD) || process.cwd();
}

/** The first character of a text that would not show, or would hide or move others, as U+202E; null where there is none. */
function hidden(text: string): string | null {
  const found = [...text].find((character) => shown(character) !== character);
  if (found === undefined) return null;
  return `U+${found.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** An option's text as it is recorded, empty where nothing was given. Throws Usage for one that hides something. */
export function said(option: string, text = ''): string {
  const cleaned = clean(text);
  const odd = hidden(cleaned);
  if (odd !== null) throw new Usage(`--${option} holds ${odd}, which readers would not see`);
  return cleaned;
}

/** Characters of a name. */
const LONGEST = 100;

/**
 * Who records now (WEIGHBRIDGE_ACTOR, else weighbridge), and when: `ts`, where the run began before.
 * Throws Problem `actor.bad`.
 */
export function stampNow(ts = new Date().toISOString()): Stamp {
  const actor = (process.env['WEIGHBRIDGE_ACTOR'] || 'weighbridge').normalize('NFC');
  const odd = hidden(actor) ?? (/[\n\t]/.test(actor) ? 'a tab or the end of a line' : null);
  const why =
    odd !== null
      ? `it holds ${odd}`
      : actor.trim() !== actor
        ? 'there is space around it'
        : actor.length > LONGEST
          ? `it has more than ${LONGEST} characters`
          : null;
  if (why === null) return { actor, ts };
  throw new Problem('actor.bad', `WEIGHBRIDGE_ACTOR can't be recorded for ever: ${why}`, {
    mend: `Name who records in at most ${LONGEST} characters on one line; unset, it is weighbridge.`,
  });
}
