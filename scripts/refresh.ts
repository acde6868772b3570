/** `npm run refresh`: weighs the servers of content/servers.yaml again and records what came. */
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { parseReleases, type ServerContent } from '../src/articles/servers.ts';
import { append } from '../src/disk/append.ts';
import { leaveInInbox } from '../src/disk/inbox.ts';
import { openLedger } from '../src/disk/ledger.ts';
import { Batch } from '../src/ledger/batch.ts';
import type { ToolsListBody } from '../src/ledger/entry.ts';
import { captureKey } from '../src/ledger/fold.ts';
import { news } from '../src/news.ts';
import { Board } from '../src/probe/board.ts';
import { PLACES } from '../src/probe/place.ts';
import { type Attempt, captureAll, recordCaptures } from '../src/probe/refresh.ts';
import { Problem } from '../src/problem.ts';
import { newsReport } from '../src/render/news.ts';

const USAGE = `Usage: npm run refresh [-- OPTIONS]

Installs each release of each server of content/servers.yaml once into .cache/, asks it for its
tools, and adds to ledger/ what came: captured, unchanged or failed. All of a run is recorded in one
append, or nothing.

  --current     only the current release of each
  --only NAME…  only these: all releases of notion, or the one of notion@2.0.0
  --jobs N      how many at once (default: ${defaultJobs()} on this machine)
  --timeout S   seconds that each server may take to answer, once it is installed (default: 60)
  --dry-run     weigh, and record nothing
  --inbox       leave what came in ledger/inbox, for \`npm run record\` on the main line to take in
  --report      print what it brings as markdown: servers tool by tool, claims that say something else
  --help        print this

Exit 0: recorded. 1: something could not be recorded, or every server failed. 2: usage.
130: interrupted; nothing was recorded. WEIGHBRIDGE_ACTOR names who records (default: weighbridge).`;

/** Told on stderr with how to use it, and exit 2. */
class UsageError extends Error {}

interface Wish {
  only: string[];
  current: boolean;
  jobs: number;
  timeoutMs: number;
  dryRun: boolean;
  inbox: boolean;
  report: boolean;
}

function defaultJobs(): number {
  return Math.min(4, availableParallelism());
}

/** Null when help was asked for. Throws UsageError. */
function readArguments(): Wish | null {
  const { values, positionals } = parseOptions();
  if (values.help) return null;
  // npm keeps options that stand before `--` for itself: a run meant to be dry would record.
  for (const option of ['dry-run', 'current', 'inbox', 'report']) {
    if (process.env[`npm_config_${option.replace('-', '_')}`] === 'true') {
      throw new UsageError(
        `npm took --${option} for itself: write \`npm run refresh -- --${option}\``,
      );
    }
  }
  const only = (values.only ?? []).concat(positionals);
  if (values.only === undefined && positionals.length > 0) {
    throw new UsageError(`what is ${positionals[0]}? Write \`-- --only NAME\` to pick servers`);
  }
  const jobs = Number(values.jobs);
  if (!Number.isInteger(jobs) || jobs < 1 || jobs > 64) {
    throw new UsageError('--jobs takes a whole number from 1 to 64');
  }
  const seconds = Number(values.timeout);
  if (!(seconds > 0 && seconds <= 86_400)) {
    throw new UsageError('--timeout takes seconds, more than 0 and at most 86400');
  }
  const { current, inbox, report, 'dry-run': dryRun } = values;
  if (dryRun && inbox) throw new UsageError('a dry run leaves nothing in the inbox');
  return { only, current, jobs, timeoutMs: seconds * 1000, dryRun, inbox, report };
}

function parseOptions() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        only: { type: 'string', multiple: true },
        current: { type: 'boolean', default: false },
        jobs: { type: 'string', default: `${defaultJobs()}` },
        timeout: { type: 'string', default: '60' },
        'dry-run': { type: 'boolean', default: false },
        inbox: { type: 'boolean', default: false },
        report: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

const label = ({ name, version }: ServerContent): string => captureKey(name, version);

function pick(releases: ServerContent[], { only, current }: Wish): ServerContent[] {
  const isAsked = (release: ServerContent, asked: string) =>
    asked === release.name || asked === label(release);
  for (const asked of only) {
    if (releases.some((release) => isAsked(release, asked))) continue;
    const [name] = asked.split('@');
    const known = releases.filter((release) => release.name === name).map(label);
    const names = [...new Set(releases.map((release) => release.name))];
    throw new UsageError(
      known.length > 0
        ? `no release is ${asked}; there are: ${known.join(', ')}`
        : `no server is named ${name}; there are: ${names.join(', ')}`,
    );
  }
  const picked = releases.filter(
    (release, i) =>
      (only.length === 0 || only.some((asked) => isAsked(release, asked))) &&
      (!current || releases[i + 1]?.name !== release.name),
  );
  if (picked.length === 0 && only.length > 0) {
    throw new UsageError(`${only.join(', ')}: not current, so that --current leaves nothing`);
  }
  return picked;
}

