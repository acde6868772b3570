/**
 * How a script that stands for a verb runs and ends: what is said of an error, and the exit code. A wrong
 * use is told with the verb's usage, a Problem in its own words; a bug is thrown on, never told as either.
 */
import './pipe.ts';
import { COMMANDS, type Command, help, type Verb } from './commands.ts';
import type { Stamp } from './ledger/batch.ts';
import { problemOf } from './problem.ts';
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

/** Who records now (WEIGHBRIDGE_ACTOR, else weighbridge), and when: `ts`, where the run began before. */
export const stampNow = (ts = new Date().toISOString()): Stamp => ({
  actor: process.env['WEIGHBRIDGE_ACTOR'] ?? 'weighbridge',
  ts,
});
