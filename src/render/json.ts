/**
 * ArticleRecord -> JSON for programs. Pure; keys come in the order written here, so that equal
 * records give equal bytes. What the record does not hold, its own noun's renderer folds: machine,
 * object, energy; nothing else is worked out.
 */
import { z } from 'zod';
import type { ArticleRecord, Parts } from '../articles/record.ts';
import { Status, Tier } from '../ledger/entry.ts';
import { QUOTE_STATUSES } from '../ledger/terms.ts';
import type { SiteAddress } from '../site.ts';
import { claimAnchor, figureAnchor, sourceAnchor, tableAnchor } from './anchor.ts';
import { Energy, energyOf } from './energy.ts';
import { FigureShape, figureIn } from './figure.ts';
import { type Forms, forms } from './forms.ts';
import { Machine, machineOf } from './machine.ts';
import { ObjectShape, objectOf } from './object.ts';
import {
  Count,
  Exact,
  Hash,
  head,
  headShape,
  PartsShape,
  print,
  Receipt,
  receipt,
  receiptOf,
  Text,
  Time,
  Url,
} from './published.ts';
import { SymptomShape, symptomJson } from './symptoms.ts';

const Representations = z.strictObject({
  page: Url,
  markdown: Url,
  json: Url,
  skill: Url,
  topology: Url,
  revisions: Url,
  invocations: Url,
});

export const ArticleJson = z.strictObject({
  ...headShape('article'),
  slug: Text,
  title: Text,
  summary: Text,
  summary_parts: PartsShape,
  tags: z.array(Text),
  status: z.enum(['published', 'draft']),
  dates: z.strictObject({
    recorded_first: Time.nullable(),
    recorded_last: Time.nullable(),
    captured_first: Time.nullable(),
    captured_last: Time.nullable(),
  }),
  representations: Representations,
  widgets: z
    .array(
      z.strictObject({
        type: z.literal('stat'),
        figure: Text,
        url: Url,
        value: Exact,
        text: Text,
        unit: Text,
        label: Text,
      }),
    )
    .meta({ description: 'The numbers to leave with, each bound to a figure' }),
  notes: z.array(Text),
  sections: z.array(z.strictObject({ id: Text, heading: Text, url: Url })),
  claims: z.array(
    z.strictObject({
      id: Text,
      url: Url,
      text: Text,
      parts: PartsShape,
      tier: Tier,
      status: z.array(Status),
      sources: z.array(Text),
      section: Text,
      claimed_by: Text,
      why: Text,
      rationale: Text,
      receipt: Receipt,
    }),
  ),
  figures: z.array(FigureShape),
  tables: z.array(
    z.strictObject({
      id: Text,
      url: Url,
      caption: Text,
      columns: z.array(
        z.strictObject({ key: Text, label: Text, numeric: z.boolean().exactOptional() }),
      ),
      rows: z.array(
        z.strictObject({
          key: Text,
          cells: z.array(z.union([Text, z.strictObject({ figure: Text })])),
        }),
      ),
    }),
  ),
  sources: z.array(
    z.strictObject({
      id: Text,
      anchor: Url,
      type: Text,
      url: Url,
      title: Text,
      author: Text.nullable(),
      published: Text.nullable(),
      quote: Text.nullable(),
      quote_status: z.enum(QUOTE_STATUSES),
      checked: Text.nullable(),
      summary: Text,
      receipt: Receipt,
    }),
  ),
  symptoms: z.array(SymptomShape),
  captures: z.array(
    z.strictObject({
      kind: z.enum(['tools_list', 'discover', 'count', 'client_request', 'gateway_log']),
      server: Text,
      package: Text,
      version: Text,
      integrity: Text.nullable(),
      protocol: Text.nullable(),
      tools: Count.nullable(),
      sha256: Hash,
      bytes: Count,
      rerun: Text.nullable(),
      receipt: Receipt,
    }),
  ),
  failures: z.array(
    z.strictObject({
      server: Text,
      package: Text,
      version: Text,
      code: Text,
      message: Text,
      captured_before: z.boolean(),
      receipt: Receipt,
    }),
  ),
  skill: Text,
  receipt: Receipt,
  revisions: Count,
  machine: Machine,
  object: ObjectShape,
  energy: Energy,
  provenance: z
    .array(
      z.strictObject({
        ...receipt,
        actor: Text,
        type: Text,
        id: Text.nullable(),
        replaces: Hash.nullable(),
      }),
    )
    .meta({ description: 'Every entry of this article, the oldest first' }),
  unrecorded: z.array(Text),
});

const Summary = z.strictObject({
  slug: Text,
  title: Text,
  summary: Text,
  tags: z.array(Text),
  series: Text.nullable(),
  representations: Representations,
  claims: Count,
  figures: Count,
  sources: Count,
  receipt: Receipt,
  revisions: Count,
});
export const ArticlesJson = z.strictObject({
  ...headShape('articles'),
  articles: z.array(Summary),
});

