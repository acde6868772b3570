/**
 * What pages say of themselves in JSON-LD, in schema.org's words: an article and its data, a claim.
 * Pure. It is data in a script element, which no browser runs; nothing in it can end that element.
 */
import type { ArticleRecord, FigureRecord } from '../articles/record.ts';
import type { SiteAddress } from '../site.ts';
import { figureForms } from './figure.ts';
import { forms } from './forms.ts';

const MIT = 'https://spdx.org/licenses/MIT.html';

/** The text between the tags of an article's page. A claim is named there; its own page says it. */
export function renderLinkedData(record: ArticleRecord, site: SiteAddress): string {
  const { slug, title, summary, tags, claims, stats, figures, receipt, entries } = record;
  const { page, markdown, json } = forms(slug);
  const url = site.url(page);
  const publisher = { '@type': 'Organization', name: site.name, url: site.url('/') };
  const first = entries.find(({ entry }) => entry.type === 'article.put');
  const shown = stats.flatMap(({ figure }) => figures.filter(({ id }) => id === figure));
  const download = (path: string, encodingFormat: string) => ({
    '@type': 'DataDownload',
    contentUrl: site.url(path),
    encodingFormat,
  });
  const graph = [
    {
      '@type': 'TechArticle',
      '@id': `${url}#article`,
      url,
      headline: title,
      description: summary,
      keywords: tags,
      inLanguage: 'en',
      ...(first === undefined ? {} : { datePublished: first.ts }),
      ...(receipt === null ? {} : { dateModified: receipt.ts, identifier: receipt.leaf }),
      author: publisher,
      publisher,
      license: MIT,
      isAccessibleForFree: true,
      encoding: [download(markdown, 'text/markdown'), download(json, 'application/json')],
    },
    {
      '@type': 'Dataset',
      '@id': `${url}#data`,
      url,
      name: `Figures of “${title}”`,
      description: summary,
      license: MIT,
      creator: publisher,
      isAccessibleForFree: true,
      ...(receipt === null ? {} : { dateModified: receipt.ts }),
      isBasedOn: site.url('/ledger/'),
      variableMeasured: shown.map((figure) => variable(figure)),
      distribution: [
        download(json, 'application/json'),
        ...shown.map(({ id }) => download(figureForms(slug, id).csv, 'text/csv')),
      ],
    },
    ...claims.map(({ id }) => ({ '@type': 'Claim', '@id': site.url(claimPage(slug, id)) })),
  ];
  return written({ '@graph': graph });
}

/** A claim as its entry holds it. */
export interface StatedClaim {
  slug: string;
  id: string;
  text: string;
  claimedBy: string;
  /** When it was put, RFC 3339. */
  ts: string;
}

/** The text between the tags of a claim's page. */
export function renderClaimLinkedData(claim: StatedClaim, site: SiteAddress): string {
  const { slug, id, text, claimedBy, ts } = claim;
  return written({
    '@type': 'Claim',
    '@id': site.url(claimPage(slug, id)),
    text,
    author: { '@type': 'Organization', name: claimedBy },
    datePublished: ts,
    appearance: { '@id': `${site.url(forms(slug).page)}#article` },
  });
}

const claimPage = (slug: string, id: string): string => `${forms(slug).page}claims/${id}/`;

const written = (data: object): string =>
  JSON.stringify({ '@context': 'https://schema.org', ...data }).replace(
    /[<>&\u2028\u2029]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

const variable = ({ id, label, decimal, unit, method }: FigureRecord) => ({
  '@type': 'PropertyValue',
  propertyID: id,
  name: label,
  value: Number(decimal),
  ...(unit === '' ? {} : { unitText: unit }),
  measurementTechnique: method,
});
