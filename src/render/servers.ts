/**
 * ServerRecords -> the table of all servers, its chart and its finding, as CSV, JSON and markdown. Pure;
 * each number is that of a figure, by its id.
 */
import { z } from 'zod';
import type { ServerRecord } from '../articles/catalogue.ts';
import type { ArticleRecord, FigureRecord } from '../articles/record.ts';
import { decimal, format } from '../measure/figure.ts';
import { builtInFigures } from '../measure/figures.ts';
import type { SiteAddress } from '../site.ts';
import { bars } from './bars.ts';
import { cellCode } from './code.ts';
import { counted, listed, noun } from './counted.ts';
import { csv } from './csv.ts';
import { FigureShape, figureIn } from './figure.ts';
import { Count, Hash, head, headShape, print, receipt, Text, Url } from './published.ts';

/** The paths of the forms of all servers, or of one. */
export const serverForms = (name?: string) => {
  const at = name === undefined ? '/servers' : `/servers/${name}`;
  const json = name === undefined ? '/api/servers.json' : `/api/servers/${name}.json`;
  return { page: `${at}/`, markdown: `${at}.md`, csv: `${at}.csv`, json };
};

/** What the parts of a definition are called, in the order in which bars show them. */
export const PARTS = ['name', 'description', 'schema'] as const;

/** The columns of numbers: measure, heading, and whether the cheap tables leave it out. */
export const MEASURES = [
  ['tools', 'Tools'],
  ['tokens', 'Upfront tokens'],
  ['name_tokens', 'Names alone'],
  ['tokens_per_tool', 'A tool'],
  ['description_share', 'Description'],
  ['schema_share', 'Schema'],
  ['redundant_share', 'Repeated'],
] as const;

/** A server's figure by its measure; undefined where it has no value. */
export const figureOf = (record: ServerRecord, measure: string): FigureRecord | undefined =>
  record.figures.find(({ id }) => id === `servers.${record.weighed.name}.${measure}`);

/** The costliest first, equals as content/servers.yaml orders them. */
export const byCost = (records: readonly ServerRecord[]): ServerRecord[] =>
  records.toSorted((a, b) => b.weighed.weight.tokens.total - a.weighed.weight.tokens.total);

/** `servers.all.…`, with the leaves of what they rest on. */
const allFigures = (records: readonly ServerRecord[]): FigureRecord[] =>
  builtInFigures(records.filter(({ counted }) => counted).map(({ weighed }) => weighed))
    .filter(({ id }) => id.startsWith('servers.all.'))
    .map((one) => ({ ...one, text: format(one), decimal: decimal(one) }));

/** Those of all that have a ticket on the page of all servers, in order. */
const ALL_SHOWN = ['tokens', 'tools', 'name_tokens', 'largest_share', 'schema_share', 'count'];
export const allShown = (records: readonly ServerRecord[]): FigureRecord[] => {
  const all = allFigures(records);
  return ALL_SHOWN.flatMap(
    (measure) => all.find(({ id }) => id === `servers.all.${measure}`) ?? [],
  );
};

/** The chart of the counted servers with its finding; null where none is weighed. */
export function serverChart(
  records: readonly ServerRecord[],
): { finding: string; html: string } | null {
  const rows = byCost(records.filter(({ counted }) => counted));
  const [first] = rows;
  if (first === undefined) return null;
  const share = allFigures(records).find(({ id }) => id === 'servers.all.largest_share');
  const schemas = allFigures(records).find(({ id }) => id === 'servers.all.schema_share');
  // Of one server alone there is nothing to say beside others.
  const most =
    rows.length === 1
      ? ''
      : `${first.weighed.name} alone is ${share?.text} of the tokens of these servers’ tool definitions; `;
  const finding = `${most}${most === '' ? 'Schemas' : 'schemas'} are ${schemas?.text} of all names, descriptions and schemas.`;
  const drawn = rows.map((record) => {
    const { name, description, schema } = record.weighed.weight.tokens;
    return {
      label: record.weighed.name,
      parts: [name, description, schema],
      text: figureOf(record, 'tokens')?.text ?? '',
    };
  });
  return {
    finding,
    html: bars(drawn, finding, PARTS, { rows: 'Server', whole: 'Tokens' }),
  };
}

/** What it does when asked by `server/discover`, as the newest revision has it. */
export const eraOf = ({ discovered }: ServerRecord): 'answers' | 'refuses' | 'not asked' =>
  discovered === null ? 'not asked' : discovered.answer.speaks ? 'answers' : 'refuses';

/** One row a server. */
export function renderServersCsv(records: readonly ServerRecord[]): string {
  const head = ['server', 'package', 'version', 'counted', 'protocol', 'discover'];
  const rows = byCost(records).map((record) => {
    const { name, package: pkg, version, protocol, leaf, sha256 } = record.weighed;
    return [
      ...[name, pkg, version, record.counted ? 'yes' : 'no', protocol, eraOf(record)],
      ...MEASURES.map(([measure]) => figureOf(record, measure)?.decimal ?? ''),
      ...[String(record.history.releases.length), String(record.capture.seq), leaf, sha256],
    ];
  });
  const measures = MEASURES.map(([measure]) => measure);
  return csv([[...head, ...measures, 'releases', 'seq', 'leaf', 'payload'], ...rows]);
}

export const CollisionShape = z.strictObject({
  kind: z.enum(['same', 'alike', 'sent']),
  name: Text,
  tools: z.array(z.strictObject({ server: Text, tool: Text })),
});
export const Era = z
  .enum(['answers', 'refuses', 'not asked'])
  .meta({ description: 'What it does when asked by server/discover' });