/** One article, whole. Numbers are exact decimals as text, so that no parser rounds them. */
export function renderArticleJson(record: ArticleRecord, site: SiteAddress): string {
  const representations = representationsOf(record.slug, site);
  const { page } = representations;
  const figures = new Map(record.figures.map((figure) => [figure.id, figure]));
  const say = (parts: Parts): string =>
    parts
      .map((part) => ('text' in part ? part.text : (figures.get(part.figure)?.text ?? '')))
      .join('');
  const times = record.captures.map(({ ts }) => ts).sort();
  const value: z.infer<typeof ArticleJson> = {
    ...head('article', site),
    slug: record.slug,
    title: record.title,
    summary: record.summary,
    summary_parts: record.summaryParts,
    tags: record.tags,
    status: record.status,
    dates: {
      recorded_first: record.entries[0]?.ts ?? null,
      recorded_last: record.entries.at(-1)?.ts ?? null,
      captured_first: times[0] ?? null,
      captured_last: times.at(-1) ?? null,
    },
    representations,
    widgets: record.stats.flatMap(({ figure: id, label }) => {
      const figure = figures.get(id);
      if (figure === undefined) return [];
      const { decimal: value, text, unit } = figure;
      const url = `${page}#${figureAnchor(id)}`;
      return { type: 'stat' as const, figure: id, url, value, text, unit, label };
    }),
    notes: record.notes.map(say),
    sections: record.sections.map(({ id, heading }) => ({ id, heading, url: `${page}#${id}` })),
    claims: record.claims.map((claim) => ({
      id: claim.id,
      url: `${page}#${claimAnchor(claim.id)}`,
      text: claim.text,
      parts: claim.parts,
      tier: claim.tier,
      status: claim.status,
      sources: claim.sources,
      section: claim.section,
      claimed_by: claim.claimedBy,
      why: claim.why,
      rationale: claim.rationale,
      receipt: claim.receipt,
    })),
    figures: record.figures.map((figure) => figureIn(figure, page)),
    tables: Object.keys(record.tables)
      .sort()
      .map((id) => {
        const { caption, columns, rows } = record.tables[id]!;
        return { id, url: `${page}#${tableAnchor(id)}`, caption, columns, rows };
      }),
    sources: record.sources.map((source) => ({
      id: source.id,
      anchor: `${page}#${sourceAnchor(source.id)}`,
      type: source.type,
      url: source.url,
      title: source.title,
      author: source.author,
      published: source.published,
      quote: source.quote,
      quote_status: source.quoteStatus,
      checked: source.checked,
      summary: source.summary,
      receipt: source.receipt,
    })),
    symptoms: record.symptoms.map((symptom) => symptomJson(symptom, site)),
    captures: record.captures.map((capture) => ({
      kind: capture.kind,
      server: capture.server,
      package: capture.package,
      version: capture.version,
      integrity: capture.integrity,
      protocol: capture.protocol,
      tools: capture.tools,
      sha256: capture.sha256,
      bytes: capture.bytes,
      rerun: capture.rerun,
      receipt: receiptOf(capture),
    })),
    failures: record.failures.map((failure) => ({
      server: failure.server,
      package: failure.package,
      version: failure.version,
      code: failure.code,
      message: failure.message,
      captured_before: failure.captured,
      receipt: failure.receipt,
    })),
    skill: record.skill.description,
    receipt: record.receipt,
    revisions: record.revisions,
    machine: machineOf(record, site),
    object: objectOf(record, site),
    energy: energyOf(record),
    provenance: record.entries.map(({ entry, ...at }) => ({
      ...receiptOf(at),
      actor: entry.actor,
      type: entry.type,
      id: 'id' in entry.body ? entry.body.id : null,
      replaces: 'replaces' in entry.body ? entry.body.replaces : null,
    })),
    unrecorded: record.unrecorded,
  };
  return print(value);
}

/** The published articles, without their bodies. */
export function renderArticlesIndex(records: readonly ArticleRecord[], site: SiteAddress): string {
  const value: z.infer<typeof ArticlesJson> = {
    ...head('articles', site),
    articles: records
      .filter(({ status }) => status === 'published')
      .map((record) => ({
        slug: record.slug,
        title: record.title,
        summary: record.summary,
        tags: record.tags,
        series: record.series?.name ?? null,
        representations: representationsOf(record.slug, site),
        claims: record.claims.length,
        figures: record.figures.length,
        sources: record.sources.length,
        receipt: record.receipt,
        revisions: record.revisions,
      })),
  };
  return print(value);
}

function representationsOf(slug: string, site: SiteAddress): Forms {
  const { page, markdown, json, skill, topology, revisions, invocations } = forms(slug);
  return {
    page: site.url(page),
    markdown: site.url(markdown),
    json: site.url(json),
    skill: site.url(skill),
    topology: site.url(topology),
    revisions: site.url(revisions),
    invocations: site.url(invocations),
  };
}
