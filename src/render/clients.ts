/**
 * ClientRecords -> tables, charts, findings, JSON, CSV and markdown. Pure; it shows what the records
 * hold, each number by the id of its figure, and never says of a client what no capture shows.
 */
import type { FigureRecord } from '../articles/record.ts';
import type { Cell, Table } from '../measure/figure.ts';
import { type Loading, requestId } from '../measure/request.ts';
import { rangeOf } from '../measure/versions.ts';
import type { SiteAddress } from '../site.ts';
import type { ClientCapture, ClientRecord, SettingRecord } from '../wire/held.ts';
import { figureAnchor } from './anchor.ts';
import { type DotRow, dots } from './chart.ts';
import { listed } from './counted.ts';
import { csv } from './csv.ts';

/** The paths of the forms of all clients, or of one. */
export const clientForms = (name?: string) =>
  name === undefined
    ? { page: '/clients/', markdown: '/clients.md', json: '/api/clients.json' }
    : {
        page: `/clients/${name}/`,
        markdown: `/clients/${name}.md`,
        json: `/api/clients/${name}.json`,
        csv: `/clients/${name}.csv`,
      };

/** How a loading is called in a sentence: "the attached servers’ tools are …". */
export const LOADINGS: Readonly<Record<Loading, string>> = {
  upfront: 'defined upfront',
  deferred: 'named, and defined on demand',
  part: 'partly defined, partly named',
  absent: 'neither defined nor named',
  none: 'no server attached',
};

/** What src/wire/launch.ts calls the model of a client that knows none of its own. */
const STAND_IN = 'model';
/** The model that was asked, as a reader is told of it; null where the client did not say. */
export const modelOf = (model: string | null): string | null =>
  model === STAND_IN ? `“${model}”, a stand-in’s name` : model;

/** Of a digest no figure can be counted again, only run again. */
export const RERUN =
  'The ledger holds a digest of this request, not its text: its figures can be rerun, not recounted.';

/** What every table of a client draws on. */
function at(client: ClientRecord) {
  const known = new Map(client.figures.map((figure) => [figure.id, figure]));
  const captureOf = (version: string, variant: string) =>
    client.captures.find((one) => one.version === version && one.variant === variant);
  const id = (version: string, variant: string, measure: string) =>
    `${requestId({ client: client.name, version, variant })}.${measure}`;
  return {
    captureOf,
    figure: (version: string, variant: string, measure: string): FigureRecord | undefined =>
      known.get(id(version, variant, measure)),
    cell: (version: string, variant: string, measure: string): Cell =>
      known.has(id(version, variant, measure)) ? { figure: id(version, variant, measure) } : '–',
  };
}

const numeric = (key: string, label: string) => ({ key, label, numeric: true });
const plain = (key: string, label: string) => ({ key, label });

export interface Shown {
  id: string;
  heading: string;
  /** What a reader should leave with, without a number of its own. */
  finding: string;
  chart: string | null;
  table: Table;
}

const SERVERS = [
  ['servers-0', 'none'],
  ['baseline', 'two'],
  ['servers-10', 'ten'],
] as const;

