/**
 * Weighs the one server that comes with this project once more, and holds what it says now against
 * its receipt. It needs no network, and must never record anything.
 */
import { hash } from 'node:crypto';
import { join } from 'node:path';
import { parseServers } from '../articles/servers.ts';
import type { ContentFiles } from '../disk/content.ts';
import { captureKey, type Fold } from '../ledger/fold.ts';
import { o200k } from '../measure/o200k.ts';
import { parsePayload } from '../measure/payload.ts';
import { weigh } from '../measure/weigh.ts';
import { findInstalled } from '../packages/install.ts';
import { Problem } from '../problem.ts';
import { captureAll } from './refresh.ts';

/** Pinned in package.json at the version that content/servers.yaml names. */
export const BUNDLED = 'memory';

export interface Reweighed {
  /** `@scope/name@1.2.3` */
  package: string;
  tools: number;
  /** As the pages count: o200k_base, Anthropic's shape, compact. */
  tokens: number;
  sha256: string;
  /** The capture that it is held against; null when the ledger holds none. */
  receipt: { seq: number; sha256: string } | null;
}

/**
 * Starts the bundled server in its fixed place. Throws Problem: `bundled.missing` when it is not in
 * node_modules, else what captureAll throws or the server failed with.
 */
export async function weighBundled(
  root: string,
  content: ContentFiles,
  fold: Fold,
  options: { run: string; signal: AbortSignal },
): Promise<Reweighed> {
  const server = parseServers(content.servers).find(({ name }) => name === BUNDLED);
  const missing = (at: string) =>
    new Problem('bundled.missing', 'the bundled server is not there', {
      at,
      mend: 'Run `npm ci`.',
    });
  if (server === undefined) throw missing('content/servers.yaml');
  const at = `${server.package}@${server.version}`;
  const [attempt] = await captureAll([server], {
    ...options,
    jobs: 1,
    timeoutMs: 30_000,
    cacheDir: join(root, '.cache/npm'),
    install: async ({ name, version }) => {
      const installed = await findInstalled(root, name, version);
      if (installed === null) throw missing(at);
      return installed;
    },
  });
  if (attempt === undefined) throw missing(at);
  if ('problem' in attempt) throw attempt.problem;
  const { body, payload } = attempt.capture;
  if (payload === null)
    throw new Problem(body.failure?.code ?? '', body.failure?.message ?? '', { at });
  const tools = parsePayload(payload);
  const { tokens } = weigh(tools, { shape: 'anthropic', server: server.name, tokenizer: o200k() });
  const captured = fold.captures.get(captureKey(server.name, server.version))?.captured;
  const blob = captured?.entry.body.blob;
  return {
    package: at,
    tools: tools.length,
    tokens: tokens.total,
    sha256: hash('sha256', payload),
    receipt: captured && blob ? { seq: captured.seq, sha256: blob.sha256 } : null,
  };
}
