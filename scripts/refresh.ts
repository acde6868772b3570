/** `npm run refresh`: weighs the servers of content/servers.yaml again and records what came. */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { parseReleases, parseServers, type ServerContent } from '../src/articles/servers.ts';
import { parseTokenizers } from '../src/articles/tokenizers.ts';
import { COMMANDS, help } from '../src/commands.ts';
import { append, openToAppend } from '../src/disk/append.ts';
import { readContent } from '../src/disk/content.ts';
import { leaveInInbox } from '../src/disk/inbox.ts';
import { openLedger } from '../src/disk/ledger.ts';
import { Batch } from '../src/ledger/batch.ts';
import type { CaptureBody, DiscoverBody } from '../src/ledger/entry.ts';
import { captureKey, captureName } from '../src/ledger/fold.ts';
import { parsePayload } from '../src/measure/payload.ts';
import { news } from '../src/news.ts';
import { countCurrent, recordCounts } from '../src/packages/count.ts';
import { Board } from '../src/probe/board.ts';
import { PLACES } from '../src/probe/place.ts';
import { type Attempt, captureAll, discoverAll, recordCaptures } from '../src/probe/refresh.ts';
import { Problem } from '../src/problem.ts';
import { newsReport } from '../src/render/news.ts';
import { interruption, script, stampNow, Usage } from '../src/script.ts';

const USAGE = help('refresh').trimEnd();

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

/** Null when help was asked for. Throws Usage. */
function readArguments(): Wish | null {
  const { values, positionals } = parseOptions();
  if (values.help) return null;
  const only = (values.only ?? []).concat(positionals);
  if (values.only === undefined && positionals.length > 0) {
    throw new Usage(`what is ${positionals[0]}? Write \`-- --only NAME\` to pick servers`);
  }
  const jobs = Number(values.jobs ?? defaultJobs());
  if (!Number.isInteger(jobs) || jobs < 1 || jobs > 64) {
    throw new Usage('--jobs takes a whole number from 1 to 64');
  }
  const seconds = Number(values.timeout ?? 60);
  if (!(seconds > 0 && seconds <= 86_400)) {
    throw new Usage('--timeout takes seconds, more than 0 and at most 86400');
  }
  const { current = false, inbox = false, report = false, 'dry-run': dryRun = false } = values;
  if (dryRun && inbox) throw new Usage('a dry run leaves nothing in the inbox');
  return { only, current, jobs, timeoutMs: seconds * 1000, dryRun, inbox, report };
}

const parseOptions = () =>
  parseArgs({
    allowPositionals: true,
    options: COMMANDS.refresh.options,
  });

const label = ({ name, version }: ServerContent): string => captureKey(name, version);

/** What --only says of a count. */
const COUNT = 'count:';

/** The tokenizers to count with: all of a whole run, or those asked for. */
function pickTokenizers(named: string[], { only }: Wish): string[] {
  if (only.length === 0) return named;
  const asked = only.flatMap((one) => (one.startsWith(COUNT) ? [one.slice(COUNT.length)] : []));
  const stray = asked.find((name) => !named.includes(name));
  if (stray === undefined) return asked;
  throw new Usage(
    `content/tokenizers.yaml does not name ${stray}; it names: ${named.join(', ') || 'none'}`,
  );
}

