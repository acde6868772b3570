/**
 * Puts the site together from disk: ledger, content, the articles' figures.ts. The one entry for
 * pages and scripts; it does the I/O and the order of steps, and decides nothing itself.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { weighCaptures } from './articles/captures.ts';
import { type ServerRecord, serverRecords } from './articles/catalogue.ts';
import { attemptsOf, chronicle } from './articles/chronicle.ts';
import { heldCounts } from './articles/counts.ts';
import { heldDiscoveries } from './articles/eras.ts';
import { compareCaptures, type ReleaseHistory } from './articles/history.ts';
import { type ParsedArticle, parseArticle, slugProblems } from './articles/parse.ts';
import { type Price, parsePrices } from './articles/prices.ts';
import { placeThrown } from './articles/prose.ts';
import { purityProblems } from './articles/purity.ts';
import { describe, reconcile, settle } from './articles/reconcile.ts';
import type { ArticleRecord, AttemptRecord } from './articles/record.ts';
import { type Resolved, resolveArticle, type Shared } from './articles/resolve.ts';
import { seriesProblems } from './articles/series.ts';
import { parseReleases, parseServers } from './articles/servers.ts';
import { symptomProblems } from './articles/symptom.ts';
import { parseTokenizers } from './articles/tokenizers.ts';
import { readContent } from './disk/content.ts';
import { nodeHash } from './disk/hash.ts';
import { type Ledger, openLedger } from './disk/ledger.ts';
import { Batch, type Stamp } from './ledger/batch.ts';
import { hex, Tree } from './ledger/tree.ts';
import { countFigures } from './measure/counts.ts';
import { type Discovered, eraFigures } from './measure/eras.ts';
import type { DeriveFigures, WeighedServer } from './measure/figure.ts';
import { builtInFigures } from './measure/figures.ts';
import { releaseFigures } from './measure/history.ts';
import { Problem } from './problem.ts';
import { parseClients, parseSettings } from './wire/clients.ts';
import {
  type ClientRecord,
  heldClients,
  judgeSettings,
  requestCaptures,
  type SettingRecord,
} from './wire/held.ts';

/** Of a batch that is only asked what it would hold: who would record, and when, is of no account. */
export const NOBODY: Stamp = { actor: 'nobody', ts: '1970-01-01T00:00:00.000Z' };
const HELD = Symbol.for('weighbridge.site');

export interface Site {
  /** What the ledger held: `root` and `head` are lower-case hex, `head` null while it is empty. */
  ledger: { entries: number; root: string; head: string | null };
  /** Latest payloads, in the order of content/servers.yaml. */
  servers: WeighedServer[];
  /** The releases of each server and what changed between them, in the same order; more servers than weighed now. */
  histories: readonly ReleaseHistory[];
  failures: ArticleRecord['failures'];
  /** All that is held of each server, those weighed for their history alone too, in the same order. */
  catalogues: readonly ServerRecord[];
  /** By slug, drafts too. One with problems is here where it can be read at all. */
  articles: ArticleRecord[];
  /** Every attempt to capture anything, oldest first. */
  attempts: readonly AttemptRecord[];
  /** Clients whose requests are weighed, and what settings were seen to do, in the order of content/. */
  clients: readonly ClientRecord[];
  settings: readonly SettingRecord[];
  prices: readonly Price[];
  /** Any one means that the published build must fail. */
  problems: Problem[];
  /** What `npm run record` would add, in words. Any one means that the published build must fail. */
  unrecorded: string[];
}

export interface Loaded {
  ledger: Ledger;
  shared: Shared;
  resolved: Resolved[];
  /** Slugs of the folders that can't be read as an article at all. */
  unread: string[];
  problems: Problem[];
  wire: Pick<Site, 'clients' | 'settings' | 'prices'>;
  /** Of each server of content/servers.yaml, the oldest first. */
  releases: ReturnType<typeof parseReleases>;
  /** What each server answered to `server/discover`. */
  discovered: readonly Discovered[];
}

/** What content/ says of clients, with what the ledger holds of them; `names`: of the servers. Throws Problem as its parsers do. */
function readWire(
  { fold, blob }: Ledger,
  content: ReturnType<typeof readContent>,
  names: readonly string[],
): Loaded['wire'] {
  const prices = content.prices === '' ? [] : parsePrices(content.prices);
  if (content.clients === '') return { clients: [], settings: [], prices };
  const file = parseClients(content.clients, names);
  const clients = heldClients(fold, blob, file, prices);
  const settings = content.settings === '' ? [] : parseSettings(content.settings, file);
  return { clients, settings: judgeSettings(settings, clients), prices };
}

