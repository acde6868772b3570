/** The figures and tables of this article that are not built in. Pure: captures in, figures out. */
import type { Cell, DeriveFigures, Figure, Table } from '../../../src/measure/figure.ts';
import { derived, difference, type Quantity, ratio, share } from '../../../src/measure/figures.ts';

const VERSIONS = ['2.1.165', '2.1.197', '2.1.303', '2.1.304', '2.1.332'];
/** What the arithmetic is for; index.mdx declares both. */
const [TURNS, DAYS, WINDOW] = [200, 30, 200_000];

const derive: DeriveFigures = ({ figures }) => {
  const figure = (id: string): Figure => {
    const found = figures.get(id);
    if (found === undefined) throw new Error(`no figure ${id}`);
    return found;
  };
  const sent = (version: string, variant: string, measure: string) =>
    figure(`clients.claude-code.${version}.${variant}.${measure}`);
  const seed = (name: string) => figure(`sources.seed-prices.${name}`);
  const month = (cost: Figure, label: string): Quantity =>
    derived([cost], 'turns-days@1', {
      value: cost.value * TURNS * DAYS,
      decimals: 2,
      unit: 'USD',
      label,
    });
  const day = (cost: Figure, label: string): Quantity =>
    derived([cost], 'turns@1', { value: cost.value * TURNS, decimals: 2, unit: 'USD', label });
  const months = {
    upfront: month(seed('upfront_cost'), 'a month of definitions in every request'),
    deferred: month(seed('deferred_cost'), 'a month with tool search'),
    none: month(seed('none_cost'), 'a month without an MCP server'),
  };
  const upfront = sent('2.1.332', 'tool-search-false', 'tool_tokens');
  const deferred = sent('2.1.332', 'baseline', 'tool_tokens');
  const many = sent('2.1.332', 'synthetic-200-upfront', 'prefix_tokens');
  const searched = sent('2.1.332', 'synthetic-200-search', 'prefix_tokens');
  return {
    figures: {
      times: ratio(upfront, deferred, 'tool tokens upfront over deferred, two servers'),
      times_many: ratio(many, searched, 'prefix upfront over deferred, two hundred tools'),
      saved_many: difference(many, searched, 'tokens that deferral takes off the prefix'),
      builtin_share: share(
        sent('2.1.332', 'servers-0', 'tool_tokens'),
        upfront,
        'part of the definitions sent upfront that is there without any server and with deferral',
      ),
      attribution: difference(
        sent('2.1.332', 'baseline', 'body_bytes'),
        sent('2.1.332', 'attribution-off', 'body_bytes'),
        'bytes of the attribution block',
      ),
      attribution_old: difference(
        sent('2.1.165', 'baseline', 'body_bytes'),
        sent('2.1.165', 'attribution-off', 'body_bytes'),
        'bytes of the attribution block',
      ),
      names: difference(
        sent('2.1.332', 'servers-10', 'system_tokens'),
        sent('2.1.332', 'servers-0', 'system_tokens'),
        'tokens of the names of ten servers’ tools',
      ),
      always: difference(
        sent('2.1.332', 'always-load', 'tool_tokens'),
        deferred,
        'tokens that always loading two servers adds',
      ),
      seed_times: ratio(seed('upfront'), seed('deferred'), 'billed tokens upfront over deferred'),
      seed_saved: difference(seed('upfront'), seed('deferred'), 'billed tokens that search saved'),
      seed_over_none: difference(
        seed('deferred'),
        seed('none'),
        'billed tokens that search costs beyond no server',
      ),
      seed_window: derived([seed('upfront')], 'share/window-200000@1', {
        value: (100 * seed('upfront').value) / WINDOW,
        decimals: 1,
        unit: '%',
        label: 'of the window',
      }),
      seed_cached: share(
        figure('sources.seed-row.cached'),
        figure('sources.seed-row.input'),
        'part of the input of a turn that came from a cache',
      ),
      anatomy_schema: share(
        figure('sources.seed-anatomy.schema'),
        figure('sources.seed-anatomy.total'),
        'part of one definition that is schema',
      ),
      gcore_each: ratio(
        figure('sources.gcore.tokens'),
        figure('sources.gcore.tools'),
        'tokens of a tool of that catalogue',
        { unit: 'tokens/tool', decimals: 0 },
      ),
      context_over: ratio(
        figure('sources.cc-16466.shown'),
        figure('sources.cc-16466.counted'),
        'shown over counted',
      ),
      month_upfront: months.upfront,
      month_deferred: months.deferred,
      month_none: months.none,
      month_saved: difference(months.upfront, months.deferred, 'US dollars a month less'),
      day_upfront: day(seed('upfront_cost'), 'a day of definitions in every request'),
      day_deferred: day(seed('deferred_cost'), 'a day with tool search'),
      day_none: day(seed('none_cost'), 'a day without an MCP server'),
    },
    tables: { versions, settings, ways, month: arithmetic, verdicts },
  };
};
export default derive;

const bound = (id: string): Cell => ({ figure: id });
const numeric = (key: string, label: string) => ({ key, label, numeric: true });
const client = (version: string, variant: string, measure: string): Cell =>
  bound(`clients.claude-code.${version}.${variant}.${measure}`);

const versions: Table = {
  caption: 'Claude Code with two servers attached, by version: tokens of tool definitions sent',
  columns: [
    { key: 'version', label: 'Version' },
    numeric('false', 'Off'),
    numeric('unset', 'Unset'),
    numeric('true', 'On'),
    numeric('tools', 'Tools, unset'),
  ],
  rows: VERSIONS.map((version) => ({
    key: version,
    cells: [
      version,
      client(version, 'tool-search-false', 'tool_tokens'),
      client(version, 'baseline', 'tool_tokens'),
      client(version, 'tool-search-true', 'tool_tokens'),
      client(version, 'baseline', 'tools'),
    ],
  })),
};

