/** `npm test`: every check, one line each; installs the browser it needs; ends with `N passed, N failed`. */
import { spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { parseArgs } from 'node:util';
import { ensureChromium } from '../src/chromium.ts';
import { Problem } from '../src/problem.ts';
import { script } from '../src/script.ts';

const USAGE = `usage: npm test [-- --offline] [-- --deep]

  --offline   tests that need a registry may be left out; their number is shown
  --deep      also the slow tests (npm run test:deep)
  --help      print this

exit: 0 all passed, 1 something failed, 2 usage
`;

/** What a step came to; a step that holds no tests counts as one. */
interface Outcome {
  passed: number;
  failed: number;
  notRun: number;
  output: string;
}

/** Runs a program of ours; Node itself where a script is named. */
async function program(command: string, ...args: string[]): Promise<Outcome> {
  const child = spawn(
    command.endsWith('.ts') ? process.execPath : command,
    command.endsWith('.ts') ? [command, ...args] : args,
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ASTRO_TELEMETRY_DISABLED: '1', NO_COLOR: '1' },
    },
  );
  const ended = new Promise<boolean>((done) => {
    child.on('error', () => done(false));
    child.on('close', (code) => done(code === 0));
  });
  const [output, errors, ok] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { passed: ok ? 1 : 0, failed: ok ? 0 : 1, notRun: 0, output: output + errors };
}

/** Runs test files, each in a process of its own. */
async function tests(files: string[], concurrency: number): Promise<Outcome> {
  const outcome: Outcome = {
    passed: 0,
    failed: files.length === 0 ? 1 : 0,
    notRun: 0,
    output: files.length === 0 ? 'no test files\n' : '',
  };
  const stream = run({ files, concurrency, execArgv: ['--disable-warning=ExperimentalWarning'] });
  stream.on('test:summary', ({ file, counts }) => {
    if (file !== undefined) return;
    outcome.passed = counts.passed;
    outcome.notRun = counts.skipped + counts.todo;
    outcome.failed = counts.tests - counts.passed - outcome.notRun;
  });
  // Of a failed run a reader wants what failed, not the hundreds that did not.
  outcome.output += (await text(stream.compose(spec))).replace(/^\s*✔ .*\n/gm, '');
  return outcome;
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      offline: { type: 'boolean', default: false },
      deep: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  if (values.offline) process.env['WEIGHBRIDGE_OFFLINE'] = '1';
  // Most of a short process is reading our own modules; half of that time is saved here.
  process.env['NODE_COMPILE_CACHE'] ??= resolve('.cache/node');
  const chosen = (pattern: string, except: (path: string) => boolean = () => false) =>
    globSync(pattern)
      .filter((path) => (values.deep || !path.endsWith('.deep.test.ts')) && !except(path))
      .sort();

  const total: Outcome = { passed: 0, failed: 0, notRun: 0, output: '' };
  async function step(name: string, act: () => Promise<Outcome>): Promise<boolean> {
    const began = performance.now();
    const { passed, failed, notRun, output } = await act().catch((error: unknown) => ({
      passed: 0,
      failed: 1,
      notRun: 0,
      output: `${error instanceof Problem ? error : (error as Error).stack}\n`,
    }));
    total.passed += passed;
    total.failed += failed;
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    const counts = `${passed} passed${failed > 0 ? `, ${failed} failed` : ''}${notRun > 0 ? `, ${notRun} not run` : ''}`;
    process.stdout.write(
      `${failed > 0 ? '✗' : '✓'} ${name.padEnd(8)} ${counts.padEnd(22)} ${seconds} s\n`,
    );
    if (failed > 0) process.stdout.write(output);
    return failed === 0;
  }

  await step('types', () => program('astro', 'check', '--minimumFailingSeverity', 'warning'));
  await step('lint', () =>
    program('biome', 'check', '.', '--error-on-warnings', '--diagnostic-level=warn'),
  );
  await step('numbers', () => program('scripts/lint-numbers.ts'));
  await step('unit', () =>
    tests(
      chosen('tests/**/*.test.ts', (path) => path.startsWith('tests/browser/')),
      3, // some wait for servers that never answer
    ),
  );
  const built = await step('build', () => program('scripts/build.ts'));
  const onBuild = (act: () => Promise<Outcome>) => async () => {
    if (built) return act();
    throw new Problem('test.no-build', 'not run: there is no site to look at');
  };
  await step(
    'links',
    onBuild(() => program('scripts/links.ts')),
  );
  await step(
    'browser',
    onBuild(() => {
      process.env['CHROMIUM_PATH'] = ensureChromium((line) => process.stdout.write(`  ${line}\n`));
      return tests(chosen('tests/browser/*.test.ts'), 2);
    }),
  );

  process.stdout.write(`${total.passed} passed, ${total.failed} failed\n`);
  return total.failed === 0 ? 0 : 1;
}

await script({ usage: USAGE }, main);
