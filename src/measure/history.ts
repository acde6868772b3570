/**
 * How a server's catalogue changed from release to release, and the built-in figures of that. Pure:
 * it must never compare what another tokenizer or shape was used for.
 */
import { type Difference, diffCatalogues, type Mark, markTools } from './diff.ts';
import type { Figure, Tool } from './figure.ts';
import { derived, difference, LISTED, type Quantity, share, total } from './figures.ts';
import { type Shape, serialise, shapeTools } from './shape.ts';
import { quantile } from './statistics.ts';
import type { Tokenizer } from './tokens.ts';
import { tokensMethod } from './weigh.ts';

/** What is measured of one release's catalogue; it does not depend on any other release. */
export interface Catalogue {
  tools: number;
  /** Of the whole array in the shape, compact: as `weigh` counts it. */
  tokens: number;
  /** Method id of `tokens`. */
  method: string;
  marks: readonly Mark[];
}

/** One captured release. */
export interface Release extends Omit<Catalogue, 'marks'> {
  version: string;
  /** Leaf of the capture.add entry and SHA-256 of its payload. */
  leaf: string;
  sha256: string;
  /** Against the captured release before it; null for the first. */
  difference: Difference | null;
}

/** One server's captured releases, the oldest first, as content/servers.yaml orders them. */
export interface History {
  name: string;
  package: string;
  releases: Release[];
}

/** Measures one catalogue so that others can be compared with it. Throws RangeError as `weigh` does. */
export function measureCatalogue(
  tools: readonly Tool[],
  as: { shape: Shape; server: string; tokenizer: Tokenizer },
): Catalogue {
  const { shape, server, tokenizer } = as;
  const sent = shapeTools(tools, shape, server).map((tool) => tool.sent);
  return {
    tools: tools.length,
    tokens: tokenizer.count(serialise(sent)),
    method: tokensMethod({ shape, tokenizer: tokenizer.name }),
    marks: markTools(tools, as),
  };
}

/** Compares each release with the one before it. */
export function compareReleases(
  captured: readonly (Pick<Release, 'version' | 'leaf' | 'sha256'> & { catalogue: Catalogue })[],
): Release[] {
  return captured.map(({ catalogue: { marks, ...measured }, ...about }, i) => {
    const before = captured[i - 1]?.catalogue.marks;
    return {
      ...about,
      ...measured,
      difference: before === undefined ? null : diffCatalogues(before, marks),
    };
  });
}

/** Method id of a count of tools that two catalogues do not have alike. */
const COMPARED = 'diff/listed@1';

/**
 * `releases.<name>.<version>.<measure>` of each release, `releases.<name>.<measure>` of each server
 * and `releases.all.<measure>`. What takes two releases is left out where there is one.
 */
export function releaseFigures(histories: readonly History[]): Figure[] {
  const each = histories
    .filter(({ releases }) => releases.length > 0)
    .map(({ name, releases }) => ({ name, own: ofServer(releases), releases: ofEach(releases) }));
  const groups = each.flatMap(({ name, own, releases }) => [
    ...releases.map(({ version, own }) => ({ prefix: `${name}.${version}`, own })),
    { prefix: name, own },
  ]);
  if (each.length > 0) groups.push({ prefix: 'all', own: ofAll(histories, each) });
  return groups.flatMap(({ prefix, own }) =>
    Object.entries<Quantity>(own).map(([measure, quantity]) => ({
      id: `releases.${prefix}.${measure}`,
      ...quantity,
    })),
  );
}

function counted(
  from: readonly Pick<Release, 'leaf'>[],
  value: number,
  unit: string,
  label: string,
  method: string,
): Quantity {
  const inputs = from.map(({ leaf }) => leaf);
  return { value, decimals: 0, unit, label, method, status: 'observed', inputs };
}

const toolsOf = (release: Release) =>
  counted([release], release.tools, 'tools', 'tools that this release lists', LISTED);
const tokensOf = (release: Release) =>
  counted([release], release.tokens, 'tokens', 'tokens of its tool definitions', release.method);

/** How many tools came, went, or are defined otherwise, from each release to the next. */
function changes(releases: readonly Release[]) {
  const of = (wanted: (change: string) => boolean, label: string) => {
    const all = releases.flatMap(({ difference }) => difference?.changes ?? []);
    const value = all.filter(({ change }) => wanted(change)).length;
    return counted(releases, value, 'tools', label, COMPARED);
  };
  const isNew = (change: string) => change === 'added';
  const isGone = (change: string) => change === 'removed';
  return {
    added: of(isNew, 'tools that were added'),
    removed: of(isGone, 'tools that were removed'),
    altered: of((change) => !isNew(change) && !isGone(change), 'tools that were defined otherwise'),
  };
}

function ofEach(releases: readonly Release[]) {
  return releases.map((release, i) => {
    const [tools, tokens] = [toolsOf(release), tokensOf(release)];
    const before = releases[i - 1];
    const own =
      before === undefined
        ? {}
        : {
            tokens_change: difference(
              tokens,
              tokensOf(before),
              'tokens more than the release before',
            ),
            ...changes([{ ...before, difference: null }, release]),
          };
    return { version: release.version, own: { tools, tokens, ...own } };
  });
}

/** Releases that have one before them and do not list the same tools as it did. */
function altering(releases: readonly Release[], steps: number) {
  const value = releases.filter(({ difference }) => difference?.changes.length).length;
  const count = (value: number, label: string) =>
    counted(releases, value, 'releases', label, COMPARED);
  return {
    steps: count(steps, 'releases that were compared with the one before'),
    altering: count(value, 'releases that changed a tool'),
  };
}

function ofServer(releases: readonly Release[]) {
  const [first, last] = [releases[0]!, releases.at(-1)!];
  const count = counted(releases, releases.length, 'releases', 'releases weighed', 'count@1');
  if (first === last) return { count };
  const tokens_growth = difference(
    tokensOf(last),
    tokensOf(first),
    'tokens from its oldest release to its newest',
  );
  return {
    count,
    tokens_growth,
    tools_growth: difference(toolsOf(last), toolsOf(first), 'tools from its oldest to its newest'),
    growth: share(tokens_growth, tokensOf(first), 'growth from its oldest release to its newest'),
    ...changes(releases),
    ...altering(releases, releases.length - 1),
  };
}
type OfServer = ReturnType<typeof ofServer>;

function ofAll(histories: readonly History[], each: readonly { own: OfServer }[]) {
  const releases = histories.flatMap((history) => history.releases);
  const count = total(
    each.map(({ own }) => own.count),
    'releases weighed, all servers',
  );
  const grown = each.flatMap(({ own }) => ('growth' in own ? own.growth : []));
  if (grown.length === 0) return { count };
  const values = grown.map(({ value }) => value);
  const servers = (value: number, label: string) =>
    derived(grown, 'count@1', { value, decimals: 0, unit: 'servers', label });
  const steps = altering(releases, releases.length - each.length);
  return {
    count,
    servers: servers(grown.length, 'servers with a history'),
    grew: servers(
      values.filter((value) => value > 0).length,
      'servers whose newest release weighs more than their oldest',
    ),
    growth_median: derived(grown, 'quantile/type-7@1', {
      value: quantile(values, 0.5),
      decimals: 1,
      unit: '%',
      label: 'median growth of a server, oldest release to newest',
    }),
    ...changes(releases),
    ...steps,
    altering_share: share(steps.altering, steps.steps, 'share of releases that changed a tool'),
  };
}
