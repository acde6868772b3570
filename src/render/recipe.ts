/**
 * ArticleRecord -> the recipe by which its figures are derived again elsewhere: which leaves each
 * rests on, and in which order figures.ts was given them. Pure; it holds no value of a figure.
 */
import type { ArticleRecord, FigureRecord } from '../articles/record.ts';
import type { Recipe } from '../browser/rederive.ts';
import type { History } from '../measure/history.ts';

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
  const recipe: Recipe = {
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
