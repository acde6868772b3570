/** `npm run gateway`: rows of a gateway's or a client's log, to one shape, redacted and recorded. */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { COMMANDS, help } from '../src/commands.ts';
import { append, openToAppend } from '../src/disk/append.ts';
import { writeAtomic } from '../src/disk/atomic.ts';
import { openLedger } from '../src/disk/ledger.ts';
import { Collected } from '../src/gateway/collected.ts';
import { filesBelow, readExports, readSessions } from '../src/gateway/files.ts';
import {
  type Identifiers,
  type PagesOptions,
  readCloudflare,
  readLitellm,
} from '../src/gateway/pages.ts';
import { payloadOf } from '../src/gateway/payload.ts';
import { type LogRun, recordLog } from '../src/gateway/record.ts';
import { SOURCES, type Source } from '../src/gateway/row.ts';
import { Batch } from '../src/ledger/batch.ts';
import type { GatewayLogBody } from '../src/ledger/entry.ts';
import { Fold } from '../src/ledger/fold.ts';
import { Problem } from '../src/problem.ts';
import { renderRows } from '../src/render/rows.ts';
import { interruption, script, stampNow, Usage, userFolder } from '../src/script.ts';

const USAGE = help('gateway').trimEnd();

const SETTLE_S = 60;

interface Wish {
  source: Source;
  name: string;
  since: string | null;
  until: string | null;
  files: string[];
  dir: string | null;
  settleMs: number;
  out: string | null;
  json: boolean;
  dryRun: boolean;
}

const parsed = () =>
  parseArgs({
    options: COMMANDS.gateway.options,
  });

/** What the command line asks for; null for help. Throws Usage for what it can't mean. */
function asked(now: string): Wish | null {
  const { values } = parsed();
  if (values.help) return null;
  const source = SOURCES.find((one) => one === values.source);
  if (source === undefined) throw new Usage(`--source takes one of ${SOURCES.join(', ')}`);
  const { name = 'own' } = values;
  if (!/^[a-z0-9]+(?:[-_.][a-z0-9]+)*$/.test(name)) {
    throw new Usage('--name takes a name of a-z, 0-9, -, _ and .');
  }
  const remote = source === 'cloudflare' || source === 'litellm';
  const { dir = null, file: files = [], settle } = values;
  if (remote && (dir !== null || files.length > 0)) {
    throw new Usage(`--dir and --file do not go with --source ${source}`);
  }
  if (!remote && settle !== undefined)
    throw new Usage(`--settle does not go with --source ${source}`);
  if (source === 'otlp' && dir === null && files.length === 0) {
    throw new Usage('--source otlp wants --file or --dir: bodies of http/json as .json or .jsonl');
  }
  const seconds = Number(settle ?? SETTLE_S);
  if (!Number.isInteger(seconds) || seconds < 0 || seconds > 3600) {
    throw new Usage('--settle takes a whole number from 0 to 3600');
  }
  return {
    ...{ source, name, dir, files },
    since: timeOf('since', values.since),
    // An end that moves while it is read is no end.
    until: timeOf('until', values.until) ?? (remote ? now : null),
    settleMs: seconds * 1000,
    out: values.out ?? null,
    json: values.json ?? false,
    dryRun: values['dry-run'] ?? false,
  };
}

/** A day, or RFC 3339 with its zone. */
function timeOf(name: string, text: string | undefined): string | null {
  if (text === undefined) return null;
  const form = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/;
  const time = form.test(text) ? new Date(text) : null;
  if (time !== null && !Number.isNaN(time.getTime())) return time.toISOString();
  throw new Usage(
    `--${name} takes a day or a time with its zone: 2026-11-30, 2026-11-30T08:00:00Z`,
  );
}

/** Reads all of it; gives back what must not be in what is stored. */
async function read(wish: Wish, into: Collected, options: PagesOptions): Promise<Identifiers> {
  const { source, files, dir } = wish;
  if (source === 'cloudflare') return readCloudflare(into, options);
  if (source === 'litellm') return readLitellm(into, options);
  const { env, signal } = options;
  const config = env['CLAUDE_CONFIG_DIR'] || join(homedir(), '.claude');
  const folder =
    dir ?? (files.length === 0 && source === 'claude-code' ? join(config, 'projects') : null);
  const endings = source === 'claude-code' ? ['.jsonl'] : ['.json', '.jsonl'];
  const all = [
    ...files,
    ...(folder === null ? [] : await filesBelow(resolve(cwd, folder), endings)),
  ];
  const paths = all.map((file) => resolve(cwd, file));
  if (source === 'claude-code') await readSessions(into, paths, signal);
  else await readExports(into, paths, signal);
  return { HOME: homedir() };
}

const cwd = userFolder('gateway');

async function main(): Promise<number> {
  const run = new Date().toISOString();
  const wish = asked(run);
  if (wish === null) {
    console.log(USAGE);
    return 0;
  }
  const ledgerDir = join(process.cwd(), 'ledger');
  const { source, dryRun, since, until } = wish;
  const stamp = stampNow(run);
  // Before the work: what can't be appended to should say so now. A dry run needs no ledger at all.
  const ledger = !dryRun
    ? await openToAppend(ledgerDir, stamp)
    : existsSync(ledgerDir)
      ? openLedger(ledgerDir)
      : null;
  const standing = ledger?.fold ?? null;
  const signal = interruption();
  const into = new Collected({ since, until });
  const identifiers = await read(wish, into, {
    env: process.env,
    window: { since, until },
    settleMs: wish.settleMs,
    signal,
    log: (line) => console.error(line),
  });
  const rows = into.rows();
  if (rows.length === 0) {
    throw new Problem(
      'gateway.empty',
      `no row with usage was found${into.unread > 0 ? `, and ${into.unread} records could not be read` : ''}`,
      {
        mend: 'Nothing was recorded. See to --since, --until, --dir and --file.',
      },
    );
  }
  const log: LogRun = {
    ...{ source, name: wish.name, run, rows, counts: into },
    args: [
      ...['--source', source, '--name', wish.name],
      ...(since === null ? [] : ['--since', since]),
      ...(until === null ? [] : ['--until', until]),
    ],
    payload: payloadOf(source, rows, identifiers),
  };
  let body: GatewayLogBody | undefined;
  if (dryRun)
    body = recordLog(new Batch(standing ?? new Fold({ genesis: '0'.repeat(64) }), stamp), log);
  else {
    await append(ledgerDir, stamp, (batch) => {
      body = recordLog(batch, log);
    });
  }
  if (wish.out !== null) writeAtomic(resolve(cwd, wish.out), log.payload);
  if (wish.json) process.stdout.write(log.payload);
  else process.stdout.write(renderRows({ source, rows, body, dryRun, counts: into }));
  return 0;
}

await script('gateway', main, { 'run.aborted': 130 });
