/**
 * Days in content that have not come yet. Asked when it is recorded, by the time of the record: the
 * build reads no clock. Pure.
 */
import { lastDay } from '../day.ts';
import { Problem } from '../problem.ts';
import type { ParsedArticle } from './parse.ts';

/** A Problem `day.ahead` for each day of an article's sources and symptoms that lies more than a day after `now`. */
export function daysAhead({ sources, symptoms, at }: ParsedArticle, now: Date): Problem[] {
  const last = lastDay(now);
  const days = [
    ...sources.flatMap(({ published, checked }, i) => [
      { day: published, at: at.sources(i, 'published') },
      { day: checked, at: at.sources(i, 'checked') },
    ]),
    ...symptoms.map(({ date }, i) => ({ day: date, at: at.symptoms(i, 'date') })),
  ];
  return days.flatMap(({ day, at }) =>
    day === null || day === undefined || day <= last
      ? []
      : [
          new Problem('day.ahead', `${day} has not come yet`, {
            at,
            mend: 'Write the day on which it was.',
          }),
        ],
  );
}
