/** `weighbridge weigh`: weighs servers, configurations, files and skills, and records nothing. */
import { help } from '../src/commands.ts';
import type { Report } from '../src/measure/report.ts';
import { packageCache } from '../src/packages/cache.ts';
import { Board } from '../src/probe/board.ts';
import { ProbeFailure } from '../src/probe/stdio.ts';
import { problemOf } from '../src/problem.ts';
import { printable } from '../src/render/printable.ts';
import { renderReport } from '../src/render/report.ts';
import { interruption, userFolder } from '../src/script.ts';
import { readArguments } from '../src/weigh/asked.ts';
import { weighAsked } from '../src/weigh/weigh.ts';

async function main(): Promise<number> {
  const asked = readArguments(process.argv.slice(2));
  if (asked === null) {
    process.stdout.write(help('weigh'));
    return 0;
  }
  let board: Board | undefined;
  const report = await weighAsked(asked, {
    cwd: userFolder('weigh'),
    env: Object.fromEntries(
      Object.entries(process.env).filter((pair): pair is [string, string] => pair[1] !== undefined),
    ),
    cacheDir: packageCache(),
    signal: interruption(),
    log: (line) => process.stderr.write(`${line}\n`),
    onServers: (names) => {
      board = new Board(names.map(printable), process.stderr);
    },
    onServer: (name, says) =>
      board?.set(printable(name), printable(says), { passing: says === 'asking' }),
  });
  process.stdout.write(asked.json ? `${JSON.stringify(report, null, 2)}\n` : renderReport(report));
  return codeOf(report);
}

/** What could not be weighed comes before what is too heavy: such a bill is no whole one. */
function codeOf(report: Report): number {
  if ('failed' in report && report.failed.length > 0) return 3;
  return 'gate' in report && report.gate?.ok === false ? 4 : 0;
}

/** What the command line says that no server could mend. */
const WRONGLY_ASKED = /^(?:usage|probe\.bad-url|header\.(?:bad-spec|bad-name|reserved|twice))$/;

/** Prints why, and gives the exit code. */
function explain(error: unknown): number {
  const problem = problemOf(error);
  if (problem === null) throw error;
  const lines = problem.toString().split('\n').map(printable);
  if (error instanceof ProbeFailure && error.stderrTail.trim() !== '') {
    lines.push('  The end of what it said on stderr:');
    for (const line of error.stderrTail.trimEnd().split('\n')) lines.push(`  | ${printable(line)}`);
  }
  process.stderr.write(`${lines.join('\n')}\n`);
  if (WRONGLY_ASKED.test(problem.code)) return 2;
  if (problem.code.endsWith('.aborted')) return 130;
  return problem.code.startsWith('server.') || error instanceof ProbeFailure ? 3 : 1;
}

process.exitCode = await main().catch(explain);