/** Reads and resolves everything. Throws Problem when the ledger or servers.yaml can't be used at all. */
export async function load({
  root,
  ledger = openLedger(join(root, 'ledger')),
}: {
  root: string;
  ledger?: Ledger;
}): Promise<Loaded> {
  const content = readContent(root);
  const { fold, blob } = ledger;
  const listed = parseServers(content.servers);
  const now = weighCaptures(fold, blob, listed);
  const { servers, failures } = now;
  const releases = parseReleases(content.servers);
  const past = compareCaptures(fold, blob, releases);
  const { histories } = past;
  const asked = heldDiscoveries(fold, listed);
  const wanted = parseTokenizers(content.tokenizers);
  const counted = heldCounts(fold, blob, wanted);
  const names = listed.map(({ name }) => name);
  const wire = readWire(ledger, content, names);
  const { clients } = wire;
  const sent = { captures: requestCaptures(clients) };
  const captures = new Map([now, past, asked, counted, sent].flatMap((held) => [...held.captures]));
  const built = [
    ...builtInFigures(servers),
    ...releaseFigures(histories),
    ...eraFigures(servers, asked.discovered),
    ...countFigures(wanted, counted.counts, servers),
    ...clients.flatMap((client) => client.figures),
  ];
  const figures = new Map(built.map((figure) => [figure.id, figure]));
  const requests = clients.flatMap((client) => client.captures);
  const taken = new Map(
    ledger.entries.flatMap(({ leaf, seq, entry }) =>
      entry.type === 'capture.add' &&
      entry.body.outcome !== 'failed' &&
      !fold.redacted.has(entry.body.blob?.sha256 ?? '')
        ? [[leaf, seq] as const]
        : [],
    ),
  );
  const shared: Shared = { servers, histories, requests, figures, captures, taken, failures };
  const problems = slugProblems(content.articles.map(({ slug }) => slug));
  const resolved: Resolved[] = [];
  const unread: string[] = [];
  for (const files of content.articles) {
    const { article, problems: parsing } = parseArticle(files);
    if (article === null) {
      problems.push(...parsing);
      unread.push(files.slug);
      continue;
    }
    const { derive, problems: loading } = await importFigures(root, article);
    const one = resolveArticle(article, shared, loading.length > 0 ? 'broken' : derive);
    const all = [...parsing, ...loading, ...one.problems];
    problems.push(...all);
    resolved.push({ ...one, problems: all });
  }
  problems.push(...seriesProblems(resolved.map(({ parsed }) => parsed)));
  problems.push(...symptomProblems(resolved.map(({ parsed }) => parsed)));
  const { discovered } = asked;
  return { ledger, shared, resolved, unread, problems, wire, releases, discovered };
}

/** Loads an article's figures.ts, which must be pure. The query makes a changed file a new module. */
async function importFigures(
  root: string,
  { folder, files }: ParsedArticle,
): Promise<{ derive: DeriveFigures | null; problems: Problem[] }> {
  const file = files['figures.ts'];
  if (file === undefined) return { derive: null, problems: [] };
  const path = `${folder}/figures.ts`;
  const problems = purityProblems(path, file.text);
  if (problems.length > 0) return { derive: null, problems };
  const url = `${pathToFileURL(join(root, path)).href}?v=${file.sha256}`;
  const fail = (code: string, message: string, cause?: unknown) => ({
    derive: null,
    problems: [
      new Problem(code, message, { at: placeThrown(path, cause), mend: 'Mend the module.', cause }),
    ],
  });
  try {
    const module: { default?: unknown } = await import(/* @vite-ignore */ url);
    if (typeof module.default === 'function') {
      return { derive: module.default as DeriveFigures, problems: [] };
    }
    return fail('figures.default', 'its default export is no function');
  } catch (cause) {
    return fail('figures.load', cause instanceof Error ? cause.message : String(cause), cause);
  }
}

/** Where a held site stands: this module may be in a process twice, as itself and in a bundle. */
const held = globalThis as { [HELD]?: { root: string; site: Site } | undefined };

/**
 * Runs `act` while every `loadSite` of this root, in whichever copy of this module, gives this one
 * site: what a gate has let through is then just what is built, and is not worked out twice.
 */
export async function holdSite<T>(root: string, site: Site, act: () => Promise<T>): Promise<T> {
  held[HELD] = { root, site };
  try {
    return await act();
  } finally {
    held[HELD] = undefined;
  }
}

/** The site as pages show it. */
export async function loadSite({ root }: { root: string }): Promise<Site> {
  if (held[HELD]?.root === root) return held[HELD].site;
  const loaded = await load({ root });
  const { ledger, shared, resolved, releases, problems } = loaded;
  const batch = new Batch(ledger.fold, NOBODY);
  const more = reconcile(batch, loaded);
  const tree = new Tree(nodeHash);
  for (const { leaf } of ledger.entries) tree.push(Buffer.from(leaf, 'hex'));
  const attempts = attemptsOf(ledger.entries);
  const { histories, captures, servers } = shared;
  return {
    ledger: {
      entries: ledger.fold.size,
      root: hex(tree.root()),
      head: ledger.fold.size === 0 ? null : ledger.fold.head,
    },
    servers,
    histories,
    failures: shared.failures,
    catalogues: serverRecords({
      ...{ fold: ledger.fold, blob: ledger.blob, histories, captures, attempts, releases },
      counted: new Set(servers.map(({ name }) => name)),
      discovered: loaded.discovered,
    }),
    articles: chronicle(
      resolved.map((one) => settle(one, batch, ledger.fold)),
      ledger.entries,
    ),
    attempts,
    ...loaded.wire,
    problems: [...problems, ...more],
    unrecorded: batch.recorded.map((recorded) => describe(recorded, ledger.fold)),
  };
}
