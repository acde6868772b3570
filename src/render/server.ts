/**
 * One ServerRecord -> what its page, its tools' pages, its JSON, CSV and markdown show. Pure; captured
 * text is only ever shown as text.
 */
import { z } from 'zod';
import type { ServerRecord, ToolRecord } from '../articles/catalogue.ts';
import type { CaptureRecord, FigureRecord } from '../articles/record.ts';
import type { Change } from '../measure/diff.ts';
import type { Release } from '../measure/history.ts';
import { valueAt } from '../measure/repeats.ts';
import type { SiteAddress } from '../site.ts';
import { cellCode, code, codeBlock } from './code.ts';
import { noun, number } from './counted.ts';
import { csv, inert } from './csv.ts';
import { FigureShape, figureIn } from './figure.ts';
import { firstLine, printable } from './printable.ts';
import { Count, Hash, head, headShape, print, receipt, Text, Time, Url } from './published.ts';
import type { Recipe } from './recipe.ts';
import {
  COLLISION_MEANS,
  CollisionShape,
  Era,
  eraOf,
  figureOf,
  formUrls,
  MEASURES,
  serverForms,
} from './servers.ts';

/** The paths of a tool's two forms. */
export const toolForms = (server: string, { slug }: ToolRecord) => ({
  page: `/servers/${server}/tools/${slug}/`,
  markdown: `/servers/${server}/tools/${slug}.md`,
});

/** Characters of a name in a list; the tool's own page shows all of it. */
const LONGEST_NAME = 80;
export const shownName = (name: string): string => firstLine(name, LONGEST_NAME);

/** Measures that have a ticket on the server's page. */
const SHOWN = [
  ...MEASURES.map(([measure]) => measure),
  'window_share',
  'redundant_bytes',
  'defs_saved_tokens',
];

/** The figures that have a ticket on the server's page, in order. */
export const shownFigures = (record: ServerRecord): FigureRecord[] =>
  SHOWN.flatMap((measure) => figureOf(record, measure) ?? []);

/** The costliest tool first, equals as listed. */
export const toolsByCost = ({ tools }: ServerRecord): ToolRecord[] =>
  tools.toSorted((a, b) => b.tokens.total - a.tokens.total);

/** What the page begins with: an answer, in numbers of the figures. */
export function findingOf(record: ServerRecord): string {
  const { name, version } = record.weighed;
  const text = (measure: string) => figureOf(record, measure)?.text;
  const [largest] = toolsByCost(record);
  const most =
    largest && record.tools.length > 1 ? `; the largest is ${shownName(largest.name)}` : '';
  return `${name} ${version} lists ${text('tools')} ${noun(record.tools.length, 'tool')}, which ${noun(record.tools.length, 'costs', 'cost')} ${text('tokens')} tokens in every request that defines ${noun(record.tools.length, 'it', 'them')}${most}. ${noun(record.tools.length, 'Its name alone is', 'Their names alone are')} ${text('name_tokens')}.`;
}

/** Repeated blocks that are listed; the others are counted in `redundant_bytes`. */
const BLOCKS = 8;
/** Characters of a repeated block that are shown. */
const EXCERPT = 240;

export interface RepeatShown {
  /** JSON Pointer as a URI fragment, into the array that is sent. */
  pointer: string;
  /** The first tool that holds it. */
  tool: string;
  copies: number;
  bytes: number;
  /** Bytes of all copies but the first. */
  wasted: number;
  excerpt: string;
}

/** What stands in the catalogue more than once, that which wastes most first. */
export function repeatsOf(record: ServerRecord): RepeatShown[] {
  return record.weighed.weight.duplicates.blocks.slice(0, BLOCKS).map(({ path, copies, bytes }) => {
    const index = Number(path.split('/')[1] ?? 0);
    const tool = record.tools[index];
    const found = valueAt(JSON.parse(tool?.sent ?? 'null'), path.replace(/^\/\d+/, ''));
    return {
      pointer: fragment(path),
      tool: tool?.name ?? '',
      ...{ copies, bytes, wasted: (copies - 1) * bytes },
      excerpt: firstLine(JSON.stringify(found) ?? '', EXCERPT),
    };
  });
}

/** A JSON Pointer as a fragment: bare, it would pass for a path of this site. */
const fragment = (path: string): string => `#${path.split('/').map(encodeURIComponent).join('/')}`;

/** What became of one tool, in words around its name. */
export function changeWords({ change, before, after }: Change): string {
  const n = (count: number | null) => number(count ?? 0);
  if (change === 'added') return `new: ${n(after)}`;
  if (change === 'removed') return `gone: was ${n(before)}`;
  if (change === 'changed') return `defined otherwise, still ${n(after)}`;
  return `${change}: ${n(before)} to ${n(after)}`;
}

export interface ReleaseShown {
  release: Release;
  capture: CaptureRecord | undefined;
  /** Tokens more than the release before; null for the first. */
  grown: number | null;
}

