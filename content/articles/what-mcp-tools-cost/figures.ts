/**
 * The figures and tables of this article that are not built in. Pure: captures in, figures out; it
 * imports from measure alone, so that the build, the command line and a browser run the same code.
 */
import type { Captures, Cell, DeriveFigures, Figure, Table } from '../../../src/measure/figure.ts';
import { derived, difference, type Quantity, ratio, share } from '../../../src/measure/figures.ts';
import { o200k } from '../../../src/measure/o200k.ts';
import { slim } from '../../../src/measure/slim.ts';
import { quantile } from '../../../src/measure/statistics.ts';
import { weigh } from '../../../src/measure/weigh.ts';

/** Shown as tables, heaviest or oldest first; the order is that of the values, not of this list. */
const TOKENIZERS = ['o200k_base', 'cl100k_base', 'qwen3', 'gemma3', 'llama3', 'deepseek_v3'];

const derive: DeriveFigures = (captures) => {
  const figure = (id: string): Figure => {
    const found = captures.figures.get(id);
    if (found === undefined) throw new Error(`no figure ${id}`);
    return found;
  };
  const heaviestFirst = [...captures.servers].sort(
    (a, b) => b.weight.tokens.total - a.weight.tokens.total || (a.name < b.name ? -1 : 1),
  );
  const all = figure('servers.all.tokens');
  const notion = figure('servers.notion.tokens');
  const unreferenced = withoutUnreferenced(captures, notion);
  return {
    figures: {
      notion_share: share(notion, all, "Notion's part of all definition tokens"),
      notion_over_github: ratio(
        notion,
        figure('servers.github.tokens'),
        "Notion's tokens over GitHub's",
      ),
      github_more_tools: difference(
        figure('servers.github.tools'),
        figure('servers.notion.tools'),
        'tools that GitHub lists beyond Notion',
      ),
      saved_share: share(
        figure('servers.notion.defs_saved_tokens'),
        all,
        'part of all definition tokens that is inside the repeated blocks',
      ),
      ...unreferenced,
      unreferenced_share: share(
        difference(notion, unreferenced.notion_referenced, 'tokens of unreferenced definitions'),
        notion,
        "part of Notion's tokens in definitions that nothing refers to",
      ),
      ...slices(captures),
    },
    tables: {
      servers: servers(heaviestFirst),
      slices: slicesTable,
      tokenizers: tokenizers(captures),
      releases: releases(captures),
      earlier,
    },
  };
};
export default derive;

/** What is left of Notion's catalogue when every definition goes that no reference leads to. */
function withoutUnreferenced(captures: Captures, tokens: Figure) {
  const notion = captures.servers.find(({ name }) => name === 'notion');
  if (notion === undefined) throw new Error('no capture of notion');
  const { tools, dropped } = slim(notion.tools, { tokenizer: o200k(), hoist: false });
  const { shape } = notion.weight;
  const left = weigh(tools, { shape, server: 'notion', tokenizer: o200k() }).tokens.total;
  const of = (method: string, shown: Pick<Quantity, 'value' | 'unit' | 'label'>) =>
    derived([tokens], method, { ...shown, decimals: 0 });
  return {
    unreferenced_definitions: of('slim/drop@1', {
      value: dropped,
      unit: 'definitions',
      label: 'copies of definitions that nothing in their schema refers to',
    }),
    notion_referenced: of(`slim/drop@1/${tokens.method}`, {
      value: left,
      unit: 'tokens',
      label: "Notion's tokens without the definitions that nothing refers to",
    }),
  };
}