/** One attempt on one line. */
function told(attempt: Attempt): string {
  if ('problem' in attempt)
    return `no capture: ${attempt.problem.message} [${attempt.problem.code}]`;
  const { body } = attempt.capture;
  if (body.outcome === 'failed') {
    return `failed: ${body.failure?.message} [${body.failure?.code}] after ${body.failure?.elapsed_ms} ms`;
  }
  const { tools = 0, warnings = [] } = body.answer ?? {};
  const odd = warnings.length === 0 ? '' : `, ${warnings.length} warnings`;
  return `${tools} tools, ${body.blob?.bytes} bytes${odd}`;
}

function summary(bodies: readonly ToolsListBody[]): string {
  return (['captured', 'unchanged', 'failed'] as const)
    .map((outcome) => {
      const names = bodies
        .filter((body) => body.outcome === outcome)
        .map((body) => captureKey(body.server, body.package.version));
      return `${outcome}: ${names.length}${names.length === 0 ? '' : ` (${names.join(', ')})`}`;
    })
    .join('\n');
}

async function main(): Promise<number> {
  const wish = readArguments();
  if (wish === null) {
    console.log(USAGE);
    return 0;
  }
  const root = process.cwd();
  const ledgerDir = join(root, 'ledger');
  const text = readFileSync(join(root, 'content/servers.yaml'), 'utf8');
  const servers = pick(parseReleases(text), wish);
  const ledger = openLedger(ledgerDir); // before the work: what can't be appended to should say so now

  const abort = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (abort.signal.aborted) process.exit(130); // the second time: at once, children die with us
      abort.abort();
    });
  }
  const run = new Date().toISOString();
  const board = new Board(servers.map(label), process.stderr);
  const attempts = await captureAll(servers, {
    jobs: wish.jobs,
    timeoutMs: wish.timeoutMs,
    cacheDir: join(root, '.cache/npm'),
    // Only tests set it, to keep out of the way of real runs; the recipe names it in any case.
    places: process.env['WEIGHBRIDGE_PLACES'] ?? PLACES,
    run,
    signal: abort.signal,
    onStage: (release, stage) => board.set(release, stage, { passing: stage !== 'installing' }),
    onAttempt: (attempt) => board.set(label(attempt.server), told(attempt)),
  });

  const captures = attempts.flatMap((attempt) => ('capture' in attempt ? [attempt.capture] : []));
  const problems = attempts.flatMap((attempt) => ('problem' in attempt ? [attempt.problem] : []));
  const stamp = { actor: process.env['WEIGHBRIDGE_ACTOR'] ?? 'weighbridge', ts: run };
  const batch = new Batch(ledger.fold, stamp);
  let bodies = recordCaptures(batch, captures);
  const said = wish.report ? newsReport(await news(root, ledger, batch)) : `${summary(bodies)}\n`;
  if (wish.inbox) leaveInInbox(ledgerDir, captures);
  else if (!wish.dryRun) {
    await append(ledgerDir, stamp, (now) => {
      bodies = recordCaptures(now, captures);
    });
  }
  process.stdout.write(said);
  for (const { failure, server, package: pkg } of bodies) {
    if (!failure?.stderr_tail) continue;
    console.error(`\n${captureKey(server, pkg.version)} said:\n${failure.stderr_tail}`);
  }
  const done = wish.dryRun ? 'Dry run; would have recorded' : wish.inbox ? 'Left' : 'Recorded';
  const end = `${done} ${bodies.length}${wish.inbox ? ' in the inbox' : ''}.`;
  // A report goes into a pull request as it stands, so nothing else is printed beside it.
  if (wish.report) console.error(end);
  else console.log(end);
  for (const problem of problems) console.error(problem.toString());
  if (problems.length > 0) {
    console.error(`${problems.length} not recorded: that says nothing about a server.`);
  }
  const allFailed = bodies.every(({ outcome }) => outcome === 'failed');
  return problems.length > 0 || allFailed ? 1 : 0;
}

try {
  process.exitCode = await main();
} catch (error) {
  if (error instanceof UsageError) {
    console.error(`${error.message}\n\n${USAGE}`);
    process.exitCode = 2;
  } else if (error instanceof Problem && error.code === 'probe.aborted') {
    console.error('Interrupted: nothing was recorded, and no server is left running.');
    process.exitCode = 130;
  } else {
    console.error(error instanceof Problem ? error.toString() : error);
    process.exitCode = 1;
  }
}