const FormUrls = z.strictObject({ page: Url, markdown: Url, csv: Url, json: Url });

export const ServersJson = z.strictObject({
  ...headShape('servers'),
  urls: FormUrls,
  servers: z.array(
    z.strictObject({
      name: Text,
      package: Text,
      version: Text,
      licence: Text,
      counted: z.boolean().meta({ description: 'False: weighed for its history alone' }),
      protocol: Text,
      discover: Era,
      tools: Count,
      upfront_tokens: Count,
      deferred_tokens: Count.meta({ description: 'Of the names alone' }),
      method: Text,
      releases: Count,
      payload: Hash,
      receipt: z.strictObject(receipt),
      urls: FormUrls,
    }),
  ),
  collisions: z.array(CollisionShape),
  failures: z.array(
    z.strictObject({
      server: Text,
      version: Text,
      code: Text,
      message: Text,
      captured: z.boolean(),
    }),
  ),
  figures: z.array(FigureShape),
});

/** The addresses of the forms, for readers elsewhere. */
export function formUrls(name: string | undefined, site: SiteAddress) {
  const { page, markdown, csv: table, json } = serverForms(name);
  const url = (path: string) => site.url(path);
  return { page: url(page), markdown: url(markdown), csv: url(table), json: url(json) };
}

type Failures = ArticleRecord['failures'];

/** Each server in a line, the costliest first, for programs. */
export function renderServersJson(
  records: readonly ServerRecord[],
  failures: Failures,
  site: SiteAddress,
): string {
  return print({
    ...head('servers', site),
    urls: formUrls(undefined, site),
    servers: byCost(records).map((record) => {
      const { name, package: pkg, version, protocol, weight, sha256 } = record.weighed;
      const { seq, leaf, ts } = record.capture;
      return {
        ...{ name, package: pkg, version, licence: record.licence, counted: record.counted },
        ...{ protocol, discover: eraOf(record), tools: weight.tools },
        upfront_tokens: weight.tokens.total,
        deferred_tokens: weight.tokens.name,
        method: figureOf(record, 'tokens')?.method ?? '',
        releases: record.history.releases.length,
        payload: sha256,
        receipt: { seq, leaf, ts },
        urls: formUrls(name, site),
      };
    }),
    collisions: collisionsOf(records),
    failures: failures.map(({ server, version, code, message, captured }) => ({
      ...{ server, version, code, message, captured },
    })),
    figures: allShown(records).map((one) => figureIn(one, site.url(serverForms().page))),
  } satisfies z.infer<typeof ServersJson>);
}

/** Every collision once, those that break first. */
export const collisionsOf = (records: readonly ServerRecord[]): ServerRecord['collisions'] => [
  ...new Set(records.flatMap(({ collisions }) => collisions)),
];

/** What a collision of that kind means, after the names. */
export const COLLISION_MEANS = {
  sent: 'are sent under one name',
  same: 'have one name, told apart by the prefix alone',
  alike: 'differ only in case, -, _ or .',
} as const;

/** Which of the servers the shares are of, where that is not all of them: a paragraph or none. */
function uncounted(records: readonly ServerRecord[]): string[] {
  const past = byCost(records.filter(({ counted }) => !counted)).map(({ weighed }) => weighed.name);
  if (past.length === 0) return [];
  const rest = records.length - past.length;
  return [
    `Shares and totals are of ${rest} of the ${counted(records.length, 'server')} below: ${listed(past)} ${noun(past.length, 'is', 'are')} weighed for ${noun(past.length, 'its', 'their')} history alone, and part of no total and of no chart.`,
  ];
}

/** All servers as markdown. */
export function renderServersMarkdown(
  records: readonly ServerRecord[],
  failures: Failures,
  site: SiteAddress,
): string {
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const columns = ['Server', 'Version', ...MEASURES.map(([, label]) => label), 'Protocol revision'];
  const table = [
    row(columns),
    row(columns.map((_, i) => (i > 1 && i < columns.length - 1 ? '--:' : '---'))),
    ...byCost(records).map((record) => {
      const { name, version, protocol } = record.weighed;
      return row([
        `[${name}](${site.url(serverForms(name).page)})${record.counted ? '' : ' (for its history alone)'}`,
        version,
        ...MEASURES.map(([measure]) => figureOf(record, measure)?.text ?? '–'),
        protocol,
      ]);
    }),
  ].join('\n');
  const collisions = collisionsOf(records).map(
    ({ kind, tools }) =>
      `- ${tools.map(({ server, tool }) => `${cellCode(tool)} of ${server}`).join(', ')} ${COLLISION_MEANS[kind]}`,
  );
  const failed = failures.map(
    ({ server, version, message }) => `- ${server} ${version}: ${cellCode(message)}`,
  );
  const part = (heading: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : [`## ${heading}\n\n${lines.join('\n')}`];
  return `${[
    '# Servers',
    serverChart(records)?.finding ??
      'No server is weighed yet: `npm run refresh` weighs those of content/servers.yaml.',
    ...uncounted(records),
    ...(records.length > 0 ? [table] : []),
    ...part('Names that collide', collisions),
    ...part('Not measured, because', failed),
    `For programs: [JSON](${site.url(serverForms().json)}), [CSV](${site.url(serverForms().csv)}).`,
  ].join('\n\n')}\n`;
}
