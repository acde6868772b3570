/**
 * Prices that others publish, as content/prices.yaml cites them. Pure: it takes a text and must never
 * give a price that its quote does not hold.
 */
import { z } from 'zod';
import { Decimal } from '../ledger/entry.ts';
import { QUOTE_STATUSES } from '../ledger/terms.ts';
import { readYaml, textProblems } from './yaml.ts';

const PRICES_FILE = 'content/prices.yaml';

export const Price = z
  .strictObject({
    /** As requests name it: `claude-opus-5-5`. */
    model: z.string().min(1),
    what: z.enum(['cache_write_5m', 'cache_read']),
    value: Decimal,
    /** US dollars for a million tokens. */
    unit: z.literal('USD/MTok'),
    /** The characters of the quote that say so. */
    characters: z.string().min(1),
    /** The day for which the source gives it, YYYY-MM-DD; null where it names none. */
    date: z.iso.date().nullable(),
    source: z.strictObject({
      url: z.url(),
      title: z.string().min(1),
      quote: z.string().min(1),
      quote_status: z.enum(QUOTE_STATUSES),
      note: z.string().optional(),
    }),
  })
  .superRefine(({ value, characters, source }, ctx) => {
    const fault = (message: string) =>
      ctx.addIssue({ code: 'custom', path: ['characters'], message });
    if (!source.quote.includes(characters)) fault('the quote does not hold these characters');
    if (!characters.split(/[^\d.]+/).includes(value)) fault(`these characters do not say ${value}`);
  });
export type Price = z.infer<typeof Price>;

/** The prices in the file's order. Throws the first Problem, with its file, line and column. */
export function parsePrices(text: string): Price[] {
  const yaml = readYaml(PRICES_FILE, text, z.array(Price));
  const [problem] = [...textProblems(PRICES_FILE, text), ...yaml.problems];
  if (problem !== undefined) throw problem;
  return yaml.value ?? [];
}