/** All clients at their newest captured version: what grows with attached servers. Null where nothing is captured. */
export function overview(clients: readonly ClientRecord[]): Shown | null {
  const rows = clients.flatMap((client) => {
    const version = client.versions.at(-1);
    return version === undefined ? [] : [{ client, version, of: at(client) }];
  });
  if (rows.length === 0) return null;
  const says = (loading: Loading, one: string, several: string) => {
    const names = rows
      .filter(({ of, version }) => of.captureOf(version, 'servers-10')?.loading === loading)
      .map(({ client, version }) => `${client.name} ${version}`);
    return names.length === 0 ? [] : [`${listed(names)} ${names.length === 1 ? one : several}`];
  };
  const parts = [
    ...says('upfront', 'sends all definitions upfront', 'send all definitions upfront').map(
      (part) => `With every server attached, ${part}`,
    ),
    ...says(
      'deferred',
      'only names the tools and defines them on demand',
      'only name the tools and define them on demand',
    ),
  ];
  const finding = `${parts.join('; ')}.`;
  const chart: DotRow[] = rows.map(({ client, version, of }) => ({
    label: `${client.name} ${version}`,
    points: SERVERS.flatMap(([variant, says]) => {
      const figure = of.figure(version, variant, 'tool_tokens');
      return figure === undefined ? [] : { value: figure.value, text: figure.text, says };
    }),
  }));
  return {
    id: 'loading',
    heading: 'Upfront or deferred',
    finding,
    chart: dots(chart, `Tokens of tool definitions with none, two and ten servers. ${finding}`),
    table: {
      caption: 'Tokens of the tool definitions in one request, by servers attached',
      columns: [
        plain('client', 'Client'),
        ...SERVERS.map(([key, says]) => numeric(key, `${says} attached`)),
        plain('loading', 'Servers’ tools are'),
        plain('model', 'Model asked'),
      ],
      rows: rows.map(({ client, version, of }) => ({
        key: client.name,
        cells: [
          `${client.name} ${version}`,
          ...SERVERS.map(([variant]) => of.cell(version, variant, 'tool_tokens')),
          LOADINGS[of.captureOf(version, 'servers-10')?.loading ?? 'absent'],
          modelOf(of.captureOf(version, 'baseline')?.digest.model ?? null) ?? 'not told',
        ],
      })),
    },
  };
}

/** The most that a client's newest version sends with ten servers attached; undefined where none was captured. */
export function mostSent(
  clients: readonly ClientRecord[],
): { figure: FigureRecord; says: string } | undefined {
  const sent = clients.flatMap((client) => {
    const version = client.versions.at(-1) ?? '';
    const figure = at(client).figure(version, 'servers-10', 'tool_tokens');
    const says = `tokens of tool definitions from ${client.name} ${version} with ten servers attached`;
    return figure === undefined ? [] : { figure, says };
  });
  return sent.toSorted((a, b) => b.figure.value - a.figure.value)[0];
}

/** Versions next to each other that load the same way by default: `from` to `to`. */
export function defaults(client: ClientRecord): { loading: Loading; from: string; to: string }[] {
  const runs: { loading: Loading; from: string; to: string }[] = [];
  for (const version of client.versions) {
    const loading = at(client).captureOf(version, 'baseline')?.loading;
    if (loading === undefined) continue;
    const last = runs.at(-1);
    if (last?.loading === loading) last.to = version;
    else runs.push({ loading, from: version, to: version });
  }
  return runs;
}

const SEARCH = [
  ['tool-search-true', 'true'],
  ['baseline', 'unset'],
  ['tool-search-false', 'false'],
] as const;

