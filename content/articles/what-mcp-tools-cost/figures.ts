/**
 * The figures and tables of this article that are not built in. Pure: captures in, figures out; it
 * imports from measure alone, so that the build, the command line and a browser run the same code.
 */
import type { Captures, DeriveFigures, Figure, Table } from '../../../src/measure/figure.ts';
import { difference, ratio, share } from '../../../src/measure/figures.ts';

const derive: DeriveFigures = (captures) => {
  const figure = (id: string): Figure => {
    const found = captures.figures.get(id);
    if (found === undefined) throw new Error(`no figure ${id}`);
    return found;
  };
  const heaviestFirst = [...captures.servers].sort(
    (a, b) => b.weight.tokens.total - a.weight.tokens.total || (a.name < b.name ? -1 : 1),
  );
  return {
    figures: {
      notion_share: share(
        figure('servers.notion.tokens'),
        figure('servers.all.tokens'),
        "Notion's part of all definition tokens",
      ),
      notion_over_github: ratio(
        figure('servers.notion.tokens'),
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
        figure('servers.all.tokens'),
        'part of all definition tokens that is inside the repeated blocks',
      ),
    },
    tables: { servers: servers(heaviestFirst), earlier },
  };
};
export default derive;

function servers(list: Captures['servers']): Table {
  const cell = (name: string, measure: string) => ({ figure: `servers.${name}.${measure}` });
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
        cell(server.name, 'tools'),
        cell(server.name, 'tokens'),
        cell(server.name, 'tokens_per_tool'),
        cell(server.name, 'schema_share'),
        cell(server.name, 'window_share'),
        cell(server.name, 'redundant_bytes'),
        server.protocol,
      ],
    })),
  };
}

const earlier: Table = {
  caption: 'The earlier post’s figures beside the ones measured here',
  columns: [
    { key: 'what', label: 'Figure' },
    { key: 'post', label: 'The post', numeric: true },
    { key: 'here', label: 'Here', numeric: true },
    { key: 'why', label: 'Compare' },
  ],
  rows: [
    [
      'tools',
      'Tools',
      'sources.post-total.tools',
      'servers.all.tools',
      'other versions of some servers',
    ],
    [
      'tokens',
      'Tokens',
      'sources.post-total.tokens',
      'servers.all.tokens',
      'another tokenizer, other versions',
    ],
    [
      'schema',
      'Schema',
      'sources.post-parts.schema_share',
      'servers.all.schema_share',
      'the same split',
    ],
    [
      'description',
      'Description',
      'sources.post-parts.description_share',
      'servers.all.description_share',
      'the same split',
    ],
    ['name', 'Name', 'sources.post-parts.name_share', 'servers.all.name_share', 'the same split'],
    [
      'r',
      'Pearson r',
      'sources.post-spread.pearson',
      'servers.all.pearson_tools_tokens',
      'the same statistic',
    ],
    [
      'redundant',
      'Bytes repeated in $defs',
      'sources.post-notion.redundant_bytes',
      'servers.notion.defs_redundant_bytes',
      'bytes of the same schemas: equal',
    ],
    [
      'redundant_share',
      'Their part of the schema bytes',
      'sources.post-notion.redundant_share',
      'servers.notion.defs_share',
      'bytes of the same schemas: equal',
    ],
  ].map(([key, what, post, here, why]) => ({
    key: key!,
    cells: [what!, { figure: post! }, { figure: here! }, why!],
  })),
};
