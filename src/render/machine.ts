/**
 * What a program must know to use an article: where to read it, what stands before and after it, what
 * the ledger holds of it, and what counts as proof. Pure.
 */
import { z } from 'zod';
import type { ArticleRecord, Series } from '../articles/record.ts';
import { STATUSES, TIERS } from '../ledger/terms.ts';
import type { SiteAddress } from '../site.ts';
import { EVIDENCE } from './evidence.ts';
import { forms } from './forms.ts';
import { objectionsPath } from './objections.ts';
import { Count, Receipt, receiptOf, Text, Url } from './published.ts';

const PROOF_RULE =
  'An entry is the proof, an answer is not: what is recorded has a number and a leaf hash, and `npm run verify` works both out again from the bytes under /ledger/.';
const WRITING =
  'One assertion to a claim, with its tier, its evidence status and what it rests on. A number is a figure that can be derived again. What could not be had is said, with the reason.';

const HOW =
  'objection and thread_update need no key. claim and sources are the owner’s: TERMINAL_KEY comes from the environment, never into a command. Each is answered with a receipt, and is a proposal until it is taken in. surface is S1 wording, S2 source, S3 method, S4 arithmetic, S5 tier or status, S6 scope, S7 freshness, S8 representation.';

const Neighbour = z.strictObject({ slug: Text, title: Text, page: Url, json: Url }).nullable();
export const Machine = z.strictObject({
  shape: z.literal('weighbridge.machine/1'),
  kind: z.literal('article'),
  read: z.strictObject({ human: Url, json: Url, markdown: Url, skill: Url }),
  traversal: z
    .strictObject({
      prev: Neighbour,
      next: Neighbour,
      hub: Url,
      series: Text.nullable(),
      position: Count.nullable(),
      of: Count.nullable(),
    })
    .meta({ description: 'prev and next within its series; hub lists all articles' }),
  ledger: z.strictObject({
    entries: Count,
    claims: Count,
    retracted: Count,
    sources: Count,
    figures: Count,
    captures: Count,
    revisions: Count,
    first: Receipt,
    last: Receipt,
    proof_rule: Text,
  }),
  terminal: z
    .strictObject({
      how: Text,
      objection: Text,
      thread_update: Text,
      claim: Text,
      sources: Text,
      read_back: Text,
      thread_state: Text,
    })
    .meta({ description: 'Commands that work as printed on a server that takes posts' }),
  standard: z.strictObject({
    writing: Text,
    claim_tiers: z.array(z.enum(TIERS)),
    evidence_statuses: z.array(z.enum(STATUSES)),
    definitions: Url,
  }),
});

/** `ledger.claims` are those that stand; `retracted` those withdrawn and not put again. */
export function machineOf(record: ArticleRecord, site: SiteAddress): z.infer<typeof Machine> {
  const { slug, series, entries } = record;
  const { page, json, markdown, skill } = forms(slug);
  const neighbour = (other: Series['next'] | undefined) =>
    other
      ? {
          ...other,
          page: site.url(forms(other.slug).page),
          json: site.url(forms(other.slug).json),
        }
      : null;
  const withdrawn = new Set<string>();
  for (const { entry } of entries) {
    if (entry.type === 'claim.retract') withdrawn.add(entry.body.id);
    else if (entry.type === 'claim.put') withdrawn.delete(entry.body.id);
  }
  const [first, last] = [entries[0], entries.at(-1)];
  const post = (path: string, body: unknown, key = '') =>
    `curl -s -X POST ${site.url(path)} ${key}-H 'content-type: application/json' -d '${JSON.stringify(body)}'`;
  const key = '-H "x-terminal-key: $TERMINAL_KEY" ';
  const source = {
    type: 'github',
    url: 'https://example.com/',
    title: 'Its title',
    quote: 'The exact words',
    summary: 'What it says',
  };
  return {
    shape: 'weighbridge.machine/1',
    kind: 'article',
    read: {
      human: site.url(page),
      json: site.url(json),
      markdown: site.url(markdown),
      skill: site.url(skill),
    },
    traversal: {
      prev: neighbour(series?.prev),
      next: neighbour(series?.next),
      hub: site.url('/api/articles.json'),
      series: series?.name ?? null,
      position: series?.position ?? null,
      of: series?.of ?? null,
    },
    ledger: {
      entries: entries.length,
      claims: record.claims.length,
      retracted: withdrawn.size,
      sources: record.sources.length,
      figures: record.figures.length,
      captures: record.captures.length,
      revisions: record.revisions,
      first: first ? receiptOf(first) : null,
      last: last ? receiptOf(last) : null,
      proof_rule: PROOF_RULE,
    },
    terminal: {
      how: HOW,
      objection: post(`/api/articles/${slug}/objections`, {
        actor: 'who you are',
        objection: 'What is wrong, and why',
        surface: 'S1',
        claim_id: record.claims[0]?.id ?? null,
        minimum_patch: 'The smallest change that would answer it',
      }),
      thread_update: post('/api/protocol/thread-update', {
        actor: 'who you are',
        target: slug,
        raw_text: 'What is new',
      }),
      claim: post(
        '/api/protocol/claim',
        {
          slug,
          text: 'One assertion',
          tier: 'system',
          // A claim rests on one at least; where there is none yet, it is posted first.
          source_ids: [record.sources[0]?.id ?? 'id-of-a-source'],
          who_claims: 'who you are',
          rationale: 'How it is known',
        },
        key,
      ),
      sources: post('/api/protocol/sources', { slug, sources: [source] }, key),
      read_back: `curl -s ${site.url(objectionsPath(slug))}`,
      thread_state: `curl -s '${site.url(`/api/protocol/thread-state?target=${slug}`)}'`,
    },
    standard: {
      writing: WRITING,
      claim_tiers: [...TIERS],
      evidence_statuses: [...STATUSES],
      definitions: site.url(EVIDENCE.json),
    },
  };
}
