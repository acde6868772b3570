/**
 * Takes one capture: a server of content/servers.yaml, installed, started in its fixed place, asked
 * twice, its answer redacted and described. It must never write to the ledger, and never let
 * through a byte that redaction has not seen.
 */
import { createHash } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, dirname, resolve } from 'node:path';
import { z } from 'zod';
import type { ServerContent } from '../articles/servers.ts';
import { type Known, redact } from '../disk/redact.ts';
import type { DiscoverBody, ToolsListBody } from '../ledger/entry.ts';
import { installPackage } from '../packages/install.ts';
import { checkCatalogue } from './catalogue.ts';
import { STDERR_TAIL_BYTES } from './child.ts';
import { type Caching, DISCOVER_VERSION, discoverStdio } from './discover.ts';
import { PLACES, withPlace } from './place.ts';
import {
  PROTOCOL_REQUESTED,
  type Probed,
  ProbeFailure,
  type ProbeOptions,
  probeStdio,
} from './stdio.ts';

type ToolsAnswer = NonNullable<ToolsListBody['answer']>;
type DiscoverAnswer = NonNullable<DiscoverBody['answer']>;

/** Nothing is declared: a list that depends on the caller is taken as the plainest caller gets it. */
const CLIENT_CAPABILITIES = {};
/** For each warning and error: an entry has one line of 64 KiB for all of them. */
const MESSAGE_CHARACTERS = 500;

export type CaptureOptions = {
  /** Packages are kept here: `.cache/npm`. */
  cacheDir: string;
  /** When the run began, RFC 3339 in UTC with milliseconds. */
  run: string;
  timeoutMs: number;
  signal?: AbortSignal;
  /** How a package is had; default: installed into the cache. */
  install?: typeof installPackage;
  /** Told `installing`, `starting`, `listing`. */
  onStage?: (stage: string) => void;
  /** Only tests capture elsewhere. */
  places?: string;
};

/** `body.outcome` is `captured` or `failed`; whether it is `unchanged` only the ledger can tell. */
export type Capture<Body extends ToolsListBody | DiscoverBody = ToolsListBody> =
  | { body: Body & { outcome: 'captured' }; payload: Uint8Array; listMs: number }
  | { body: Body & { outcome: 'failed' }; payload: null };

/**
 * Captures a server's tools. A server that fails gives a `failed` body, for that is evidence. What
 * says nothing about the server is thrown: Problem `package.*`, `place.*`, `redact.*`, `probe.aborted`.
 */
export async function captureServer(
  server: ServerContent,
  options: CaptureOptions,
): Promise<Capture> {
  const { about, ...came } = await ask(server, options, PROTOCOL_REQUESTED, listed);
  const asked = { kind: 'tools_list', ...about } as const;
  if (came.payload === null) return { body: { ...asked, ...came.body }, payload: null };
  return { ...came, body: { ...asked, ...came.body } };
}

/** Captures what a server answers to `server/discover`, in a process of its own. Throws as captureServer does. */
export async function captureDiscovery(
  server: ServerContent,
  options: CaptureOptions,
): Promise<Capture<DiscoverBody>> {
  const { about, ...came } = await ask(server, options, DISCOVER_VERSION, discovered);
  const asked = { kind: 'discover', ...about } as const;
  if (came.payload === null) return { body: { ...asked, ...came.body }, payload: null };
  return { ...came, body: { ...asked, ...came.body } };
}

/** An answer with the lines that it came in. */
interface Told<Answer> {
  answer: Answer;
  lines: readonly Uint8Array[];
  listMs: number;
}
type Failure = NonNullable<ToolsListBody['failure']>;

