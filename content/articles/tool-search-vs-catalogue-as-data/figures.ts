/** The figures and tables of this article that are not built in. Pure: captures in, figures out. */
import type { Cell, DeriveFigures, Figure } from '../../../src/measure/figure.ts';
import { derived, difference, ratio } from '../../../src/measure/figures.ts';

const SERVERS = ['kubernetes', 'github', 'notion', 'context7', 'sequential-thinking'];
const CLIENTS: [client: string, version: string][] = [
  ['claude-code', '2.1.332'],
  ['codex', '0.171.0'],
  ['opencode', '1.18.33'],
  ['gemini-cli', '0.61.0'],
];

const derive: DeriveFigures = ({ figures }) => {
  const figure = (id: string): Figure => {
    const found = figures.get(id);
    if (found === undefined) throw new Error(`no figure ${id}`);
    return found;
  };
  const sent = (client: string, version: string, variant: string, measure: string) =>
    figure(`clients.${client}.${version}.${variant}.${measure}`);
  const names = difference(
    sent('claude-code', '2.1.332', 'servers-10', 'system_tokens'),
    sent('claude-code', '2.1.332', 'servers-0', 'system_tokens'),
    'tokens of the names of all tools of ten servers',
  );
  const tools = difference(
    sent('claude-code', '2.1.332', 'servers-10', 'named'),
    sent('claude-code', '2.1.332', 'servers-0', 'named'),
    'tools of ten servers that are only named',
  );
  const upfront = difference(
    sent('opencode', '1.18.33', 'servers-10', 'tool_tokens'),
    sent('opencode', '1.18.33', 'servers-0', 'tool_tokens'),
    'tokens that ten servers add to a client that defers nothing',
  );
  const many = figure('servers.all.tokens');
  const two = figure('servers.context7.tokens');
  return {
    figures: {
      names,
      upfront,
      names_each: derived([names, tools], 'ratio@1', {
        value: names.value / tools.value,
        decimals: 1,
        unit: 'tokens/tool',
        label: 'tokens of a tool that is only named',
      }),
      times: ratio(upfront, names, 'definitions over names, the same ten servers'),
      two_share: derived([two, many], 'share@1', {
        value: (100 * two.value) / many.value,
        decimals: 1,
        unit: '%',
        label: 'of all ten servers’ tokens',
      }),
    },
    tables: {
      kinds: {
        caption: 'Real servers of each kind',
        columns: [
          { key: 'server', label: 'Server' },
          { key: 'tools', label: 'Tools', numeric: true },
          { key: 'tokens', label: 'Tokens', numeric: true },
          { key: 'each', label: 'A tool', numeric: true },
          { key: 'prose', label: 'Prose', numeric: true },
        ],
        rows: SERVERS.map((name) => ({
          key: name,
          cells: [
            name,
            ...['tools', 'tokens', 'tokens_per_tool', 'description_share'].map(
              (measure): Cell => ({ figure: `servers.${name}.${measure}` }),
            ),
          ],
        })),
      },
      clients: {
        caption: 'The same ten servers, by client: what reaches the request',
        columns: [
          { key: 'client', label: 'Client' },
          { key: 'defined', label: 'Tools defined', numeric: true },
          { key: 'named', label: 'Only named', numeric: true },
          { key: 'tools', label: 'Tool tokens', numeric: true },
          { key: 'system', label: 'Instructions', numeric: true },
        ],
        rows: CLIENTS.map(([client, version]) => ({
          key: client,
          cells: [
            `${client} ${version}`,
            ...['server_tools', 'named', 'tool_tokens', 'system_tokens'].map(
              (measure): Cell => ({ figure: `clients.${client}.${version}.servers-10.${measure}` }),
            ),
          ],
        })),
      },
    },
  };
};
export default derive;
