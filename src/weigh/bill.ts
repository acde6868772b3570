/**
 * Weighs every server that a client is configured with and adds them up. It must never print the
 * value of a variable or a header, nor let one server that fails keep the others from being weighed.
 */
import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { type Config, readConfig } from '../config/read.ts';
import type { ConfiguredServer, Launch } from '../config/server.ts';
import { findCollisions } from '../measure/collisions.ts';
import type { Tool } from '../measure/figure.ts';
import type { BillReport } from '../measure/report.ts';
import type { Shape } from '../measure/shape.ts';
import type { Tokenizer } from '../measure/tokens.ts';
import { tokensMethod, type Weight, weigh } from '../measure/weigh.ts';
import { Secrets } from '../probe/header.ts';
import { Problem } from '../problem.ts';
import { serverName } from './asked.ts';
import { type Listing, listHttp, listStdio, unweighable } from './listing.ts';
import { readNamed } from './read.ts';

export interface BillOptions {
  /** Where it is, and what the user called it. */
  path: string;
  named: string;
  cwd: string;
  env: Readonly<Record<string, string>>;
  shape: Shape;
  tokenizer: Tokenizer;
  jobs: number;
  timeoutMs: number;
  signal: AbortSignal;
  /** Told who is to be weighed, and then of each how it fares. */
  onServers(names: string[]): void;
  onServer(name: string, says: string): void;
}

/** What was listed of one server, under the name that it is sent by. */
export interface Catalogue {
  server: string;
  tools: Tool[];
}

type Weighed = { server: ConfiguredServer; name: string; listing: Listing; weight: Weight };

/** The bill, without what was asked for beside it. Throws Problem `config.*`. */
export async function weighBill(
  options: BillOptions,
): Promise<{ report: BillReport; catalogues: Catalogue[] }> {
  const { path, named, cwd, env, shape, tokenizer } = options;
  const text = (await readNamed(path, named, 'config.unreadable')).toString('utf8');
  const config = readConfig(text, { file: named, env, home: homedir(), workspace: cwd });
  const { here, leftOut } = seenFrom(cwd, config.servers);
  const names = uniqueNames(here);
  options.onServers(names);

  const weighed: Weighed[] = [];
  const failed: BillReport['failed'] = [];
  const waiting = here.map((server, i) => ({ server, name: names[i]! }));
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const { server, name } = next;
      const secrets = new Secrets(valuesOf(server));
      try {
        options.onServer(name, 'asking');
        const listing = await list(server, options, (text) => secrets.hide(text));
        const weight = weighListed(listing, { shape, server: name, tokenizer });
        weighed.push({ server, name, listing, weight });
        options.onServer(name, `${weight.tools} tools, ${weight.tokens.total} tokens`);
      } catch (cause) {
        if (!(cause instanceof Problem)) throw cause;
        if (cause.code.endsWith('.aborted')) throw cause;
        const { code, mend } = cause;
        const message = secrets.hide(cause.message);
        failed.push({
          ...{ server: name, code, message, at: server.at },
          mend: mend === undefined ? null : secrets.hide(mend),
        });
        options.onServer(name, `failed: ${message}`);
      }
    }
  };
  await Promise.all(Array.from({ length: options.jobs }, work));

  weighed.sort((a, b) => b.weight.tokens.total - a.weight.tokens.total || order(a.name, b.name));
  failed.sort((a, b) => order(a.server, b.server));
  const catalogues = weighed.map(({ name, listing }) => ({ server: name, tools: listing.tools }));
  const sum = (of: (weight: Weight) => number) =>
    weighed.reduce((total, { weight }) => total + of(weight), 0);
  return {
    catalogues,
    report: {
      kind: 'bill',
      file: named,
      client: config.client,
      shape,
      tokenizer: tokenizer.name,
      method: tokensMethod({ shape, tokenizer: tokenizer.name }),
      servers: weighed.map(rowOf),
      failed,
      left_out: leftOut.map(({ server, why }) => ({ server: server.name, why, at: server.at })),
      collisions: findCollisions(
        catalogues.map(({ server, tools }) => ({ server, tools: tools.map(({ name }) => name) })),
      ),
      totals: {
        tools: sum(({ tools }) => tools),
        bytes: sum(({ bytes }) => bytes),
        upfront: sum(({ tokens }) => tokens.total),
        deferred: sum(({ tokens }) => tokens.name),
      },
      warnings: warningsOf(config, here),
    },
  };
}

