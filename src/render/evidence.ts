/**
 * The words of evidence with their definitions, and how often the published articles use each: as
 * JSON, as markdown, and as the value that the page /evidence/ shows. Pure.
 */
import type { Root, RootContent } from 'mdast';
import { z } from 'zod';
import {
  METHODS,
  methodOf,
  QUOTE_MEANS,
  STATUS_MEANS,
  SURFACES,
  stepsOf,
  TIER_MEANS,
} from '../articles/evidence.ts';
import type { ArticleRecord } from '../articles/record.ts';
import { Status, Tier } from '../ledger/entry.ts';
import { QUOTE_STATUSES, STATUSES, TIERS } from '../ledger/terms.ts';
import type { SiteAddress } from '../site.ts';
import { counted as said } from './counted.ts';
import { grid, heading, markdownOf, paragraph, text } from './mdast.ts';
import { Count, head, headShape, print, Text } from './published.ts';

/** Where the definitions stand, in each form. */
export const EVIDENCE = {
  page: '/evidence/',
  markdown: '/evidence.md',
  json: '/api/evidence.json',
} as const;

export const EvidenceJson = z.strictObject({
  ...headShape('evidence'),
  counted: z
    .strictObject({
      articles: Count,
      claims: Count,
      figures: Count,
      sources: Count,
      method: Text,
      over: Text,
    })
    .meta({ description: 'What the counts below are of' }),
  tiers: z.array(z.strictObject({ id: Tier, means: Text, claims: Count })),
  statuses: z.array(
    z.strictObject({ id: Status, means: Text, needs: Text, claims: Count, figures: Count }),
  ),
  quotes: z.array(z.strictObject({ id: z.enum(QUOTE_STATUSES), means: Text, sources: Count })),
  surfaces: z.array(z.strictObject({ id: Text, name: Text, means: Text })),
  methods: z.array(
    z.strictObject({
      id: Text,
      means: Text.nullable().meta({
        description: 'Null: only the article’s figures.ts defines it',
      }),
      figures: Count,
    }),
  ),
});
export type Evidence = z.infer<typeof EvidenceJson>;

/** What the counts are of; said beside them. */
const COUNTED =
  'over what the published articles show now: each claim that stands, each figure and each source with a quote, once for each article';

/** How many figures take each method, by its id; what only an article defines goes by its own name. */
function usesOf(figures: readonly { method: string }[]): Map<string, number> {
  const ids = new Map<string, string>(); // few steps and many figures: each is looked up once
  const idOf = (step: string): string => {
    const id = ids.get(step) ?? methodOf(step)?.id ?? step;
    ids.set(step, id);
    return id;
  };
  const used = new Map<string, number>();
  for (const { method } of figures) {
    for (const id of new Set(stepsOf(method).map(idOf))) used.set(id, (used.get(id) ?? 0) + 1);
  }
  return used;
}

/** `records` are the published articles. */
export function evidenceOf(records: readonly ArticleRecord[], site: SiteAddress): Evidence {
  const claims = records.flatMap((record) => record.claims);
  const figures = records.flatMap((record) => record.figures);
  const sources = records.flatMap((record) => record.sources).filter(({ quote }) => quote !== null);
  const used = usesOf(figures);
  const known = new Set(METHODS.map(({ id }) => id));
  const unknown = [...used.keys()].filter((id) => !known.has(id)).sort();
  return {
    ...head('evidence', site),
    counted: {
      articles: records.length,
      claims: claims.length,
      figures: figures.length,
      sources: sources.length,
      method: 'count@1',
      over: COUNTED,
    },
    tiers: TIERS.map((id) => ({
      id,
      means: TIER_MEANS[id],
      claims: claims.filter(({ tier }) => tier === id).length,
    })),
    statuses: STATUSES.map((id) => ({
      id,
      ...STATUS_MEANS[id],
      claims: claims.filter(({ status }) => status.includes(id)).length,
      figures: figures.filter(({ status }) => status === id).length,
    })),
    quotes: QUOTE_STATUSES.map((id) => ({
      id,
      means: QUOTE_MEANS[id],
      sources: sources.filter(({ quoteStatus }) => quoteStatus === id).length,
    })),
    surfaces: SURFACES.map((surface) => ({ ...surface })),
    methods: [
      ...METHODS.map((method) => ({
        ...method,
        figures: used.get(method.id) ?? 0,
      })),
      ...unknown.map((id) => ({ id, means: null, figures: used.get(id)! })),
    ],
  };
}

/** For programs. */
export function renderEvidenceJson(records: readonly ArticleRecord[], site: SiteAddress): string {
  return print(evidenceOf(records, site));
}

/** For readers without a browser. */
export function renderEvidenceMarkdown(
  records: readonly ArticleRecord[],
  site: SiteAddress,
): string {
  const { counted, tiers, statuses, quotes, surfaces, methods } = evidenceOf(records, site);
  const table = (
    title: string,
    columns: readonly string[],
    rows: readonly (readonly (string | number)[])[],
  ): RootContent[] => [
    heading(2, title),
    grid(
      columns.map((column) => [text(column)]),
      rows.map(([id, ...cells]) => [
        [{ type: 'inlineCode', value: String(id) }],
        ...cells.map((cell) => [text(String(cell))]),
      ]),
      rows[0]?.map((cell) => typeof cell === 'number') ?? [],
    ),
  ];
  const root: Root = {
    type: 'root',
    children: [
      heading(1, 'Evidence'),
      paragraph(
        text(
          'What the words beside a claim, a number or a quote mean, and how many carry each. Counted by ',
        ),
        { type: 'inlineCode', value: counted.method },
        text(
          ` ${counted.over}: ${said(counted.claims, 'claim')}, ${said(counted.figures, 'figure')}, ${said(counted.sources, 'source')}.`,
        ),
      ),
      ...table(
        'Tiers',
        ['Tier', 'What it means', 'Claims'],
        tiers.map(({ id, means, claims }) => [id, means, claims]),
      ),
      ...table(
        'Evidence status',
        ['Status', 'What it means', 'It takes', 'Claims', 'Figures'],
        statuses.map(({ id, means, needs, claims, figures }) => [
          id,
          means,
          needs,
          claims,
          figures,
        ]),
      ),
      ...table(
        'Quotes',
        ['State', 'What it means', 'Sources'],
        quotes.map(({ id, means, sources }) => [id, means, sources]),
      ),
      ...table(
        'Surfaces of an objection',
        ['Surface', 'What it attacks', 'What it says'],
        surfaces.map(({ id, name, means }) => [id, name, means]),
      ),
      ...table(
        'Methods',
        ['Method', 'What it does', 'Figures'],
        methods.map(({ id, means, figures }) => [id, means ?? OWN_METHOD, figures]),
      ),
    ],
  };
  return markdownOf(root);
}

/** Said of a method that has no definition here. */
export const OWN_METHOD = 'An article’s own: its figures.ts, which the ledger keeps, defines it.';