function pick(releases: ServerContent[], { only: all, current }: Wish): ServerContent[] {
  const only = all.filter((one) => !one.startsWith(COUNT));
  if (only.length === 0 && all.length > 0) return [];
  const isAsked = (release: ServerContent, asked: string) =>
    asked === release.name || asked === label(release);
  for (const asked of only) {
    if (releases.some((release) => isAsked(release, asked))) continue;
    const [name] = asked.split('@');
    const known = releases.filter((release) => release.name === name).map(label);
    const names = [...new Set(releases.map((release) => release.name))];
    throw new Usage(
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
    throw new Usage(`${only.join(', ')}: not current, so that --current leaves nothing`);
  }
  return picked;
}

/** One attempt on one line. */
function told(attempt: Attempt | Attempt<DiscoverBody>): string {
  if ('problem' in attempt)
    return `no capture: ${attempt.problem.message} [${attempt.problem.code}]`;
  const { body } = attempt.capture;
  if (body.outcome === 'failed') {
    return `failed: ${body.failure?.message} [${body.failure?.code}] after ${body.failure?.elapsed_ms} ms`;
  }
  if (body.kind === 'discover') {
    const { protocol_negotiated: spoken = null, error = null } = body.answer ?? {};
    return spoken === null ? `refuses: ${error?.message ?? 'other revisions'}` : `speaks ${spoken}`;
  }
  const { tools = 0, warnings = [] } = body.answer ?? {};
  const odd = warnings.length === 0 ? '' : `, ${warnings.length} warnings`;
  return `${tools} tools, ${body.blob?.bytes} bytes${odd}`;
}

function summary(bodies: readonly CaptureBody[]): string {
  return (['captured', 'unchanged', 'failed'] as const)
    .map((outcome) => {
      const names = bodies.filter((body) => body.outcome === outcome).map(captureName);
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
  const content = readContent(root);
  const releases = pick(parseReleases(content.servers), wish);
  const current = parseServers(content.servers);
  // What waits in the inbox is lists: what else rests on them is asked on the main line.
  const whole = !wish.inbox;
  const tokenizers = whole ? pickTokenizers(parseTokenizers(content.tokenizers), wish) : [];
  const run = new Date().toISOString();
  const stamp = stampNow(run);
  // Before the work: what can't be appended to should say so now.
  const ledger = wish.dryRun ? openLedger(ledgerDir) : await openToAppend(ledgerDir, stamp);

  const signal = interruption();
  const discovering = (release: ServerContent) => `discover:${label(release)}`;
  const isCurrent = (release: ServerContent) =>
    whole && current.some((one) => label(one) === label(release));
  const names = [
    ...releases.map(label),
    ...releases.filter(isCurrent).map(discovering),
    ...tokenizers.map((name) => `${COUNT}${name}`),
  ];
  const board = new Board(names, process.stderr);
  const cacheDir = join(root, '.cache/npm');
  const options = {
    jobs: wish.jobs,
    timeoutMs: wish.timeoutMs,
    cacheDir,
    // Only tests set it, to keep out of the way of real runs; the recipe names it in any case.
    places: process.env['WEIGHBRIDGE_PLACES'] ?? PLACES,
    run,
    signal,
  };
  const attempts = await captureAll(releases, {
    ...options,
    onStage: (release, stage) => board.set(release, stage, { passing: stage !== 'installing' }),
    onAttempt: (attempt) => board.set(label(attempt.server), told(attempt)),
  });
  // What could not be had for its list can't be had now either.
  const had = attempts.flatMap((attempt) => ('capture' in attempt ? [attempt.server] : []));
  const discoveries = await discoverAll(had.filter(isCurrent), {
    ...options,
    onStage: (release, stage) => board.set(`discover:${release}`, stage, { passing: true }),
    onAttempt: (attempt) => board.set(discovering(attempt.server), told(attempt)),
  });
  const asked = [...attempts, ...discoveries];
  const lists = attempts.flatMap((attempt) => ('capture' in attempt ? [attempt.capture] : []));
  const captures = asked.flatMap((attempt) => ('capture' in attempt ? [attempt.capture] : []));
  const batch = new Batch(ledger.fold, stamp);
  let bodies: CaptureBody[] = recordCaptures(batch, captures);
  const { counts, problems } = await countCurrent(
    tokenizers,
    current.flatMap((release) => {
      const sha256 = batch.fold.captures.get(label(release))?.captured?.entry.body.blob?.sha256;
      if (sha256 === undefined) return [];
      const payload = batch.blobs.get(sha256) ?? ledger.blob(sha256);
      return { server: release.name, sha256, tools: parsePayload(payload) };
    }),
    {
      run,
      cacheDir,
      signal,
      onCount: (name, says) => board.set(`${COUNT}${name}`, says),
    },
  );
  bodies.push(...recordCounts(batch, counts));
  problems.unshift(...asked.flatMap((attempt) => ('problem' in attempt ? [attempt.problem] : [])));
  const said = wish.report ? newsReport(await news(root, ledger, batch)) : `${summary(bodies)}\n`;
  if (wish.inbox) leaveInInbox(ledgerDir, lists);
  else if (!wish.dryRun) {
    await append(ledgerDir, stamp, (now) => {
      bodies = [...recordCaptures(now, captures), ...recordCounts(now, counts)];
    });
  }
  process.stdout.write(said);
  for (const body of bodies) {
    const tail = body.kind === 'tools_list' ? body.failure?.stderr_tail : '';
    if (tail) console.error(`\n${captureName(body)} said:\n${tail}`);
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
  const allFailed = lists.length > 0 && lists.every(({ body }) => body.outcome === 'failed');
  return problems.length > 0 || allFailed ? 1 : 0;
}

await script('refresh', async () => {
  try {
    return await main();
  } catch (error) {
    if (!(error instanceof Problem && error.code === 'probe.aborted')) throw error;
    console.error('Interrupted: nothing was recorded, and no server is left running.');
    return 130;
  }
});
