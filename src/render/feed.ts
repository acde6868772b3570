/**
 * Entries of the ledger -> an Atom feed (RFC 4287). Pure: it is dated by what it holds, since a build
 * reads no clock, and an entry's id is its leaf, so that no reader sees it twice.
 */
import type { ArticleRecord, Receipt } from '../articles/record.ts';
import type { Recorded } from '../ledger/fold.ts';
import type { SiteAddress } from '../site.ts';
import { subject } from './entry.ts';
import { forms } from './forms.ts';
import { visible } from './visible.ts';

/** Entries that a feed holds. */
const MOST = 50;

export interface FeedEntry {
  at: Receipt;
  title: string;
  /** Where it is read, from the site's root. */
  path: string;
  text: string;
}
export interface Feed {
  title: string;
  /** Its own path, and that of the page which shows the same. */
  path: string;
  page: string;
  /** The newest first. */
  entries: readonly FeedEntry[];
  /** RFC 3339; said where it is empty: the time of the ledger's last entry. */
  updated: string;
}

/** Escaped for text and attributes; what XML 1.0 can't hold, or nobody can see, is spelled out. */
export const xml = (text: string): string =>
  [...visible(text).replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`)]
    .filter((c) => c === '\n' || c === '\t' || !/[\p{Cc}\p{Cs}\uFFFE\uFFFF]/u.test(c))
    .join('');

export function renderFeed({ title, path, page, entries, updated }: Feed, site: SiteAddress) {
  const shown = entries.slice(0, MOST);
  const item = ({ at, title, path, text }: FeedEntry): string =>
    [
      '  <entry>',
      `    <id>${xml(`${site.url(`/ledger/${at.seq}/`)}#${at.leaf}`)}</id>`,
      `    <title>${xml(title)}</title>`,
      `    <updated>${at.ts}</updated>`,
      `    <link href="${xml(site.url(path))}"/>`,
      `    <content type="text">${xml(text)}</content>`,
      '  </entry>',
    ].join('\n');
  return `${[
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    `  <id>${xml(site.url(path))}</id>`,
    `  <title>${xml(`${site.name}: ${title}`)}</title>`,
    `  <updated>${shown[0]?.at.ts ?? updated}</updated>`,
    `  <author><name>${xml(site.name)}</name></author>`,
    `  <link rel="self" type="application/atom+xml" href="${xml(site.url(path))}"/>`,
    `  <link rel="alternate" type="text/html" href="${xml(site.url(page))}"/>`,
    ...shown.map(item),
    '</feed>',
  ].join('\n')}\n`;
}

/** Every time that one of these articles was put to the ledger. */
export const articleNews = (articles: readonly ArticleRecord[]): FeedEntry[] =>
  articles
    .flatMap(({ slug, title, summary, entries }) =>
      entries
        .filter(({ entry }) => entry.type === 'article.put')
        .map((at, i) => ({
          at,
          title: i === 0 ? title : `${title} (revision ${i + 1})`,
          path: forms(slug).page,
          text: summary,
        })),
    )
    .sort((a, b) => b.at.seq - a.at.seq);

/** Every attempt to capture something that came to more than what was held already. */
export const captureNews = (entries: readonly Recorded[]): FeedEntry[] =>
  entries
    .flatMap((at) => {
      const { entry } = at;
      if (entry.type !== 'capture.add' || entry.body.outcome === 'unchanged') return [];
      const { body } = entry;
      const failure = 'failure' in body ? body.failure : null;
      return {
        at,
        title: subject(entry),
        path: `/ledger/${at.seq}/`,
        text: failure === null ? `SHA-256 ${body.blob?.sha256 ?? ''}` : failure.message,
      };
    })
    .reverse();