/** Installs a server and starts it in its place, where `question` is put to it. */
async function ask<Answer>(
  server: ServerContent,
  options: CaptureOptions,
  protocol: string,
  question: (probe: ProbeOptions, known: Known) => Promise<Told<Answer> | { failure: Failure }>,
) {
  const { cacheDir, run, timeoutMs, signal, onStage } = options;
  const { install = installPackage, places = PLACES } = options;
  const abort = signal === undefined ? {} : { signal };
  // A stack trace names the real folder, also where the cache is a link to another.
  const cache = await realpath(cacheDir).catch(() => resolve(cacheDir));
  const known = { folders: [...new Set([resolve(cacheDir), cache, process.cwd(), homedir()])] };
  const installed = await install({
    name: server.package,
    version: server.version,
    asOf: server.as_of,
    pins: server.pins,
    cacheDir,
    ...abort,
    log: () => onStage?.('installing'),
  });
  const script = installed.bin(server.bin);
  return withPlace(
    server.name,
    async (place) => {
      const about = {
        server: server.name,
        package: {
          name: server.package,
          version: server.version,
          integrity: installed.integrity,
          as_of: server.as_of,
          ...(Object.keys(server.pins).length > 0 && { pins: server.pins }),
        },
        run,
        recipe: {
          transport: 'stdio' as const,
          args: server.args,
          env: server.env,
          place: place.root,
          node: process.version,
          protocol_requested: protocol,
          client_capabilities: JSON.stringify(CLIENT_CAPABILITIES),
        },
        unchanged_from: null,
      };
      onStage?.('starting');
      const probe: ProbeOptions = {
        command: process.execPath,
        args: [script, ...server.args],
        cwd: place.work,
        env: {
          ...server.env,
          PATH: [dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter),
          HOME: place.home,
        },
        timeoutMs,
        ...abort,
        clientCapabilities: CLIENT_CAPABILITIES,
        onEvent: (event) => event === 'initialized' && onStage?.('listing'),
      };
      const told = await question(probe, known).catch((error: unknown) => {
        if (!(error instanceof ProbeFailure) || error.code === 'probe.aborted') throw error;
        return { failure: failureOf(error, known) };
      });
      if ('failure' in told) {
        const none = { answer: null, blob: null, redactions: [] };
        const body = { ...none, outcome: 'failed' as const, failure: told.failure };
        return { about, body, payload: null };
      }
      const { payload, redactions } = redact(payloadOf(told.lines), known);
      const sha256 = createHash('sha256').update(payload).digest('hex');
      const body = {
        outcome: 'captured' as const,
        answer: told.answer,
        blob: { sha256, bytes: payload.length },
        failure: null,
        redactions,
      };
      return { about, body, payload, listMs: told.listMs };
    },
    places,
  );
}

function failureOf(
  failed: { code: string; message: string; stderrTail: string; elapsedMs: number },
  known: Known,
): Failure {
  return {
    code: failed.code,
    message: plain(failed.message, known),
    stderr_tail: plain(failed.stderrTail, known, STDERR_TAIL_BYTES),
    elapsed_ms: failed.elapsedMs,
  };
}

async function listed(probe: ProbeOptions, known: Known): Promise<Told<ToolsAnswer>> {
  const probed = await probeStdio(probe);
  return { answer: answerOf(probed, known), lines: probed.pages, listMs: probed.listMs };
}

async function discovered(
  probe: ProbeOptions,
  known: Known,
): Promise<Told<DiscoverAnswer> | { failure: Failure }> {
  const got = await discoverStdio(probe);
  const versions = got.supportedVersions?.map((version) => plain(version, known)) ?? null;
  if (got.outcome === 'refused') {
    const { discovery, code, message, how, elapsedMs } = got;
    if (discovery === null) {
      return { failure: failureOf({ ...got, code: `server.${how}` }, known) };
    }
    // One that answers, and names other revisions, has sent no error.
    const isError = 'error' in JSON.parse(Buffer.from(discovery).toString());
    const error = isError && code !== null ? { code, message: plain(message, known) } : null;
    const answer = {
      protocol_negotiated: null,
      supported_versions: versions,
      error,
      caching: null,
    };
    return { answer, lines: [discovery], listMs: elapsedMs };
  }
  const kept = ({ ttlMs, cacheScope }: Caching) => ({
    ttl_ms: Number.isSafeInteger(ttlMs) && ttlMs !== null && ttlMs >= 0 ? ttlMs : null,
    cache_scope: cacheScope === null ? null : plain(cacheScope, known),
  });
  const answer = {
    protocol_negotiated: got.protocolNegotiated,
    supported_versions: versions,
    error: null,
    caching: { discover: kept(got.caching.discover), list: kept(got.caching.list) },
  };
  return { answer, lines: [got.discovery], listMs: got.listMs };
}

/** The bytes that are stored: each page's line as it came, ended by one LF. */
export function payloadOf(pages: readonly Uint8Array[]): Uint8Array {
  const end = Uint8Array.of(0x0a);
  return Buffer.concat(pages.flatMap((page) => [page, end]));
}

function answerOf(probed: Probed, known: Known): ToolsAnswer {
  const text = (value: string | null) => (value === null ? null : plain(value, known));
  return {
    protocol_negotiated: plain(probed.protocolNegotiated, known),
    server_name: text(probed.serverName),
    server_version: text(probed.serverVersion),
    pages: probed.pages.length,
    tools: probed.tools.length,
    same_order: probed.sameOrder,
    same_bytes: probed.sameBytes,
    warnings: [...probed.warnings, ...checkCatalogue(probed.tools)].map(({ code, message }) => ({
      code,
      message: plain(message, known),
    })),
  };
}

/** A server's words as an entry may hold them: redacted, then well formed, NFC, not too long. */
function plain(text: string, known: Known, limit = MESSAGE_CHARACTERS): string {
  const { payload } = redact(Buffer.from(JSON.stringify(text)), known);
  const redacted = z.string().parse(JSON.parse(Buffer.from(payload).toString()));
  return redacted.slice(0, limit).toWellFormed().normalize('NFC');
}
