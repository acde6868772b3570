/** The figures and tables of this article that are not built in. Pure: captures in, figures out. */
import type { Captures, DeriveFigures, Figure, Tool } from '../../../src/measure/figure.ts';
import { derived, type Quantity, share } from '../../../src/measure/figures.ts';
import { o200k } from '../../../src/measure/o200k.ts';
import { slim } from '../../../src/measure/slim.ts';
import { weigh } from '../../../src/measure/weigh.ts';

const derive: DeriveFigures = (captures) => {
  const figure = (id: string): Figure => {
    const found = captures.figures.get(id);
    if (found === undefined) throw new Error(`no figure ${id}`);
    return found;
  };
  const all = figure('servers.all.tokens');
  const schema = figure('servers.all.schema_tokens');
  const words = schemaWords(captures);
  const slimmed = withoutUnreferenced(captures);
  const shares = Object.fromEntries(
    captures.servers.map(({ name }) => [
      `kept_${name.replaceAll('-', '_')}`,
      share(
        one(captures, name, slimmed.get(name) ?? 0, 'tokens without unreferenced definitions'),
        figure(`servers.${name}.tokens`),
        'part of its tokens that is left',
      ),
    ]),
  );
  const kept: Quantity = derived([all], 'slim/drop@1/sum@1', {
    value: [...slimmed.values()].reduce((sum, tokens) => sum + tokens, 0),
    decimals: 0,
    unit: 'tokens',
    label: 'tokens of all servers without definitions that nothing refers to',
  });
  return {
    figures: {
      ...shares,
      kept,
      kept_share: share(kept, all, 'part of all tokens that is left'),
      schema_words: derived([all], 'schema/descriptions@1', {
        value: words,
        decimals: 0,
        unit: 'tokens',
        label: 'tokens of descriptions inside schemas',
      }),
      schema_words_share: derived([all], 'schema/descriptions@1/share@1', {
        value: (100 * words) / schema.value,
        decimals: 1,
        unit: '%',
        label: 'part of the schemas’ tokens that is prose',
      }),
    },
    tables: {
      parts: {
        caption: 'What each server’s definitions are made of',
        columns: [
          { key: 'server', label: 'Server' },
          { key: 'names', label: 'Names', numeric: true },
          { key: 'prose', label: 'Prose', numeric: true },
          { key: 'schema', label: 'Schema', numeric: true },
          { key: 'repeats', label: 'Repeated', numeric: true },
          { key: 'left', label: 'Left without dead definitions', numeric: true },
        ],
        rows: captures.servers.map(({ name, version }) => ({
          key: name,
          cells: [
            `${name} ${version}`,
            ...['name_share', 'description_share', 'schema_share', 'redundant_share'].map(
              (measure) => ({ figure: `servers.${name}.${measure}` }),
            ),
            { figure: `kept_${name.replaceAll('-', '_')}` },
          ],
        })),
      },
    },
  };
};
export default derive;

/** Tokens of one server that were worked out here. */
function one({ figures }: Captures, name: string, value: number, label: string): Quantity {
  const from = figures.get(`servers.${name}.tokens`);
  if (from === undefined) throw new Error(`no tokens of ${name}`);
  return derived([from], `slim/drop@1/${from.method}`, {
    value,
    decimals: 0,
    unit: 'tokens',
    label,
  });
}

function withoutUnreferenced({ servers }: Captures): ReadonlyMap<string, number> {
  const tokenizer = o200k();
  return new Map(
    servers.map(({ name, tools, weight: { shape } }) => [
      name,
      weigh(slim(tools, { tokenizer, hoist: false }).tools, { shape, server: name, tokenizer })
        .tokens.total,
    ]),
  );
}

/** Tokens of every `description` inside an input schema, each counted by itself. */
function schemaWords({ servers }: Captures): number {
  const { count } = o200k();
  const inside = (value: unknown): number => {
    if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + inside(item), 0);
    if (typeof value !== 'object' || value === null) return 0;
    return Object.entries(value).reduce(
      (sum, [key, item]) =>
        sum + (key === 'description' && typeof item === 'string' ? count(item) : inside(item)),
      0,
    );
  };
  return servers
    .flatMap(({ tools }) => tools)
    .reduce((sum, { inputSchema }: Tool) => sum + inside(inputSchema), 0);
}