/** The newest first. */
export function releasesOf({ history, captures }: ServerRecord): ReleaseShown[] {
  return history.releases
    .map((release, i) => {
      const before = history.releases[i - 1];
      return {
        ...{ release, capture: captures.get(release.leaf) },
        grown: before === undefined ? null : release.tokens - before.tokens,
      };
    })
    .reverse();
}

/** One row a tool, the costliest first. */
export function renderServerCsv(record: ServerRecord): string {
  const head = ['server', 'version', 'tool', 'tokens', 'name_tokens', 'description_tokens'];
  const { name, version, leaf } = record.weighed;
  const rows = toolsByCost(record).map(({ name: tool, tokens, bytes }) => {
    const numbers = [tokens.total, tokens.name, tokens.description, tokens.schema, bytes];
    return [name, version, inert(printable(tool)), ...numbers.map(String), leaf];
  });
  return csv([[...head, 'schema_tokens', 'bytes', 'leaf'], ...rows]);
}

const ToolShape = z.strictObject({
  name: Text,
  url: Url,
  tokens: z.strictObject({ total: Count, name: Count, description: Count, schema: Count }),
  bytes: Count,
  definition: Text.meta({ description: 'The compact JSON that is counted, as text' }),
  unsent: z.array(Text).meta({ description: 'Listed fields that no model is sent' }),
});

export const ServerJson = z.strictObject({
  ...headShape('server'),
  name: Text,
  package: Text,
  version: Text,
  licence: Text,
  why: Text.nullable(),
  counted: z.boolean().meta({ description: 'False: weighed for its history alone' }),
  urls: z.strictObject({ page: Url, markdown: Url, csv: Url, json: Url }),
  protocol: z.strictObject({
    negotiated: Text,
    discover: Era,
    same_order: z.boolean(),
    same_bytes: z.boolean(),
  }),
  payload: Hash,
  receipt: z.strictObject(receipt),
  tools: z.array(ToolShape).meta({ description: 'In the order listed' }),
  repeats: z.array(z.strictObject({ pointer: Text, copies: Count, bytes: Count })),
  collisions: z.array(CollisionShape),
  releases: z
    .array(
      z.strictObject({
        version: Text,
        tools: Count,
        tokens: Count,
        method: Text,
        payload: Hash,
        leaf: Hash,
        changes: z.array(
          z.strictObject({
            tool: Text,
            change: z.enum(['added', 'removed', 'grew', 'shrank', 'changed']),
            before: Count.nullable(),
            after: Count.nullable(),
          }),
        ),
        reordered: z.boolean(),
      }),
    )
    .meta({ description: 'The oldest first, each against the one before it' }),
  failures: z.array(z.strictObject({ version: Text, code: Text, message: Text })),
  attempts: z.array(
    z.strictObject({
      seq: Count,
      leaf: Hash,
      ts: Time,
      kind: Text,
      version: Text,
      outcome: z.enum(['captured', 'unchanged', 'failed']),
      payload: Hash.nullable(),
    }),
  ),
  figures: z.array(FigureShape).meta({ description: 'Those with a ticket on the page' }),
});

/** All of one server, for programs. */
export function renderServerJson(record: ServerRecord, site: SiteAddress): string {
  const { weighed, history, capture } = record;
  const page = site.url(serverForms(weighed.name).page);
  return print({
    ...head('server', site),
    ...{ name: weighed.name, package: weighed.package, version: weighed.version },
    ...{ licence: record.licence, why: record.why, counted: record.counted },
    urls: formUrls(weighed.name, site),
    protocol: {
      ...{ negotiated: weighed.protocol, discover: eraOf(record) },
      ...{ same_order: weighed.sameOrder, same_bytes: weighed.sameBytes },
    },
    payload: weighed.sha256,
    receipt: { seq: capture.seq, leaf: capture.leaf, ts: capture.ts },
    tools: record.tools.map((tool) => ({
      name: tool.name,
      url: site.url(toolForms(weighed.name, tool).page),
      ...{ tokens: tool.tokens, bytes: tool.bytes, definition: tool.sent, unsent: tool.unsent },
    })),
    repeats: weighed.weight.duplicates.blocks.map(({ path, copies, bytes }) => ({
      ...{ pointer: fragment(path), copies, bytes },
    })),
    collisions: record.collisions,
    releases: history.releases.map(
      ({ version, tools, tokens, method, sha256, leaf, difference }) => ({
        ...{ version, tools, tokens, method, payload: sha256, leaf },
        changes: difference?.changes ?? [],
        reordered: difference?.reordered ?? false,
      }),
    ),
    failures: history.failures.map(({ version, code: why, message }) => ({
      ...{ version, code: why, message },
    })),
    attempts: record.attempts.map(({ seq, leaf, ts, kind, version, outcome, sha256 }) => ({
      ...{ seq, leaf, ts, kind, version, outcome, payload: sha256 },
    })),
    figures: shownFigures(record).map((one) => figureIn(one, page)),
  } satisfies z.infer<typeof ServerJson>);
}