/** How the tokens lie over single tools, whatever server they are of. */
function slices(captures: Captures) {
  const tokens = captures.servers.map(
    ({ name }) => captures.figures.get(`servers.${name}.tokens`)!,
  );
  const perTool = captures.servers
    .flatMap(({ weight }) => weight.perTool.map((tool) => tool.total))
    .sort((a, b) => b - a);
  const sum = perTool.reduce((so, one) => so + one, 0);
  const top = (count: number) => perTool.slice(0, count).reduce((so, one) => so + one, 0);
  let half = 0;
  while (top(half) * 2 < sum) half += 1;
  const of = (method: string, value: number, label: string, unit = 'tokens', decimals = 0) =>
    derived(tokens, method, { value, decimals, unit, label });
  const at = (p: number, label: string) =>
    of('quantile/type-7@1', quantile(perTool, p), label, 'tokens');
  return {
    tool_median: at(0.5, 'tokens of the median tool'),
    tool_ninetieth: at(0.9, 'tokens that nine in ten tools stay under'),
    tool_largest: at(1, 'tokens of the largest tool'),
    tool_smallest: at(0, 'tokens of the smallest tool'),
    half_tools: of('half/tools@1', half, 'largest tools that hold half of the tokens', 'tools'),
    half_share: of(
      'half/tools@1',
      (100 * half) / perTool.length,
      'part of the tools that holds half of the tokens',
      '%',
      1,
    ),
    ten_largest_share: of(
      'largest/share@1',
      (100 * top(10)) / sum,
      'part of the tokens in the ten largest tools',
      '%',
      1,
    ),
  };
}

const bound = (figure: string): Cell => ({ figure });

function servers(list: Captures['servers']): Table {
  return {
    caption: 'Each server’s definitions, heaviest first',
    columns: [
      { key: 'server', label: 'Server' },
      { key: 'tools', label: 'Tools', numeric: true },
      { key: 'tokens', label: 'Tokens', numeric: true },
      { key: 'each', label: 'A tool', numeric: true },
      { key: 'schema', label: 'Schema', numeric: true },
      { key: 'window', label: 'Of the window', numeric: true },
      { key: 'redundant', label: 'Repeated bytes', numeric: true },
      { key: 'protocol', label: 'Revision' },
    ],
    rows: list.map((server) => ({
      key: server.name,
      cells: [
        `${server.name} ${server.version}`,
        ...[
          'tools',
          'tokens',
          'tokens_per_tool',
          'schema_share',
          'window_share',
          'redundant_bytes',
        ].map((measure) => bound(`servers.${server.name}.${measure}`)),
        server.protocol,
      ],
    })),
  };
}

const slicesTable: Table = {
  caption: 'Tokens of single tools, over all servers',
  columns: [
    { key: 'what', label: 'Tool' },
    { key: 'tokens', label: 'Tokens', numeric: true },
  ],
  rows: [
    ['smallest', 'The smallest', 'tool_smallest'],
    ['median', 'The median', 'tool_median'],
    ['ninetieth', 'Nine in ten stay under', 'tool_ninetieth'],
    ['largest', 'The largest', 'tool_largest'],
  ].map(([key, what, id]) => ({ key: key!, cells: [what!, bound(id!)] })),
};

function tokenizers(captures: Captures): Table {
  // The first is what the built-in figures are of; the others are captures of their own.
  const of = (name: string, whose: string) =>
    name === 'o200k_base' ? `servers.${whose}.tokens` : `counts.${name}.${whose}.tokens`;
  const value = (name: string) => captures.figures.get(of(name, 'all'))?.value ?? 0;
  return {
    caption: 'The same definitions in six vocabularies, most tokens first',
    columns: [
      { key: 'tokenizer', label: 'Vocabulary' },
      { key: 'tokens', label: 'Tokens', numeric: true },
      { key: 'notion', label: 'Of which Notion', numeric: true },
    ],
    rows: TOKENIZERS.toSorted((a, b) => value(b) - value(a)).map((name) => ({
      key: name.replaceAll('_', '-'),
      cells: [name, bound(of(name, 'all')), bound(of(name, 'notion'))],
    })),
  };
}

function releases(captures: Captures): Table {
  const named = captures.histories
    .filter(({ releases: list }) => list.length > 1)
    .map(({ name, releases: list }) => ({ name, first: list[0]!, last: list.at(-1)! }))
    .sort((a, b) => b.last.tokens / b.first.tokens - a.last.tokens / a.first.tokens);
  return {
    caption: 'From the oldest release weighed to the newest, by growth',
    columns: [
      { key: 'server', label: 'Server' },
      { key: 'oldest', label: 'From' },
      { key: 'before', label: 'Tokens', numeric: true },
      { key: 'newest', label: 'To' },
      { key: 'after', label: 'Tokens', numeric: true },
      { key: 'growth', label: 'Growth', numeric: true },
      { key: 'releases', label: 'Releases weighed', numeric: true },
    ],
    rows: named.map(({ name, first, last }) => ({
      key: name,
      cells: [
        name,
        first.version,
        bound(`releases.${name}.${first.version}.tokens`),
        last.version,
        bound(`releases.${name}.${last.version}.tokens`),
        bound(`releases.${name}.growth`),
        bound(`releases.${name}.count`),
      ],
    })),
  };
}

