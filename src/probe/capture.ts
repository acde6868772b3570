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
import type { ToolsListBody } from '../ledger/entry.ts';
import { installPackage } from '../packages/install.ts';
import { checkCatalogue } from './catalogue.ts';
import { STDERR_TAIL_BYTES } from './child.ts';
import { PLACES, withPlace } from './place.ts';
import { PROTOCOL_REQUESTED, type Probed, ProbeFailure, probeStdio } from './stdio.ts';

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
export type Capture =
  | { body: ToolsListBody & { outcome: 'captured' }; payload: Uint8Array; listMs: number }
  | { body: ToolsListBody & { outcome: 'failed' }; payload: null };

/**
 * Captures a server. A server that fails gives a `failed` body, for that is evidence. What says
 * nothing about the server is thrown: Problem `package.*`, `place.*`, `redact.*`, `probe.aborted`.
 */
export async function captureServer(
  server: ServerContent,
  options: CaptureOptions,
): Promise<Capture> {
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
        kind: 'tools_list',
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
          transport: 'stdio',
          args: server.args,
          env: server.env,
          place: place.root,
          node: process.version,
          protocol_requested: PROTOCOL_REQUESTED,
          client_capabilities: JSON.stringify(CLIENT_CAPABILITIES),
        },
        unchanged_from: null,
      } as const;
      onStage?.('starting');
      try {
        const probed = await probeStdio({
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
        });
        const { payload, redactions } = redact(payloadOf(probed.pages), known);
        const body = {
          ...about,
          outcome: 'captured' as const,
          answer: answerOf(probed, known),
          blob: {
            sha256: createHash('sha256').update(payload).digest('hex'),
            bytes: payload.length,
          },
          failure: null,
          redactions,
        };
        return { body, payload, listMs: probed.listMs };
      } catch (error) {
        if (!(error instanceof ProbeFailure) || error.code === 'probe.aborted') throw error;
        const failure = {
          code: error.code,
          message: plain(error.message, known),
          stderr_tail: plain(error.stderrTail, known, STDERR_TAIL_BYTES),
          elapsed_ms: error.elapsedMs,
        };
        const none = { answer: null, blob: null, redactions: [] };
        return { body: { ...about, ...none, outcome: 'failed', failure }, payload: null };
      }
    },
    places,
  );
}

/** The bytes that are stored: each page's line as it came, ended by one LF. */
export function payloadOf(pages: readonly Uint8Array[]): Uint8Array {
  const end = Uint8Array.of(0x0a);
  return Buffer.concat(pages.flatMap((page) => [page, end]));
}

function answerOf(probed: Probed, known: Known): NonNullable<ToolsListBody['answer']> {
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
