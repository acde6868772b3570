/**
 * Finds what a component names in the article of its page; it must never make something up for an
 * id that is not there.
 */
import type {
  ArticleRecord,
  CaptureRecord,
  ClaimRecord,
  FigureRecord,
  SourceRecord,
} from '../articles/record.ts';
import type { Table } from '../measure/figure.ts';
import { Problem } from '../problem.ts';

function found<T>(thing: T | undefined, what: string, article: ArticleRecord): T {
  if (thing !== undefined) return thing;
  throw new Problem('page.unknown', `there is no ${what}`, { at: `article ${article.slug}` });
}

/** The figure of that id; throws a Problem when the article does not show it. */
export function figureOf(article: ArticleRecord, id: string): FigureRecord {
  return found(
    article.figures.find((figure) => figure.id === id),
    `figure ${id}`,
    article,
  );
}

/** The claim of that id; throws a Problem when the article does not make it. */
export function claimOf(article: ArticleRecord, id: string): ClaimRecord {
  return found(
    article.claims.find((claim) => claim.id === id),
    `claim ${id}`,
    article,
  );
}

/** The source of that id; throws a Problem when the article does not rest on it. */
export function sourceOf(article: ArticleRecord, id: string): SourceRecord {
  return found(
    article.sources.find((source) => source.id === id),
    `source ${id}`,
    article,
  );
}

/** The table of that id; throws a Problem when figures.ts does not make it. */
export function tableOf(article: ArticleRecord, id: string): Table {
  return found(article.tables[id], `table ${id}`, article);
}

/** What a figure rests on, in its own order: captures, and sources that it was cited from. */
export function inputsOf(
  article: ArticleRecord,
  figure: FigureRecord,
): ({ capture: CaptureRecord } | { source: SourceRecord })[] {
  return figure.inputs.map((leaf) => {
    const capture = article.captures.find((one) => one.leaf === leaf);
    if (capture !== undefined) return { capture };
    // A source that is not recorded yet has no leaf, but the figure's id says which one it is.
    const source = article.sources.find(
      ({ id, receipt }) => receipt?.leaf === leaf || figure.id.startsWith(`sources.${id}.`),
    );
    return { source: found(source, `input ${leaf} of figure ${figure.id}`, article) };
  });
}