function rowOf({ name, listing, weight }: Weighed): BillReport['servers'][number] {
  const [largest] = weight.perTool;
  return {
    server: name,
    protocol: listing.protocol ?? { requested: '', negotiated: '' },
    tools: weight.tools,
    tokens: weight.tokens.total,
    bytes: weight.bytes,
    name_tokens: weight.tokens.name,
    schema_tokens: weight.tokens.schema,
    largest: largest === undefined ? null : { tool: largest.name, tokens: largest.total },
    list_ms: Math.round(listing.listMs),
    warnings: listing.warnings,
  };
}

/** The servers that a client started in `cwd` would see, and why it would not see the others. */
function seenFrom(cwd: string, servers: readonly ConfiguredServer[]) {
  const leftOut: { server: ConfiguredServer; why: string }[] = [];
  const here = new Map<string, ConfiguredServer>();
  for (const server of servers) {
    const other = here.get(server.name);
    if (server.disabled) leftOut.push({ server, why: 'switched off' });
    else if (server.scope !== '' && resolve(server.scope) !== cwd) {
      leftOut.push({ server, why: `for ${server.scope}` });
    } else {
      // The nearer to the project wins, among equals the last.
      const wins = other === undefined || server.scope !== '' || other.scope === '';
      const loser = wins ? other : server;
      if (loser !== undefined) leftOut.push({ server: loser, why: 'another has its name' });
      if (wins) here.set(server.name, server);
    }
  }
  return { here: [...here.values()], leftOut };
}

/** As they are sent; two that come out alike get a number, or the lock file could not tell them apart. */
function uniqueNames(servers: readonly ConfiguredServer[]): string[] {
  const taken = new Set<string>();
  return servers.map(({ name }) => {
    const plain = serverName(name) || 'server';
    let free = plain;
    for (let n = 2; taken.has(free); n++) free = `${plain}-${n}`;
    taken.add(free);
    return free;
  });
}

async function list(
  server: ConfiguredServer,
  options: BillOptions,
  hide: (text: string) => string,
): Promise<Listing> {
  const launch = server.launch?.open();
  if (launch === undefined) {
    throw server.problems[0] ?? new Problem('config.bad-field', 'cannot be told how it is reached');
  }
  const { timeoutMs, signal } = options;
  if (launch.transport === 'stdio') {
    const { command, args } = launch;
    const env = { ...options.env, ...launch.env };
    return listStdio({
      command,
      args,
      env,
      cwd: await folderOf(launch, options),
      timeoutMs,
      signal,
      hide,
    });
  }
  if (launch.transport === 'sse') {
    throw new Problem(
      'server.old-transport',
      'it speaks HTTP with SSE as it was before 2025-03-26',
      {
        mend: 'Ask for its Streamable HTTP endpoint, often /mcp in place of /sse.',
      },
    );
  }
  return listHttp({ url: launch.url, headers: launch.headers, timeoutMs, signal, hide });
}

async function folderOf({ cwd }: Launch & { transport: 'stdio' }, options: BillOptions) {
  if (cwd === null) return options.cwd;
  const folder = resolve(options.cwd, cwd);
  const found = await stat(folder).catch(() => null);
  if (found?.isDirectory()) return folder;
  throw new Problem('config.no-folder', 'its working folder does not exist', {
    mend: 'Make the folder, or correct cwd.',
  });
}

function weighListed({ tools }: Listing, options: Parameters<typeof weigh>[1]): Weight {
  try {
    return weigh(tools, options);
  } catch (cause) {
    throw unweighable(cause);
  }
}

/** All that was filled into a server's entry, by where. */
function valuesOf({ launch, args, command, url }: ConfiguredServer): Record<string, string> {
  const open = launch?.open();
  if (open === undefined) return {};
  if (open.transport !== 'stdio') {
    return { ...open.headers, ...(open.url === url ? {} : { url: open.url }) };
  }
  const filled = open.args.flatMap((arg, i) =>
    arg === args[i] ? [] : [[`argument ${i + 1}`, arg]],
  );
  return {
    ...open.env,
    ...Object.fromEntries(filled),
    ...(open.command === command ? {} : { command: open.command }),
  };
}

/** What is wrong with the file, and with servers that could be weighed all the same. */
function warningsOf(config: Config, here: readonly ConfiguredServer[]): BillReport['warnings'] {
  const all = [
    ...config.problems,
    ...here.filter(({ launch }) => launch !== null).flatMap(({ problems }) => problems),
  ];
  return all.map(({ code, at, message }) => ({
    code,
    message: at === undefined ? message : `${at}: ${message}`,
  }));
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
