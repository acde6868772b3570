/**
 * Captures releases of servers side by side and turns what came into entries. It must never record a
 * part of a run that was interrupted, nor what says nothing about a server, such as a lost network.
 */
import { join } from 'node:path';
import type { ServerContent } from '../articles/servers.ts';
import { withLock } from '../disk/lock.ts';
import type { Batch } from '../ledger/batch.ts';
import { canonical } from '../ledger/canonical.ts';
import type { DiscoverBody, ToolsListBody } from '../ledger/entry.ts';
import { captureKey, type Recorded } from '../ledger/fold.ts';
import { Problem } from '../problem.ts';
import { type Capture, type CaptureOptions, captureDiscovery, captureServer } from './capture.ts';
import { ownFolder, PLACES } from './place.ts';

type Asked = ToolsListBody | DiscoverBody;
/** A capture, or why there is none that could be evidence. */
export type Attempt<Body extends Asked = ToolsListBody> = { server: ServerContent } & (
  | { capture: Capture<Body> }
  | { problem: Problem }
);

export type RefreshOptions<Body extends Asked = ToolsListBody> = Omit<CaptureOptions, 'onStage'> & {
  /** How many at once. */
  jobs: number;
  /** Told the captureKey of a release and where it is. */
  onStage?: (release: string, stage: string) => void;
  onAttempt?: (attempt: Attempt<Body>) => void;
  /** How long to wait for another refresh on this machine; the places are shared. Default 0. */
  waitMs?: number;
};

/**
 * Captures the servers, `jobs` at a time; the attempts come in the order of the servers. Releases
 * of one server share its place: they are installed side by side and asked one after the other. One
 * run a machine. Throws Problem `lock.held`, `place.refused`, and `probe.aborted` once the signal fires
 * and every child has ended.
 */
export function captureAll(
  servers: readonly ServerContent[],
  options: RefreshOptions,
): Promise<Attempt[]> {
  return attemptAll(servers, options, captureServer);
}

/** Older servers may keep silent; one that has just given its list needs no longer than this. */
const DISCOVER_MS = 10_000;

/** Captures in the same way what each answers to `server/discover`. */
export function discoverAll(
  servers: readonly ServerContent[],
  options: RefreshOptions<DiscoverBody>,
): Promise<Attempt<DiscoverBody>[]> {
  const timeoutMs = Math.min(options.timeoutMs, DISCOVER_MS);
  return attemptAll(servers, { ...options, timeoutMs }, captureDiscovery);
}

async function attemptAll<Body extends Asked>(
  servers: readonly ServerContent[],
  { jobs, onStage, onAttempt, waitMs = 0, ...options }: RefreshOptions<Body>,
  take: (server: ServerContent, options: CaptureOptions) => Promise<Capture<Body>>,
): Promise<Attempt<Body>[]> {
  const places = options.places ?? PLACES;
  await ownFolder(places);
  const attempts: Attempt<Body>[] = [];
  const waiting = [...servers.keys()];
  const running: string[] = [];
  const work = async (): Promise<void> => {
    while (waiting.length > 0 && !options.signal?.aborted) {
      // A server none of whose releases is under way, if there is one, since its place is free.
      const free = waiting.findIndex((at) => !running.includes(servers[at]!.name));
      const [at = 0] = waiting.splice(Math.max(free, 0), 1);
      const server = servers[at]!;
      running.push(server.name);
      const attempt = await take(server, {
        ...options,
        onStage: (stage) => onStage?.(captureKey(server.name, server.version), stage),
      }).then(
        (capture) => ({ server, capture }),
        (problem: unknown) => {
          if (problem instanceof Problem) return { server, problem };
          throw problem;
        },
      );
      running.splice(running.indexOf(server.name), 1);
      attempts[at] = attempt;
      if (!options.signal?.aborted) onAttempt?.(attempt);
    }
  };
  const all = () => Promise.all(Array.from({ length: jobs }, work));
  await withLock(join(places, '.lock'), 'weighing servers on this machine', all, { waitMs });
  if (options.signal?.aborted) throw new Problem('probe.aborted', 'interrupted: nothing is kept');
  return attempts;
}

/**
 * Adds one `capture.add` for each capture, in the order given: a payload that the ledger's latest
 * capture of that kind, server and version has already is `unchanged`. Returns the bodies as added.
 */
export function recordCaptures(
  batch: Batch,
  captures: readonly { body: Asked; payload: Uint8Array | null }[],
): Asked[] {
  return captures.map(({ body, payload }) => {
    let added: Asked = body;
    if (payload !== null) {
      const blob = batch.blob(payload);
      const { captures: lists, discoveries } = batch.fold;
      const standing = body.kind === 'discover' ? discoveries : lists;
      const was = standing.get(captureKey(body.server, body.package.version))?.captured ?? null;
      const same =
        was?.entry.body.package.name === body.package.name &&
        was.entry.body.blob?.sha256 === blob.sha256;
      const news = same ? ({ outcome: 'unchanged', unchanged_from: was.leaf } as const) : {};
      added = { ...body, blob, ...news };
    }
    batch.add({ type: 'capture.add', article: null, body: added });
    return added;
  });
}

/** Those of the captures that no entry holds, for one may come back by another merge. */
export function notYetRecorded<C extends { body: ToolsListBody }>(
  captures: readonly C[],
  entries: readonly Recorded[],
): C[] {
  // What only the ledger could say of it is left out.
  const said = (body: ToolsListBody) =>
    canonical({ ...body, outcome: body.failure === null, unchanged_from: null });
  const held = new Set(
    entries.flatMap(({ entry }) =>
      entry.type === 'capture.add' && entry.body.kind === 'tools_list' ? said(entry.body) : [],
    ),
  );
  return captures.filter(({ body }) => !held.has(said(body)));
}
