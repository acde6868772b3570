/** Which article stands where in a series. Pure; an order that two articles claim is refused, never guessed. */
import { Problem } from '../problem.ts';
import type { ParsedArticle } from './parse.ts';
import type { ArticleRecord, Series } from './record.ts';

/** Problem `series.position` for each article that takes a place which another has. */
export function seriesProblems(
  articles: readonly Pick<ParsedArticle, 'slug' | 'front' | 'at'>[],
): Problem[] {
  const taken = new Map<string, string>();
  return articles.flatMap(({ slug, front: { series }, at }) => {
    if (series === undefined) return [];
    const place = `${series.position} of ${series.name}`;
    const other = taken.get(place);
    if (other === undefined) {
      taken.set(place, slug);
      return [];
    }
    return new Problem('series.position', `${other} is ${place} already`, {
      at: at.front('series', 'position'),
      mend: 'Give each article of a series a position of its own; gaps do no harm.',
    });
  });
}

/** Its place among the published articles of its series; a draft is placed as if it were published. */
export function placeOf(
  { slug, series }: ArticleRecord,
  articles: readonly ArticleRecord[],
): Series | null {
  if (series === null) return null;
  const own = articles
    .filter(
      (other) =>
        other.series?.name === series.name && (other.status === 'published' || other.slug === slug),
    )
    .sort((a, b) => a.series!.position - b.series!.position);
  const i = own.findIndex((other) => other.slug === slug);
  const named = (other: ArticleRecord | undefined) =>
    other === undefined ? null : { slug: other.slug, title: other.title };
  return {
    name: series.name,
    position: i + 1,
    of: own.length,
    prev: named(own[i - 1]),
    next: named(own[i + 1]),
  };
}