/** Each point of the earlier post beside ours; an empty cell where nothing here answers it. */
const earlier: Table = {
  caption: 'The earlier post, point by point',
  columns: [
    { key: 'what', label: 'Point' },
    { key: 'post', label: 'The post', numeric: true },
    { key: 'here', label: 'Here', numeric: true },
    { key: 'verdict', label: 'Verdict' },
  ],
  rows: [
    [
      'notion-tokens',
      'Notion, Qwen tokens',
      'post-connect.tokens',
      'counts.qwen3.notion.tokens',
      'reproduced',
    ],
    [
      'github-tokens',
      'GitHub, Qwen tokens',
      'post-pair.tokens',
      'counts.qwen3.github.tokens',
      'reproduced',
    ],
    ['github-tools', 'GitHub, tools', 'post-pair.tools', 'servers.github.tools', 'reproduced'],
    [
      'redundant',
      'Bytes repeated in $defs',
      'post-notion.redundant_bytes',
      'servers.notion.defs_redundant_bytes',
      'reproduced',
    ],
    [
      'redundant-share',
      'Their part of the schema bytes',
      'post-notion.redundant_share',
      'servers.notion.defs_share',
      'reproduced',
    ],
    [
      'stripped-before',
      'Notion’s schemas',
      'post-stripped.before',
      'servers.notion.schema_list_tokens',
      'differs: another vocabulary',
    ],
    [
      'stripped-after',
      'The same, blocks emptied',
      'post-stripped.after',
      'servers.notion.schema_list_tokens_without_defs',
      'differs: another vocabulary',
    ],
    [
      'stripped-cut',
      'The cut',
      'post-stripped.cut',
      'servers.notion.defs_saved_share',
      'differs: another vocabulary',
    ],
    [
      'tools',
      'Tools of ten servers',
      'post-total.tools',
      'servers.all.tools',
      'differs: newer releases',
    ],
    [
      'tokens',
      'Their Qwen tokens',
      'post-total.tokens',
      'counts.qwen3.all.tokens',
      'differs: newer releases',
    ],
    [
      'schema',
      'Schema',
      'post-parts.schema_share',
      'servers.all.schema_share',
      'differs: newer releases, another vocabulary',
    ],
    [
      'description',
      'Description',
      'post-parts.description_share',
      'servers.all.description_share',
      'differs: the same',
    ],
    ['name', 'Name', 'post-parts.name_share', 'servers.all.name_share', 'agrees'],
    [
      'r',
      'Pearson r',
      'post-spread.pearson',
      'servers.all.pearson_tools_tokens',
      'differs: newer releases, another vocabulary',
    ],
    [
      'spread',
      'Spread of tokens a tool',
      'post-spread.spread',
      'servers.all.tokens_per_tool_spread',
      'differs: newer releases, another vocabulary',
    ],
    [
      'vocabularies',
      'Spread between vocabularies',
      'post-tokenizers.spread',
      'counts.spread',
      'differs: six vocabularies, other definitions',
    ],
    [
      'rendered',
      'Rendered prompt tokens',
      'post-rendered.tokens',
      'counts.qwen3.all.rendered_tokens',
      'differs: newer releases, the template of another model',
    ],
    [
      'memory',
      'Memory that these reserve',
      'post-rendered.memory',
      'counts.qwen3.all.kv_gib',
      'differs: follows the tokens',
    ],
    ['prefill', 'Time without tools', 'post-prefill.seconds', '', 'cited only'],
    ['skill', 'A skill at rest, median', 'post-skills.median', '', 'cited only'],
  ].map(([key, what, post, here, verdict]) => ({
    key: key!,
    cells: [what!, bound(`sources.${post}`), here === '' ? 'not measured' : bound(here!), verdict!],
  })),
};
