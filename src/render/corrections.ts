/** Claims that were withdrawn or said anew, newest first, and their Atom feed. Pure. */
import type { Recorded } from '../ledger/fold.ts';
import type { SiteAddress } from '../site.ts';

export interface Correction extends Pick<Recorded, 'seq' | 'leaf' | 'ts'> {
  article: string;
  id: string;
  kind: 'retracted' | 'superseded';
  /** What the claim said. */
  before: string;
  /** What it says since; null when it was retracted. */
  after: string | null;
  /** Why: a retraction's reason and note, or what the author said of the change; null where nobody did. */
  why: string | null;
}

/** Every retraction, and every claim put again with other words. */
export function corrections(entries: readonly Recorded[]): Correction[] {
  const texts = new Map<string, string>();
  const found: Correction[] = [];
  for (const { seq, leaf, ts, entry } of entries) {
    if (entry.type !== 'claim.put' && entry.type !== 'claim.retract') continue;
    const { article } = entry;
    if (article === null) continue;
    const { id } = entry.body;
    const before = texts.get(`${article}/${id}`);
    const about = { seq, leaf, ts, article, id };
    if (entry.type === 'claim.retract') {
      const { reason, note } = entry.body;
      found.push({
        ...about,
        kind: 'retracted',
        before: before ?? '',
        after: null,
        why: `${reason}: ${note}`,
      });
      continue;
    }
    const { text: after } = entry.body;
    if (before !== undefined && before !== after) {
      const why = entry.body.change ?? null;
      found.push({ ...about, kind: 'superseded', before, after, why });
    }
    texts.set(`${article}/${id}`, after);
  }
  return found.reverse();
}

const xml = (text: string): string =>
  // Not even escaped may an XML 1.0 text hold these.
  [...text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`)]
    .filter((c) => c >= ' ' || c === '\n' || c === '\t')
    .join('');

/**
 * RFC 4287. `updated` is the time of the newest correction or else of the ledger's last entry, since
 * a build reads no clock. `page`: where a claim has its page.
 */
export function renderFeed(
  all: readonly Correction[],
  {
    site,
    updated,
    page,
  }: { site: SiteAddress; updated: string; page: (one: Correction) => string },
): string {
  const item = (one: Correction): string =>
    [
      '  <entry>',
      `    <id>${xml(`${site.url(`/ledger/${one.seq}/`)}#${one.leaf}`)}</id>`,
      `    <title>${xml(`Claim ${one.id} of ${one.article} ${one.kind}`)}</title>`,
      `    <updated>${one.ts}</updated>`,
      `    <link href="${xml(site.url(page(one)))}"/>`,
      `    <content type="text">${xml(
        [
          `Before: ${one.before}`,
          ...(one.after === null ? [] : [`Now: ${one.after}`]),
          ...(one.why === null ? [] : [`Why: ${one.why}`]),
        ].join('\n'),
      )}</content>`,
      '  </entry>',
    ].join('\n');
  return `${[
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    `  <id>${xml(site.url('/corrections/'))}</id>`,
    `  <title>${xml(`${site.name}: corrections`)}</title>`,
    `  <updated>${updated}</updated>`,
    `  <author><name>${xml(site.name)}</name></author>`,
    `  <link rel="self" type="application/atom+xml" href="${xml(site.url('/corrections.xml'))}"/>`,
    `  <link rel="alternate" type="text/html" href="${xml(site.url('/corrections/'))}"/>`,
    ...all.map(item),
    '</feed>',
  ].join('\n')}\n`;
}
