/**
 * A row of a symptom table: what somebody sees, why, and what mends it. Pure; it says what a row must
 * hold, and never that something was reproduced without a capture that shows it.
 */
import { z } from 'zod';
import { Sha256 } from '../ledger/entry.ts';
import { Problem } from '../problem.ts';
import type { ParsedArticle } from './parse.ts';
import type { Parts } from './record.ts';

const Id = z.string().regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'an id of a-z, 0-9 and single hyphens');
/** A name between backticks is code. */
const Line = z
  .string()
  .trim()
  .min(1)
  .refine((line) => line.split('`').length % 2 === 1, 'code that ends');
const Version = z
  .string()
  .regex(/^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?$/, 'an exact version')
  .nullable();

export const Symptom = z
  .strictObject({
    /** One over all articles: it is the row's address. */
    id: Id,
    /** The table it belongs to, as `<Symptoms id="…"/>` shows it. */
    table: Id,
    symptom: Line,
    cause: Line,
    fix: Line,
    /** What shows it: `claude-code`, `codex`, or the program that counts. */
    client: Id,
    /** The versions for which it is said, both included; null where nobody said. */
    since: Version,
    until: Version,
    /** The day of the report, or of the capture. */
    date: z.iso.date('a day as YYYY-MM-DD'),
    /** Id of a source of this article, which holds the quote; null where it was seen here alone. */
    source: z.string().nullable(),
    /** Ids of claims of this article that the row rests on. */
    claims: z.array(z.string()).min(1),
    /** Leaves of the captures that show it, and what they show; null where it was not tried here. */
    reproduced: z
      .strictObject({ captures: z.array(Sha256).min(1), shows: Line })
      .nullable()
      .default(null),
  })
  .refine(({ source, reproduced }) => source !== null || reproduced !== null, {
    message: 'a row rests on a source, on captures, or on both',
    path: ['source'],
  });
export type SymptomContent = z.infer<typeof Symptom>;

/** A row as readers get it. */
export interface SymptomRecord extends Omit<SymptomContent, 'reproduced'> {
  reproduced: { captures: { leaf: string; seq: number }[]; shows: string; parts: Parts } | null;
}

/** Rows of different articles that have one id would have one address: a Problem each. */
export function symptomProblems(
  articles: readonly Pick<ParsedArticle, 'slug' | 'symptoms' | 'at'>[],
): Problem[] {
  const seen = new Map<string, string>();
  return articles.flatMap(({ slug, symptoms, at }) =>
    symptoms.flatMap(({ id }, i) => {
      const other = seen.get(id);
      seen.set(id, slug);
      if (other === undefined || other === slug) return [];
      return new Problem('symptom.twice', `${other} has a symptom ${id}, too`, {
        at: at.symptoms(i, 'id'),
        mend: 'Rename one of them.',
      });
    }),
  );
}
