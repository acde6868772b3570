/** Does what `weigh` was asked for, from the first question to the finished report. It prints nothing. */
import { realpathSync, statSync, writeFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { writeAtomic } from '../disk/atomic.ts';
import { bytesPerToken, reservedBytes } from '../measure/memory.ts';
import type { BillReport, Report, ServerReport } from '../measure/report.ts';
import { serialise, shapeTools } from '../measure/shape.ts';
import { slim } from '../measure/slim.ts';
import type { Tokenizer } from '../measure/tokens.ts';
import { tokensMethod, weigh } from '../measure/weigh.ts';
import { countRendered, loadTemplate } from '../packages/chat-template.ts';
import { loadTokenizer, type TokenizerOptions } from '../packages/tokenizer.ts';
import { headersFromEnv } from '../probe/header.ts';
import { readUrl } from '../probe/http.ts';
import { Problem, refused } from '../problem.ts';
import { type Asked, type Subject, serverName } from './asked.ts';
import { type Catalogue, weighBill } from './bill.ts';
import { type Listing, listFile, listHttp, listStdio, unweighable } from './listing.ts';
import { holdGate } from './lock.ts';
import { weighSkills } from './skills.ts';

/** What the world gives. */
export interface Around extends TokenizerOptions {
  /** Where the user is: paths and servers start there. */
  cwd: string;
  env: Readonly<Record<string, string>>;
  signal: AbortSignal;
  /** Told of the servers of a configuration, and how each fares. */
  onServers(names: string[]): void;
  onServer(name: string, says: string): void;
}

/** Throws Problem; a server's own failure is a ProbeFailure or a Problem `server.*`. */
export async function weighAsked(asked: Asked, around: Around): Promise<Report> {
  const { subject, tokenizers, shape, timeoutMs } = asked;
  // Before any server is started: a vocabulary that is not to be had should be said at once.
  const [tokenizer, ...others] = await Promise.all(
    tokenizers.map((name) => loadTokenizer(name, around)),
  );
  if (tokenizer === undefined) throw new Problem('tokenizer.unknown', 'no tokenizer was asked for');
  if (subject.kind === 'skills') {
    return weighSkills(resolve(around.cwd, subject.folder), subject.folder, tokenizer);
  }
  if (subject.kind === 'config') {
    const { file } = subject;
    const path = resolve(around.cwd, file);
    const options = { ...around, path, named: file, shape, tokenizer, timeoutMs };
    const { report, catalogues } = await weighBill({ ...options, jobs: asked.jobs });
    const besides = await beside(asked, around, catalogues, [tokenizer, ...others], report);
    return { ...report, ...besides };
  }

  const listing = await list(subject, asked, around);
  const server =
    asked.name ?? (serverName(listing.name ?? '') || serverName(fallback(subject)) || 'server');
  const catalogue = { server, tools: listing.tools };
  let weight: ReturnType<typeof weigh>;
  try {
    weight = weigh(listing.tools, { shape, server, tokenizer });
  } catch (cause) {
    throw unweighable(cause, subject.kind === 'file' ? subject.file : null);
  }
  const report: ServerReport = {
    kind: 'server',
    server,
    protocol: listing.protocol,
    ...weight,
    warnings: listing.warnings,
  };
  const besides = await beside(asked, around, [catalogue], [tokenizer, ...others], report);
  const slimmed = asked.slim !== null && {
    slim: writeSlim(asked.slim, catalogue, asked, tokenizer, around),
  };
  return { ...report, ...besides, ...slimmed };
}

function list(
  subject: Exclude<Subject, { kind: 'config' | 'skills' }>,
  { timeoutMs }: Asked,
  { cwd, env, signal }: Around,
): Promise<Listing> {
  switch (subject.kind) {
    case 'command':
      return listStdio({
        command: subject.command,
        args: subject.args,
        env,
        cwd,
        timeoutMs,
        signal,
      });
    case 'url': {
      const headers = headersFromEnv(subject.headerEnv, env);
      return listHttp({ url: subject.url, headers, timeoutMs, signal });
    }
    case 'file':
      return listFile(resolve(cwd, subject.file), subject.file);
  }
}

/** What a server is called that does not say; empty where nothing tells. */
function fallback(subject: Exclude<Subject, { kind: 'config' | 'skills' }>): string {
  if (subject.kind === 'command') return basename(subject.command);
  if (subject.kind === 'url') return readUrl(subject.url).hostname;
  const name = basename(subject.file).replace(/\.[a-z]+$/i, '');
  return /^[0-9a-f]{64}$/.test(name) ? '' : name; // a payload of the ledger is named by its hash
}

/** Everything that can be asked for beside a weight. */
async function beside(
  { shape, tokenizers, template, kv, gate }: Asked,
  around: Around,
  catalogues: readonly Catalogue[],
  all: readonly Tokenizer[],
  report: ServerReport | BillReport,
): Promise<Pick<ServerReport, 'tokenizers' | 'rendered' | 'memory' | 'gate'>> {
  const texts = catalogues.map(({ server, tools }) =>
    serialise(shapeTools(tools, shape, server).map(({ sent }) => sent)),
  );
  const rendered =
    template === null ? null : countRendered(await loadTemplate(template, around), catalogues);
  const total = report.kind === 'bill' ? report.totals.upfront : report.tokens.total;
  const failed = report.kind === 'bill' ? report.failed.map(({ server }) => server) : [];
  const baseline = gate?.baseline ?? null;
  return {
    ...(tokenizers.length > 1 && {
      tokenizers: all.map(({ name, count }) => ({
        tokenizer: name,
        method: tokensMethod({ tokenizer: name, shape }),
        tokens: texts.reduce((sum, text) => sum + count(text), 0),
      })),
    }),
    ...(rendered !== null && { rendered }),
    ...(kv !== null && { memory: memoryOf(kv, rendered?.prompt_tokens ?? total) }),
    ...(gate !== null && {
      gate: await holdGate(catalogues, {
        baseline:
          baseline === null ? null : { path: resolve(around.cwd, baseline), named: baseline },
        ...{ write: gate.write, limits: gate.limits, shape, tokenizer: all[0]!, failed },
      }),
    }),
  };
}

function memoryOf(
  { layout, source }: NonNullable<Asked['kv']>,
  tokens: number,
): NonNullable<ServerReport['memory']> {
  return {
    attention_layers: layout.attentionLayers,
    kv_heads: layout.kvHeads,
    head_dim: layout.headDim,
    bytes_per_number: layout.bytesPerNumber,
    step_tokens: layout.stepTokens,
    source,
    tokens,
    bytes_per_token: bytesPerToken(layout),
    reserved_bytes: reservedBytes(tokens, layout),
  };
}

function writeSlim(
  file: string,
  { server, tools }: Catalogue,
  { shape }: Asked,
  tokenizer: Tokenizer,
  { cwd }: Around,
): NonNullable<ServerReport['slim']> {
  const slimmed = slim(tools, { tokenizer });
  const tokensOf = (list: typeof tools) =>
    tokenizer.count(serialise(shapeTools(list, shape, server).map(({ sent }) => sent)));
  try {
    const path = resolve(cwd, file);
    const text = `${JSON.stringify({ tools: slimmed.tools }, null, 2)}\n`;
    const there = statSync(path, { throwIfNoEntry: false });
    // What is there is replaced whole or not at all; a device, as /dev/stdout is, can only be written to.
    if (there === undefined) writeAtomic(path, text);
    else if (there.isFile()) writeAtomic(realpathSync(path), text);
    else writeFileSync(path, text);
  } catch (cause) {
    throw refused('slim.unwritable', cause, file);
  }
  return {
    file,
    before: tokensOf(tools),
    pruned: tokensOf(slim(tools, { tokenizer, hoist: false }).tools),
    after: tokensOf(slimmed.tools),
    dropped: slimmed.dropped,
    hoisted: slimmed.hoisted,
    newly_referring: slimmed.newlyReferring,
    untouched: slimmed.untouched,
  };
}