const SETTINGS: [variant: string, says: string][] = [
  ['tool-search-false', 'off'],
  ['baseline', 'unset'],
  ['tool-search-true', 'on'],
  ['tool-search-auto', 'auto'],
  ['tool-search-auto-5', 'auto, a smaller threshold'],
  ['betas-off-search-true', 'on, with experimental betas disabled'],
  ['always-load', 'unset, both servers always loaded'],
  ['servers-0', 'unset, no server at all'],
  ['servers-10', 'unset, ten servers'],
];
const settings: Table = {
  caption: 'What each setting makes the newest version captured send',
  columns: [
    { key: 'setting', label: 'ENABLE_TOOL_SEARCH' },
    numeric('tools', 'Tools defined'),
    numeric('server_tools', 'Of servers'),
    numeric('named', 'Only named'),
    numeric('tokens', 'Tool tokens'),
    numeric('bytes', 'Bytes sent'),
  ],
  rows: SETTINGS.map(([variant, says]) => ({
    key: variant,
    cells: [
      says,
      ...['tools', 'server_tools', 'named', 'tool_tokens', 'body_bytes'].map((measure) =>
        client('2.1.332', variant, measure),
      ),
    ],
  })),
};

const ways: Table = {
  caption: 'Two hundred made-up tools, captured here, beside what an earlier page was billed for',
  columns: [
    { key: 'where', label: 'Where' },
    numeric('upfront', 'Upfront'),
    numeric('deferred', 'Deferred'),
    { key: 'unit', label: 'Counted as' },
  ],
  rows: [
    {
      key: 'tools-old',
      cells: [
        'Claude Code 2.1.165, here',
        client('2.1.165', 'synthetic-200-upfront', 'tools'),
        client('2.1.165', 'synthetic-200-search', 'tools'),
        'tools defined',
      ],
    },
    {
      key: 'tools-seed',
      cells: [
        'Claude Code 2.1.165, the earlier page',
        bound('sources.seed-wire.upfront'),
        bound('sources.seed-wire.deferred'),
        'tools defined',
      ],
    },
    {
      key: 'tokens-new',
      cells: [
        'Claude Code 2.1.332, here',
        client('2.1.332', 'synthetic-200-upfront', 'prefix_tokens'),
        client('2.1.332', 'synthetic-200-search', 'prefix_tokens'),
        'o200k_base tokens of tools and instructions',
      ],
    },
    {
      key: 'tokens-seed',
      cells: [
        'The earlier page',
        bound('sources.seed-prices.upfront'),
        bound('sources.seed-prices.deferred'),
        'billed input tokens of a turn',
      ],
    },
  ],
};

const arithmetic: Table = {
  caption: 'The earlier page’s turns, at two hundred a day and thirty days a month',
  columns: [
    { key: 'setup', label: 'Set-up' },
    numeric('tokens', 'Input tokens a turn'),
    numeric('turn', 'Dollars a turn'),
    numeric('day', 'A day'),
    numeric('month', 'A month'),
  ],
  rows: (['upfront', 'deferred', 'none'] as const).map((name) => ({
    key: name,
    cells: [
      { upfront: 'every definition upfront', deferred: 'tool search on', none: 'no MCP server' }[
        name
      ],
      bound(`sources.seed-prices.${name}`),
      bound(`sources.seed-prices.${name}_cost`),
      bound(`day_${name}`),
      bound(`month_${name}`),
    ],
  })),
};

const VERDICTS: [claim: string, says: string, verdict: string][] = [
  ['anatomy', 'a definition is mostly its schema', 'cited; holds for most servers weighed here'],
  ['catalogues', 'catalogues run to hundreds of thousands of tokens', 'cited'],
  ['tail', 'the largest definitions are nearly all schema', 'cited'],
  ['wire', 'the setting cuts what travels to nine tools', 'reproduced'],
  ['billed', 'a turn is billed a tenth', 'cited; the kind of saving is reproduced'],
  ['attribution', 'the block kept the cache from matching', 'out of date'],
  ['mechanism', 'names stay, a search loads a few', 'reproduced as far as the request shows'],
  ['values', 'off by default behind a gateway', 'out of date'],
  ['prefix', 'a change of tools costs the cached prefix', 'reproduced by arithmetic on digests'],
  ['two-searches', 'the client and the API defer differently', 'reproduced on the client’s side'],
  ['residue', 'deferral leaves some of the cost', 'cited; in part reproduced'],
  ['as-cheap', 'as cheap as no server at all', 'reproduced, but for the names'],
  ['zero', 'zero tokens and tens of thousands are both true', 'cited'],
  ['monthly', 'what a month costs', 'worked out again from cited prices'],
  ['overrides', 'two settings that override it', 'reproduced'],
  ['disagree', 'practitioners disagree', 'cited'],
  ['alternatives', 'three other ways are reported to work', 'cited'],
  ['ceiling', 'too many tools stop a session', 'cited'],
];
const verdicts: Table = {
  caption: 'The earlier page’s claims and what became of each here',
  columns: [
    { key: 'claim', label: 'Claim here' },
    { key: 'says', label: 'What it said' },
    { key: 'verdict', label: 'What became of it' },
  ],
  rows: VERDICTS.map(([claim, says, verdict]) => ({ key: claim, cells: [claim, says, verdict] })),
};