/** What one client's page shows, in order. Empty where nothing was captured. */
export function sections(client: ClientRecord): Shown[] {
  const { versions, variants } = client;
  const newest = versions.at(-1);
  if (newest === undefined) return [];
  const of = at(client);
  const shown: Shown[] = [];
  const captured = variants.filter(({ name }) =>
    versions.some((version) => of.captureOf(version, name) !== undefined),
  );
  if (versions.length > 1) {
    const finding = `By default the attached servers’ tools are ${defaults(client)
      .map(({ loading, from, to }) =>
        from === to
          ? `${LOADINGS[loading]} in ${from}`
          : `${LOADINGS[loading]} from ${from} to ${to}`,
      )
      .join('; ')}.`;
    const columns = SEARCH.filter(([name]) => captured.some((variant) => variant.name === name));
    shown.push({
      id: 'versions',
      heading: 'Which default from which version',
      finding,
      chart: dots(
        versions.map((version) => ({
          label: version,
          points: columns.flatMap(([variant, says]) => {
            const figure = of.figure(version, variant, 'tool_tokens');
            return figure === undefined ? [] : { value: figure.value, text: figure.text, says };
          }),
        })),
        `Tokens of tool definitions by version, with ENABLE_TOOL_SEARCH unset, true and false. ${finding}`,
      ),
      table: {
        caption:
          'Tokens of the tool definitions by version and ENABLE_TOOL_SEARCH, two servers attached',
        columns: [
          plain('version', 'Version'),
          ...columns.map(([key, says]) => numeric(key, says)),
          plain('loading', 'Unset, servers’ tools are'),
        ],
        rows: versions.map((version) => ({
          key: version,
          cells: [
            version,
            ...columns.map(([variant]) => of.cell(version, variant, 'tool_tokens')),
            LOADINGS[of.captureOf(version, 'baseline')?.loading ?? 'absent'],
          ],
        })),
      },
    });
    shown.push({
      id: 'settings-by-version',
      heading: 'What each setting does, by version',
      finding:
        'Tool definitions and the client’s own instructions together: what every turn begins with.',
      chart: null,
      table: {
        caption: 'Tokens of tool definitions and instructions, by run and version',
        columns: [plain('run', 'Run'), ...versions.map((version) => numeric(version, version))],
        rows: captured.map(({ name }) => ({
          key: name,
          cells: [name, ...versions.map((version) => of.cell(version, name, 'prefix_tokens'))],
        })),
      },
    });
  }
  const MEASURES = [
    ['body_bytes', 'Bytes sent'],
    ['tools', 'Tools defined'],
    ['server_tools', 'Of servers'],
    ['deferred', 'Marked deferred'],
    ['named', 'Only named'],
    ['tool_tokens', 'Tool tokens'],
    ['system_tokens', 'Instruction tokens'],
    ['prefix_tokens_change', 'Tokens over baseline'],
  ] as const;
  shown.push({
    id: 'newest',
    heading: `Each run of ${newest}`,
    finding: `A run changes one thing from the baseline, in which ${of.captureOf(newest, 'baseline')?.servers.join(' and ') || 'no server'} are attached.`,
    chart: null,
    table: {
      caption: `What each run of ${client.name} ${newest} sent`,
      columns: [
        plain('run', 'Run'),
        ...MEASURES.map(([key, label]) => numeric(key, label)),
        plain('loading', 'Servers’ tools are'),
      ],
      rows: captured.flatMap(({ name }) => {
        const capture = of.captureOf(newest, name);
        if (capture === undefined) return [];
        const cells = MEASURES.map(([measure]) => of.cell(newest, name, measure));
        return { key: name, cells: [name, ...cells, LOADINGS[capture.loading]] };
      }),
    },
  });
  const changes = versions.flatMap((version) =>
    ['servers-10', 'servers-0', 'always-load'].flatMap((variant) => {
      const capture = of.captureOf(version, variant);
      return capture === undefined || of.captureOf(version, 'baseline') === undefined
        ? []
        : [{ version, variant, capture }];
    }),
  );
  if (changes.length > 0) {
    const marked = changes.some(({ capture }) => capture.digest.cache.length > 0);
    shown.push({
      id: 'cache',
      heading: 'What a change of tools costs in cache',
      finding: marked
        ? 'A cache that the baseline filled serves the changed request up to the last mark with an equal hash; the rest is written again.'
        : 'This client marks nothing to be cached; a cache that works by itself would serve the leading tools that are equal.',
      chart: null,
      table: {
        caption: 'From the baseline to another set of tools, in the middle of a session',
        columns: [
          plain('change', 'Changed to'),
          numeric('kept', 'Tokens kept'),
          numeric('broken', 'Tokens to write again'),
          ...(marked ? [numeric('cost', 'US dollars for that')] : []),
          plain('tool', 'First tool that differs'),
        ],
        rows: changes.map(({ version, variant, capture }) => ({
          key: `${version}-${variant}`,
          cells: [
            `${versions.length > 1 ? `${version} ` : ''}${variant}`,
            of.cell(version, variant, 'cache_kept_tokens'),
            of.cell(version, variant, 'cache_broken_tokens'),
            ...(marked ? [of.cell(version, variant, 'cache_cost')] : []),
            capture.firstChanged ?? 'none',
          ],
        })),
      },
    });
  }
  return shown;
}

/** The figures of one run, in order. */
export const figuresOf = (client: ClientRecord, capture: ClientCapture): FigureRecord[] =>
  client.figures.filter(({ id }) => id.startsWith(`${requestId(capture)}.`));