/** What a browser needs to derive these figures again. `seqOf`: where each leaf stands. */
export function renderServerRecipe(
  slug: string,
  records: readonly ServerRecord[],
  figures: readonly FigureRecord[],
  seqOf: ReadonlyMap<string, number>,
  site: SiteAddress,
): string {
  const servers = records.map(({ weighed }) => weighed.leaf);
  const recipe: Recipe = {
    slug,
    entries: Object.fromEntries(servers.map((leaf) => [leaf, seqOf.get(leaf) ?? 0])),
    ...{ servers, histories: [], requests: [], sources: [] },
    figures: Object.fromEntries(figures.map(({ id, inputs }) => [id, { inputs }])),
  };
  return `${JSON.stringify({ ...head('article-weigh', site), ...recipe })}\n`;
}

const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
const aligned = (numbers: readonly boolean[]) =>
  row(numbers.map((right) => (right ? '--:' : '---')));

/** One server as markdown; each definition has a page of its own. */
export function renderServerMarkdown(record: ServerRecord, site: SiteAddress): string {
  const { weighed, history, collisions } = record;
  const { name, package: pkg, version, protocol, sha256 } = weighed;
  const tools = [
    row(['Tool', 'Tokens', 'Name', 'Description', 'Schema', 'First line']),
    aligned([false, true, true, true, true, false]),
    ...toolsByCost(record).map((tool) => {
      const { total, name: own, description, schema } = tool.tokens;
      const link = `[definition](${site.url(toolForms(name, tool).markdown)})`;
      const first = tool.description === null ? '' : cellCode(firstLine(tool.description, 100));
      return row([
        `${cellCode(shownName(tool.name))} ${link}`,
        ...[total, own, description, schema].map(number),
        first,
      ]);
    }),
  ];
  const repeats = repeatsOf(record).map(
    ({ tool, copies, bytes, excerpt }) =>
      `- ${number(copies)} times ${number(bytes)} bytes, first in ${code(shownName(tool))}: ${code(excerpt)}`,
  );
  const releases = [
    row(['Release', 'Tools', 'Tokens', 'Changed tools']),
    aligned([false, true, true, true]),
    ...releasesOf(record).map(({ release }) =>
      row([
        release.version,
        number(release.tools),
        number(release.tokens),
        release.difference === null ? '' : number(release.difference.changes.length),
      ]),
    ),
  ];
  const part = (heading: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : [`## ${heading}\n\n${lines.join('\n')}`];
  return `${[
    `# ${name}`,
    findingOf(record),
    `${code(pkg)} ${version}, ${record.licence}. Entry [#${record.capture.seq}](${site.url(`/ledger/${record.capture.seq}/`)}), payload \`${sha256}\`. It negotiates ${protocol}; asked by server/discover: ${eraOf(record)}.`,
    ...part('Tools', [
      ...tools,
      '',
      'What name, description and schema leave of the whole is the JSON around them (keys, quotes, braces).',
    ]),
    ...part('Repeated blocks', repeats),
    ...part(
      'Names that collide',
      collisions.map(
        ({ kind, tools }) =>
          `- ${tools.map((one) => `${code(one.tool)} of ${one.server}`).join(', ')} ${COLLISION_MEANS[kind]}`,
      ),
    ),
    ...part('Releases', releases),
    ...part(
      'Not measured, because',
      history.failures.map((one) => `- ${one.version}: ${code(one.message)}`),
    ),
    `For programs: [JSON](${site.url(serverForms(name).json)}), [CSV](${site.url(serverForms(name).csv)}).`,
  ].join('\n\n')}\n`;
}

/** What a model is sent of it: the name with its prefix, and the schema laid out to be read; null without one. */
export function sentOf({ sent }: ToolRecord): { name: string; schema: string | null } {
  const { name, input_schema } = JSON.parse(sent) as { name: string; input_schema?: unknown };
  const schema = input_schema === undefined ? null : JSON.stringify(input_schema, null, 2);
  return { name, schema };
}

/** One definition as markdown. */
export function renderToolMarkdown(
  record: ServerRecord,
  tool: ToolRecord,
  site: SiteAddress,
): string {
  const { name, version } = record.weighed;
  const { total, name: own, description, schema } = tool.tokens;
  const sent = sentOf(tool);
  return `${[
    `# ${code(tool.name)} of ${name}`,
    `${number(total)} tokens and ${number(tool.bytes)} bytes as compact JSON: name ${number(own)}, description ${number(description)}, schema ${number(schema)} tokens, the rest the JSON around them (keys, quotes, braces). [${name}](${site.url(serverForms(name).markdown)}) ${version}, entry [#${record.capture.seq}](${site.url(`/ledger/${record.capture.seq}/`)}).`,
    `## Description\n\n${tool.description === null ? 'It has none.' : codeBlock(tool.description, 'text')}`,
    `## Schema\n\n${sent.schema === null ? 'It has none.' : `Laid out; counted without the white space.\n\n${codeBlock(sent.schema, 'json')}`}`,
    `A model knows it as ${code(sent.name)}.`,
    ...(tool.unsent.length === 0
      ? []
      : [`It also lists ${tool.unsent.map(code).join(', ')}, which no model is sent.`]),
  ].join('\n\n')}\n`;
}
