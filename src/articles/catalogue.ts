/**
 * From the fold to one record a server: its newest catalogue tool by tool, its releases, and every
 * attempt to ask it. Pure but for the given blob reader; it holds captured text as it came.
 */
import type { Fold } from '../ledger/fold.ts';
import { type Collision, findCollisions } from '../measure/collisions.ts';
import type { Discovered } from '../measure/eras.ts';
import { decimal, format, type WeighedServer } from '../measure/figure.ts';
import { builtInFigures } from '../measure/figures.ts';
import { releaseFigures } from '../measure/history.ts';
import { o200k } from '../measure/o200k.ts';
import { utf8Length } from '../measure/repeats.ts';
import { serialise, shapeTools } from '../measure/shape.ts';
import { weighCaptures } from './captures.ts';
import type { ReleaseHistory } from './history.ts';
import type { AttemptRecord, CaptureRecord, FigureRecord } from './record.ts';
import type { ServerContent } from './servers.ts';

/** One tool of a catalogue, measured by itself. */
export interface ToolRecord {
  /** As listed. */
  name: string;
  /** Of its address: one of a kind within the server. */
  slug: string;
  /** Null where the server gave none. */
  description: string | null;
  /** The compact JSON that is counted. */
  sent: string;
  /** UTF-8 bytes of `sent`. */
  bytes: number;
  /** `total`: of `sent`; the parts are of these texts alone. */
  tokens: { total: number; name: number; description: number; schema: number };
  /** Names of the listed fields that no model is sent. */
  unsent: string[];
}

export interface ServerRecord {
  /** The newest payload, weighed. */
  weighed: WeighedServer;
  /** False: for its history alone, so that it is part of no total. */
  counted: boolean;
  licence: string;
  why: string | null;
  capture: CaptureRecord;
  /** In the order listed. */
  tools: ToolRecord[];
  /** With tools of the other counted servers. */
  collisions: Collision[];
  /** What it answers to `server/discover`, with the capture; null where it was not asked. */
  discovered: { answer: Discovered; capture: CaptureRecord } | null;
  /** The oldest first; the newest is the one above. */
  history: ReleaseHistory;
  /** Captures of its releases by leaf. */
  captures: ReadonlyMap<string, CaptureRecord>;
  /** Every attempt to ask it, oldest first. */
  attempts: AttemptRecord[];
  /** `servers.<name>.…` and `releases.<name>.…`. */
  figures: FigureRecord[];
}

export interface Given {
  fold: Fold;
  blob: (sha256: string) => Uint8Array;
  /** Every release of every server, as parseReleases gives them. */
  releases: readonly ServerContent[];
  /** Names of the servers that are counted. */
  counted: ReadonlySet<string>;
  histories: readonly ReleaseHistory[];
  captures: ReadonlyMap<string, CaptureRecord>;
  discovered: readonly Discovered[];
  attempts: readonly AttemptRecord[];
}

/** In the order of content/servers.yaml; a server whose current release was never had is left out. */
export function serverRecords(given: Given): ServerRecord[] {
  const { fold, blob, releases, counted, histories, captures, discovered, attempts } = given;
  const newest = [...new Map(releases.map((one) => [one.name, one])).values()];
  const { servers, captures: own } = weighCaptures(fold, blob, newest);
  const clashes = findCollisions(
    servers
      .filter(({ name }) => counted.has(name))
      .map(({ name, tools }) => ({ server: name, tools: tools.map((tool) => tool.name) })),
  );
  return servers.flatMap((weighed): ServerRecord[] => {
    const { name, leaf } = weighed;
    const about = newest.find((one) => one.name === name);
    const capture = own.get(leaf);
    const history = histories.find((one) => one.name === name);
    if (about === undefined || capture === undefined || history === undefined) return [];
    const answer = discovered.find(({ server }) => server === name);
    const asked = answer && captures.get(answer.leaf);
    const figures = [...builtInFigures([weighed]), ...releaseFigures([history])].filter(
      ({ id }) => id.split('.')[1] === name,
    );
    return [
      {
        weighed,
        counted: counted.has(name),
        licence: about.licence,
        why: about.why ?? null,
        capture,
        tools: toolRecords(weighed),
        collisions: clashes.filter(({ tools }) => tools.some(({ server }) => server === name)),
        discovered: answer && asked ? { answer, capture: asked } : null,
        history,
        captures: new Map(
          history.releases.flatMap((release) => {
            const held = captures.get(release.leaf);
            return held ? [[release.leaf, held]] : [];
          }),
        ),
        attempts: attempts.filter(
          ({ kind, subject }) => (kind === 'tools_list' || kind === 'discover') && subject === name,
        ),
        figures: figures.map((one) => ({ ...one, text: format(one), decimal: decimal(one) })),
      },
    ];
  });
}

/** Fields of a listed tool that reach a model. */
const SENT = new Set(['name', 'description', 'inputSchema']);

function toolRecords({ name: server, tools }: WeighedServer): ToolRecord[] {
  const tokenizer = o200k();
  const slugs = toolSlugs(tools.map(({ name }) => name));
  return shapeTools(tools, 'anthropic', server).map((tool, i) => {
    const sent = serialise(tool.sent);
    return {
      name: tool.listed,
      slug: slugs[i]!,
      description: tool.description ?? null,
      sent,
      bytes: utf8Length(sent),
      tokens: {
        total: tokenizer.count(sent),
        name: tokenizer.count(tool.name),
        description: tokenizer.count(tool.description ?? ''),
        schema: tool.schema === undefined ? 0 : tokenizer.count(serialise(tool.schema)),
      },
      unsent: Object.keys(tools[i]!).filter((field) => !SENT.has(field)),
    };
  });
}

/** The longest name that is an address as it stands; file systems take 255 bytes, with what follows. */
const LONGEST_SLUG = 100;

/**
 * One address a tool: its name where that is plain, else `tool-<place>`. Two names are never the same
 * address, not even on a disk that does not tell capitals apart.
 */
export function toolSlugs(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name, i) => {
    const plain = /^[A-Za-z0-9][A-Za-z0-9_-]*$/.test(name) && name.length <= LONGEST_SLUG;
    let slug = plain ? name : `tool-${i + 1}`;
    while (taken.has(slug.toLowerCase())) slug += '-2';
    taken.add(slug.toLowerCase());
    return slug;
  });
}
