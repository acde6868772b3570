/**
 * What went into an article: passes, who made them, and what they spent where that is recorded. Pure;
 * what is not recorded is null, never 0.
 */
import { z } from 'zod';
import type { ArticleRecord } from '../articles/record.ts';
import { sumOf } from '../measure/decimal.ts';
import { Count, Exact, Hash } from './published.ts';

/** Where only some entries say what they spent, the sum is of those, and `known` is below `of`. */
const spent = <T extends z.ZodType>(sum: T) =>
  z
    .strictObject({ sum: sum.nullable(), known: Count, of: Count })
    .meta({ description: 'Sum over the `known` of `of` claims that say it; null where none does' });
export const Energy = z.strictObject({
  passes: Count.meta({ description: 'Appends to the ledger that hold entries of this article' }),
  models: z.record(z.string(), Count).meta({
    description: 'Passes by who made them, a model or a person, as the ledger names them',
  }),
  tokens: spent(Count),
  cost: spent(Exact),
  head: Hash.nullable().meta({ description: 'Leaf of its last entry' }),
});

/** Folded from the article's own entries. */
export function energyOf({ entries }: Pick<ArticleRecord, 'entries'>): z.infer<typeof Energy> {
  // All entries of one append share who and when.
  const passes = new Map(entries.map(({ ts, entry }) => [`${ts} ${entry.actor}`, entry.actor]));
  const models = new Map<string, number>();
  for (const actor of passes.values()) models.set(actor, (models.get(actor) ?? 0) + 1);
  const claims = entries.flatMap(({ entry }) => (entry.type === 'claim.put' ? [entry.body] : []));
  const tokens = claims.flatMap((claim) => claim.tokens ?? []);
  const costs = claims.flatMap((claim) => claim.cost ?? []);
  const of = claims.length;
  return {
    passes: passes.size,
    models: Object.fromEntries([...models].sort(([a], [b]) => (a < b ? -1 : 1))),
    tokens: {
      sum: tokens.length > 0 ? tokens.reduce((a, b) => a + b) : null,
      known: tokens.length,
      of,
    },
    cost: { sum: costs.length > 0 ? sumOf(costs) : null, known: costs.length, of },
    head: entries.at(-1)?.leaf ?? null,
  };
}
