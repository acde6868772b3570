/**
 * The article as one thing with many expressions: what it is, what holds of it in each form, and how
 * the attempts behind it came out. Pure; an outcome is folded from captures, never asserted.
 */
import { z } from 'zod';
import type { ArticleRecord } from '../articles/record.ts';
import type { Verb } from '../commands.ts';
import type { SiteAddress } from '../site.ts';
import { directoryForms } from './directory.ts';
import { forms } from './forms.ts';
import { Outcomes, outcomesOf, runsOf } from './invocations.ts';
import { Count, Hash, Text, Time, Url } from './published.ts';
import { topologyOf } from './topology.ts';

/** What holds of every article, and the command that fails where it does not. */
const INVARIANTS = [
  ['Each form shows the same figures, claims and sources.', 'npm test'],
  ['Nothing is shown that the entries of the ledger do not come to.', 'npm run build'],
  ['Every number names its method and what it rests on.', 'npm run lint:numbers'],
  ['What changes is superseded or retracted, and stays readable.', 'npm run verify'],
  ['An attempt that failed is recorded and shown.', 'npm run refresh'],
  ['Equal content and ledger give equal bytes.', 'npm run test:deep'],
] as const;

/** How a reader of an article weighs and checks it again. */
const AGAIN: readonly Verb[] = ['weigh', 'refresh', 'verify'];

const Expression = z.strictObject({
  form: Text,
  url: Url,
  role: Text,
  audience: z.enum(['people', 'programs', 'models', 'models and people']),
});
export const ObjectShape = z.strictObject({
  object_type: z.literal('article'),
  identity: z.strictObject({
    id: Text,
    slug: Text,
    title: Text,
    genesis: Hash.nullable().meta({ description: 'Leaf of its first revision, for ever the same' }),
  }),
  law: z.strictObject({
    id: Text,
    statement: Text,
    invariants: z.array(z.strictObject({ statement: Text, checked_by: Text })),
  }),
  expressions: z.array(Expression),
  directory: z
    .array(z.strictObject({ id: Text, page: Url, json: Url, skill: Url }))
    .meta({ description: 'Commands by which it is weighed and checked again' }),
  ontology: z.strictObject({
    tags: z.array(Text),
    series: Text.nullable(),
    nodes: z.record(z.string(), Count),
    relations: z.record(z.string(), Count),
  }),
  conformance: z
    .strictObject({
      outcomes: Outcomes,
      runs: Count,
      last_run: z.strictObject({ run: Time, outcomes: Outcomes }).nullable(),
      failing: z.array(z.strictObject({ server: Text, version: Text, code: Text })),
      events: Url,
      rule: Text,
    })
    .meta({ description: 'How the attempts to weigh what it shows came out' }),
});

const CONFORMANCE_RULE =
  'A release whose last attempt failed is named on the page with the reason; a payload that came back other than before is a new capture, and every figure on it must be recorded anew before the page is published.';

export function objectOf(record: ArticleRecord, site: SiteAddress): z.infer<typeof ObjectShape> {
  const { slug, title, tags, series, attempts, failures } = record;
  const at = forms(slug);
  const expression = (
    form: keyof typeof at,
    role: string,
    audience: z.infer<typeof Expression>['audience'],
  ) => ({ form, url: site.url(at[form]), role, audience });
  const graph = topologyOf(record, site);
  const [last] = [...runsOf(attempts)].slice(-1);
  const first = record.entries.find(({ entry }) => entry.type === 'article.put');
  return {
    object_type: 'article',
    identity: { id: `article:${slug}`, slug, title, genesis: first?.leaf ?? null },
    law: {
      id: 'law:receipt',
      statement: 'An article is what its ledger says, in every form the same.',
      invariants: INVARIANTS.map(([statement, checked_by]) => ({ statement, checked_by })),
    },
    expressions: [
      expression('page', 'explains', 'people'),
      expression('markdown', 'explains, in plain text', 'models and people'),
      expression('skill', 'directs a task', 'models'),
      expression('json', 'carries everything', 'programs'),
      expression('topology', 'says what rests on what', 'programs'),
      expression('revisions', 'says what changed', 'programs'),
      expression('invocations', 'says what was tried and what came of it', 'programs'),
    ],
    directory: AGAIN.map((id) => {
      const { page, json, skill } = directoryForms(id);
      return { id, page: site.url(page), json: site.url(json), skill: site.url(skill) };
    }),
    ontology: {
      tags,
      series: series?.name ?? null,
      nodes: tally(graph.nodes.map(({ kind }) => kind)),
      relations: tally(graph.edges.map(({ relation }) => relation)),
    },
    conformance: {
      outcomes: outcomesOf(attempts),
      runs: runsOf(attempts).size,
      last_run: last ? { run: last[0], outcomes: outcomesOf(last[1]) } : null,
      failing: failures.map(({ server, version, code }) => ({ server, version, code })),
      events: site.url(at.invocations),
      rule: CONFORMANCE_RULE,
    },
  };
}

/** How often each word stands there, in the order of the alphabet. */
function tally(words: readonly string[]): Record<string, number> {
  const counts = [...Map.groupBy(words, (word) => word)].map(
    ([word, all]) => [word, all.length] as const,
  );
  return Object.fromEntries(counts.sort(([a], [b]) => (a < b ? -1 : 1)));
}