/** One row a run: its names, every measure, and where it stands in the ledger. */
export function renderClientCsv(client: ClientRecord): string {
  const measures = [
    ...new Set(
      client.captures.flatMap((one) =>
        figuresOf(client, one).map((figure) => measureOf(one, figure)),
      ),
    ),
  ];
  const head = [
    'client',
    'version',
    'run',
    'loading',
    'model',
    ...measures,
    'seq',
    'leaf',
    'digest',
  ];
  const rows = client.captures.map((one) => {
    const own = new Map(
      figuresOf(client, one).map((figure) => [measureOf(one, figure), figure.decimal]),
    );
    const { version, variant, loading, digest, seq, leaf, sha256 } = one;
    return [
      ...[client.name, version, variant, loading, digest.model ?? ''],
      ...measures.map((measure) => own.get(measure) ?? ''),
      ...[String(seq), leaf, sha256],
    ];
  });
  return csv([head, ...rows]);
}

const measureOf = (capture: ClientCapture, { id }: FigureRecord) =>
  id.slice(requestId(capture).length + 1);

const cellText = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

/** `page` gives the page on which a figure's ticket stands. */
function tableMarkdown(
  table: Table,
  figures: ReadonlyMap<string, FigureRecord>,
  page: (id: string) => string,
): string {
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [
    row(table.columns.map(({ label }) => cellText(label))),
    row(table.columns.map((column) => (column.numeric ? '--:' : '---'))),
    ...table.rows.map(({ cells }) =>
      row(
        cells.map((cell) => {
          if (typeof cell === 'string') return cellText(cell);
          return `[${figures.get(cell.figure)?.text}](${page(cell.figure)}#${figureAnchor(cell.figure)})`;
        }),
      ),
    ),
  ].join('\n');
}

const NOTHING =
  'No client has been captured yet. `npm run wire` runs them and records what they send.';
const LISTEN = `## Your own client

\`npm run wire -- --listen\` starts the same server on this machine and prints a line for each request. Point a client at it (\`ANTHROPIC_BASE_URL\`, \`OPENAI_BASE_URL\` or \`GOOGLE_GEMINI_BASE_URL\`); it takes any token, answers "ok" and keeps no text.`;

/** All clients as markdown. */
export function renderClientsMarkdown(
  clients: readonly ClientRecord[],
  settings: readonly SettingRecord[],
  site: SiteAddress,
): string {
  const all = overview(clients);
  const owner = new Map(
    clients.flatMap((one) => one.figures.map((figure) => [figure.id, one.name])),
  );
  const figures = new Map(clients.flatMap(({ figures }) => figures.map((one) => [one.id, one])));
  const pageOf = (id: string) => site.url(clientForms(owner.get(id)).page);
  const settingsTable = [
    '| Client | Setting | Value | What it is said to do | Versions | Source | Reproduced here |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...settings.map((one) => {
      const source =
        one.source === null ? 'none' : `[${one.source.quote_status} quote](${one.source.url})`;
      const seen = one.seen.map(
        ({ capture, agrees }) => `#${capture.seq}${agrees ? '' : ' (otherwise)'}`,
      );
      return `| ${[one.client, `\`${one.setting}\``, `\`${one.value}\``, one.behaviour, rangeOf(one), source, [one.reproduced, seen.join(' ')].filter(Boolean).join(': ')].map(cellText).join(' | ')} |`;
    }),
  ].join('\n');
  const table = all && tableMarkdown(all.table, figures, pageOf);
  return `${[
    '# What clients put on the wire',
    all === null ? NOTHING : `${all.finding}\n\n${table}`,
    ...(clients.length > 0
      ? [
          clients
            .map(
              ({ name, captures }) =>
                `- [${name}](${site.url(clientForms(name).page)}): ${captures.length === 0 ? 'not captured yet' : 'captured'}`,
            )
            .join('\n'),
        ]
      : []),
    `## Settings\n\n${settingsTable}`,
    LISTEN,
  ].join('\n\n')}\n`;
}

/** One client as markdown. */
export function renderClientMarkdown(client: ClientRecord, site: SiteAddress): string {
  const figures = new Map(client.figures.map((one) => [one.id, one]));
  const page = site.url(clientForms(client.name).page);
  const parts = sections(client).map(
    ({ heading, finding, table }) =>
      `## ${heading}\n\n${finding}\n\n${tableMarkdown(table, figures, () => page)}`,
  );
  return `${[
    `# What ${client.name} puts on the wire`,
    ...(parts.length === 0 ? [NOTHING] : [RERUN, ...parts]),
    LISTEN,
  ].join('\n\n')}\n`;
}
