/** `npm run wire`: see what clients put on the wire, ours at their exact versions or anybody's own. */
import { appendFileSync, closeSync, existsSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { parseServers } from '../src/articles/servers.ts';
import { COMMANDS, help } from '../src/commands.ts';
import { append, openToAppend } from '../src/disk/append.ts';
import { writeAtomic } from '../src/disk/atomic.ts';
import { openLedger } from '../src/disk/ledger.ts';
import { withLock } from '../src/disk/lock.ts';
import { Batch } from '../src/ledger/batch.ts';
import type { ClientRequestBody } from '../src/ledger/entry.ts';
import { requestKey } from '../src/ledger/fold.ts';
import { o200k } from '../src/measure/o200k.ts';
import { Board } from '../src/probe/board.ts';
import { ownFolder, PLACES } from '../src/probe/place.ts';
import { Problem } from '../src/problem.ts';
import { interruption, script, stampNow, Usage } from '../src/script.ts';
import { CLIENTS_FILE, type Job, jobId, parseClients, planJobs } from '../src/wire/clients.ts';
import { DigestLine, type RequestDigest } from '../src/wire/digest.ts';
import { isolation } from '../src/wire/enclosure.ts';
import { FAULTS, type Fault, isFault } from '../src/wire/fault.ts';
import { recordRuns } from '../src/wire/record.ts';
import { type ClientRun, runClient } from '../src/wire/run.ts';
import { startWire, type Wire } from '../src/wire/server.ts';
import { requestHead, requestRow, runHead, runRow } from '../src/wire/table.ts';

const USAGE = help(
  'wire',
  `
Ways of misbehaving:
${Object.entries(FAULTS)
  .map(([name, what]) => `  ${name.padEnd(22)}${what}`)
  .join('\n')}
`,
).trimEnd();

interface Wish {
  listen: boolean;
  port: number;
  fault: Fault | null;
  out: string | undefined;
  only: string[];
  jobs: number;
  timeoutMs: number;
  list: boolean;
  dryRun: boolean;
}

function whole(name: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (text.trim() !== '' && Number.isInteger(value) && value >= least && value <= most)
    return value;
  throw new Usage(`--${name} takes a whole number from ${least} to ${most}, not ${text}`);
}

function readArguments(): Wish | null {
  const values = parse();
  if (values.help) return null;
  const { listen = false, fault = null, out, only = [] } = values;
  const foreign = listen
    ? (['only', 'jobs', 'timeout', 'list', 'dry-run'] as const)
    : (['port', 'fault'] as const);
  for (const name of foreign) {
    if (values[name] === undefined) continue;
    throw new Usage(`--${name} does not go ${listen ? 'with' : 'without'} --listen`);
  }
  if (fault !== null && !isFault(fault)) {
    throw new Usage(`--fault takes one of ${Object.keys(FAULTS).join(', ')}, not ${fault}`);
  }
  return {
    ...{ listen, fault, out, only },
    port: whole('port', values.port ?? '4100', 0, 65_535),
    jobs: whole('jobs', values.jobs ?? '1', 1, 8),
    timeoutMs: 1000 * whole('timeout', values.timeout ?? '180', 1, 3600),
    list: values.list ?? false,
    dryRun: values['dry-run'] ?? false,
  };
}

function parse() {
  return parseArgs({
    options: COMMANDS.wire.options,
  }).values;
}

const count = (text: string) => o200k().count(text);

async function listen({ port, fault, out }: Wish): Promise<number> {
  const signal = interruption();
  const file = out === undefined ? null : openOut(out);
  const came: RequestDigest[] = [];
  let wire: Wire;
  try {
    wire = await startWire({
      listen: { port },
      fault,
      count,
      onRequest: (digest) => {
        came.push(digest);
        if (file !== null) {
          const line = DigestLine.parse({ received: new Date().toISOString(), ...digest });
          // One write of one whole line, at the end of the file: no reader sees half of it.
          appendFileSync(file, `${JSON.stringify(line)}\n`);
        }
        console.log(requestRow(digest));
      },
    });
  } catch (cause) {
    throw new Problem(
      'wire.no-port',
      `cannot listen on port ${port}: ${(cause as Error).message}`,
      {
        mend: 'Choose another with --port, or 0 for any free one.',
        cause,
      },
    );
  }
  console.log(
    `${wire.url}  takes Anthropic Messages, OpenAI Responses and Chat Completions, and Gemini`,
  );
  console.log(
    `ANTHROPIC_BASE_URL=${wire.url}  OPENAI_BASE_URL=${wire.url}/v1  GOOGLE_GEMINI_BASE_URL=${wire.url}`,
  );
  if (fault !== null) console.log(`It misbehaves: ${FAULTS[fault]}.`);
  console.log(`\n${requestHead}`);
  await new Promise<void>((done) => signal.addEventListener('abort', () => done()));
  await wire.close();
  if (file !== null) closeSync(file);
  console.log(`\n${summary(came)}`);
  return 0;
}

function openOut(path: string): number {
  try {
    return openSync(path, 'a', 0o600);
  } catch (cause) {
    throw new Problem('wire.no-out', (cause as Error).message, {
      at: path,
      mend: 'Give --out a file in a folder that exists and may be written to.',
      cause,
    });
  }
}

/** For each client and model: how often a model was asked, and the largest request. */
function summary(came: readonly RequestDigest[]): string {
  const turns = came.filter((digest) => digest.turn);
  const groups = Map.groupBy(turns, ({ client, model }) =>
    [client?.name ?? '-', client?.version ?? '', model ?? '-'].join(' '),
  );
  const largest = [...groups.values()].map((group) =>
    group.reduce((most, one) => (one.body_bytes > most.body_bytes ? one : most)),
  );
  const rows =
    largest.length === 0 ? [] : ['the largest of each:', requestHead, ...largest.map(requestRow)];
  return [`${came.length} requests, ${turns.length} to a model`, ...rows].join('\n');
}

async function runAll({ only, jobs, timeoutMs, list, dryRun, out }: Wish): Promise<number> {
  const root = process.cwd();
  const read = (path: string) => {
    if (existsSync(join(root, path))) return readFileSync(join(root, path), 'utf8');
    throw new Problem('wire.no-content', `there is no ${path} here`, {
      mend: 'Run it in a clone of Weighbridge, or see your own client with --listen.',
    });
  };
  const servers = parseServers(read('content/servers.yaml'));
  const names = servers.map(({ name }) => name);
  const plan = planJobs(parseClients(read(CLIENTS_FILE), names), names, only);
  if (list) {
    for (const job of plan) console.log(`${jobId(job)}  ${described(job)}`);
    console.log(`${plan.length} runs`);
    return 0;
  }
  const ledgerDir = join(root, 'ledger');
  const run = new Date().toISOString();
  const stamp = stampNow(run);
  // Before the work: what can't be appended to should say so now.
  const ledger = dryRun ? openLedger(ledgerDir) : await openToAppend(ledgerDir, stamp);
  const signal = interruption();
  const options = {
    ...{ cacheDir: join(root, '.cache/npm'), run, timeoutMs, count, servers, signal },
    isolation: isolation(),
  };
  if (options.isolation === 'proxy') {
    console.error('No namespaces here: only their proxy variables hold clients to this machine.');
  }
  await ownFolder(PLACES);
  const order = new Map(plan.map((job, i) => [jobId(job), i]));
  const runs: ClientRun[] = [];
  const problems: Problem[] = [];
  await withLock(join(PLACES, 'wire.lock'), 'running clients', async () => {
    const waiting = [...plan];
    const board = new Board(plan.map(jobId), process.stderr);
    const work = async (slot: number) => {
      for (let job = waiting.shift(); job !== undefined && !signal.aborted; job = waiting.shift()) {
        const id = jobId(job);
        const onStage = (stage: string) => board.set(id, stage, { passing: true });
        try {
          const done = await runClient(job, { ...options, slot, onStage });
          if (out !== undefined) keep(done, out);
          runs.push(done);
          board.set(id, `${runs.length}/${plan.length}  ${told(done)}`);
        } catch (error) {
          if (!(error instanceof Problem)) throw error;
          if (signal.aborted) return;
          problems.push(error);
          board.set(id, error.message);
        }
      }
    };
    await Promise.all(Array.from({ length: jobs }, (_, slot) => work(slot)));
  });
  if (signal.aborted) {
    console.error('Interrupted: nothing was recorded, and no client is left running.');
    return 130;
  }
  const place = (one: ClientRun) => order.get(idOf(one)) ?? 0;
  runs.sort((a, b) => place(a) - place(b));
  let bodies: ClientRequestBody[] = [];
  if (dryRun) bodies = recordRuns(new Batch(ledger.fold, stamp), runs);
  else {
    await append(ledgerDir, stamp, (batch) => {
      bodies = recordRuns(batch, runs);
    });
  }
  console.log([runHead, ...runs.map(runRow)].join('\n'));
  const counts = (['captured', 'unchanged', 'failed'] as const).map(
    (outcome) => `${outcome}: ${bodies.filter((body) => body.outcome === outcome).length}`,
  );
  console.log(
    `${counts.join(', ')}. ${dryRun ? 'Dry run; would have recorded' : 'Recorded'} ${bodies.length}.`,
  );
  for (const problem of problems) console.error(problem.toString());
  if (problems.length > 0) {
    console.error(`${problems.length} not recorded: that says nothing about a client.`);
  }
  const allFailed = bodies.every(({ outcome }) => outcome === 'failed');
  return problems.length > 0 || allFailed ? 1 : 0;
}

const idOf = (run: ClientRun) => requestKey(run.client, run.package.version, run.variant);

function described({ servers, variant }: Job): string {
  const env = Object.entries(variant.env).map(([name, value]) => `${name}=${value}`);
  const tools = variant.synthetic > 0 ? [`${variant.synthetic} synthetic tools`] : [];
  const always = variant.always_load ? ['always loaded'] : [];
  const fault = variant.fault === undefined ? [] : [`it misbehaves: ${variant.fault}`];
  return [`${servers.length} servers`, ...tools, ...always, ...fault, ...env, ...variant.args].join(
    ', ',
  );
}

function told(run: ClientRun): string {
  const { request, failure, ended } = run;
  return request === null
    ? `failed: ${failure?.message} [${failure?.code}]`
    : `${request.tools.count} tools, ${request.body_bytes} bytes, ${ended?.elapsed_ms} ms`;
}

/** Keeps a run as a file of its own, beside what is recorded. */
function keep(run: ClientRun, folder: string): void {
  const path = join(folder, `${idOf(run)}.json`);
  mkdirSync(dirname(path), { recursive: true });
  writeAtomic(path, `${JSON.stringify(run, null, 1)}\n`);
}

await script(
  'wire',
  async () => {
    const wish = readArguments();
    if (wish !== null) return wish.listen ? listen(wish) : runAll(wish);
    console.log(USAGE);
    return 0;
  },
  // What --only names is a matter of the command line, as with refresh.
  { 'wire.no-client': 2 },
);
