/**
 * ArticleRecord -> JSON for programs. Pure; keys come in the order written here, so that equal
 * records give equal bytes. It shows what the record holds and works nothing out.
 */
import type { ArticleRecord, Parts } from '../articles/record.ts';
import type { SiteAddress } from '../site.ts';
import { claimAnchor, figureAnchor, sourceAnchor, tableAnchor } from './anchor.ts';
import { forms } from './forms.ts';

const ARTICLE = 'weighbridge.article';
const INDEX = 'weighbridge.articles';
/** Raised when a key changes its meaning or goes; a new key alone does not raise it. */
const VERSION = 1;

/** One article, whole. Numbers are exact decimals as text, so that no parser rounds them. */
export function renderArticleJson(record: ArticleRecord, site: SiteAddress): string {
  const urls = urlsOf(record.slug, site);
  const text = new Map(record.figures.map((figure) => [figure.id, figure.text]));
  const say = (parts: Parts): string =>
    parts.map((part) => ('text' in part ? part.text : (text.get(part.figure) ?? ''))).join('');
  return print({
    shape: ARTICLE,
    version: VERSION,
    slug: record.slug,
    title: record.title,
    summary: record.summary,
    summary_parts: record.summaryParts,
    tags: record.tags,
    status: record.status,
    urls,
    stats: record.stats.map(({ figure, label }) => ({
      figure,
      text: text.get(figure) ?? null,
      label,
    })),
    notes: record.notes.map(say),
    sections: record.sections.map(({ id, heading }) => ({
      id,
      heading,
      url: `${urls.page}#${id}`,
    })),
    claims: record.claims.map((claim) => ({
      id: claim.id,
      url: `${urls.page}#${claimAnchor(claim.id)}`,
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
    figures: record.figures.map((figure) => ({
      id: figure.id,
      url: `${urls.page}#${figureAnchor(figure.id)}`,
      value: figure.decimal,
      text: figure.text,
      unit: figure.unit,
      label: figure.label,
      method: figure.method,
      status: figure.status,
      inputs: figure.inputs,
    })),
    tables: Object.keys(record.tables)
      .sort()
      .map((id) => {
        const { caption, columns, rows } = record.tables[id]!;
        return { id, url: `${urls.page}#${tableAnchor(id)}`, caption, columns, rows };
      }),
    sources: record.sources.map((source) => ({
      id: source.id,
      anchor: `${urls.page}#${sourceAnchor(source.id)}`,
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
    captures: record.captures.map((capture) => ({
      server: capture.server,
      package: capture.package,
      version: capture.version,
      integrity: capture.integrity,
      protocol: capture.protocol,
      tools: capture.tools,
      sha256: capture.sha256,
      bytes: capture.bytes,
      receipt: { seq: capture.seq, leaf: capture.leaf, ts: capture.ts },
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
    unrecorded: record.unrecorded,
  });
}

/** The published articles, without their bodies. */
export function renderArticlesIndex(records: readonly ArticleRecord[], site: SiteAddress): string {
  return print({
    shape: INDEX,
    version: VERSION,
    articles: records
      .filter(({ status }) => status === 'published')
      .map((record) => ({
        slug: record.slug,
        title: record.title,
        summary: record.summary,
        tags: record.tags,
        urls: urlsOf(record.slug, site),
        claims: record.claims.length,
        figures: record.figures.length,
        sources: record.sources.length,
        receipt: record.receipt,
        revisions: record.revisions,
      })),
  });
}

function urlsOf(slug: string, site: SiteAddress): Record<keyof ReturnType<typeof forms>, string> {
  const { page, markdown, json, skill } = forms(slug);
  return {
    page: site.url(page),
    markdown: site.url(markdown),
    json: site.url(json),
    skill: site.url(skill),
  };
}

function print(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
