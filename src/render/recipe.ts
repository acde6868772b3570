/**
 * ArticleRecord -> the recipe by which its figures are derived again elsewhere: which leaves each
 * rests on, and in which order figures.ts was given them. Pure; it holds no value of a figure.
 */
import { z } from 'zod';
import type { ArticleRecord, FigureRecord } from '../articles/record.ts';
import type { History } from '../measure/history.ts';
import type { SiteAddress } from '../site.ts';
import { Count, Hash, head, headShape, Text } from './published.ts';

export const RecipeJson = z.strictObject({
  ...headShape('article-weigh'),
  slug: Text,
  entries: z.record(Hash, Count).meta({ description: 'Where each leaf stands' }),
  servers: z.array(Hash).meta({ description: 'What figures.ts is given, in this order' }),
  histories: z.array(z.strictObject({ name: Text, package: Text, releases: z.array(Hash) })),
  requests: z.array(Hash).meta({ description: 'What clients sent, where figures.ts asks for it' }),
  sources: z.array(Hash),
  figures: z.record(Text, z.strictObject({ inputs: z.array(Text) })),
});

/** What figures rest on and what figures.ts is given, in the order of the build; a leaf is lower-case hex. */
export type Recipe = Omit<z.infer<typeof RecipeJson>, '$schema' | 'shape' | 'version'>;

/** The captures whose payload is a list of tools: the only kind that is weighed again from its bytes. */
const lists = ({ captures }: ArticleRecord) => captures.filter(({ kind }) => kind === 'tools_list');

/** Does all that the figure rests on stand in the ledger as lists of tools, so that it can be counted again? */
export function weighable(article: ArticleRecord, { inputs }: FigureRecord): boolean {
  const { sources } = article;
  const stored = new Set(lists(article).map(({ leaf }) => leaf));
  const cited = new Set(sources.map(({ receipt }) => receipt?.leaf));
  return (
    inputs.some((leaf) => stored.has(leaf)) &&
    inputs.every((leaf) => stored.has(leaf) || cited.has(leaf))
  );
}

/** `given`: what figures.ts was given. `seqOf`: where each leaf stands. */
export function renderRecipe(
  article: ArticleRecord,
  given: { servers: readonly { leaf: string }[]; histories: readonly History[] },
  seqOf: ReadonlyMap<string, number>,
  site: SiteAddress,
): string {
  const servers = given.servers.map(({ leaf }) => leaf);
  const now = new Set(servers);
  // The payloads of all releases are many times those of the newest: only where they are used.
  const past =
    article.figures.some(({ id }) => id.startsWith('releases.')) ||
    lists(article).some(({ leaf }) => !now.has(leaf));
  const histories = past
    ? given.histories.map(({ name, package: pkg, releases }) => ({
        name,
        package: pkg,
        releases: releases.map(({ leaf }) => leaf),
      }))
    : [];
  // A figures.ts that asks for what clients sent needs it for each of its figures.
  const requests = article.captures.flatMap(({ kind, leaf }) =>
    kind === 'client_request' ? leaf : [],
  );
  const sources = article.sources.flatMap(({ receipt }) => receipt?.leaf ?? []);
  const leaves = [
    ...servers,
    ...histories.flatMap(({ releases }) => releases),
    ...requests,
    ...sources,
  ];
  const recipe: z.infer<typeof RecipeJson> = {
    ...head('article-weigh', site),
    slug: article.slug,
    entries: Object.fromEntries(
      leaves.flatMap((leaf) => {
        const seq = seqOf.get(leaf);
        return seq === undefined ? [] : [[leaf, seq]];
      }),
    ),
    servers,
    histories,
    requests,
    sources,
    figures: Object.fromEntries(
      article.figures
        .filter((figure) => weighable(article, figure))
        .map(({ id, inputs }) => [id, { inputs }]),
    ),
  };
  return `${JSON.stringify(recipe)}\n`;
}
