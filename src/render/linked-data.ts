/**
 * ArticleRecord -> JSON-LD in schema.org's words: the article, its tables as data sets, its claims.
 * Pure. It is data in a script element, which no browser runs; nothing in it can end that element.
 */
import type { ArticleRecord, FigureRecord } from '../articles/record.ts';
import type { SiteAddress } from '../site.ts';
import { claimAnchor } from './anchor.ts';
import { figureForms } from './figure.ts';
import { forms } from './forms.ts';

const MIT = 'https://spdx.org/licenses/MIT.html';

/** The text between the tags. */
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
    ...claims.map((claim) => ({
      '@type': 'Claim',
      '@id': `${url}#${claimAnchor(claim.id)}`,
      text: claim.text,
      author: { '@type': 'Organization', name: claim.claimedBy },
      ...(claim.receipt === null ? {} : { datePublished: claim.receipt.ts }),
      appearance: { '@id': `${url}#article` },
    })),
  ];
  return JSON.stringify({ '@context': 'https://schema.org', '@graph': graph }).replace(
    /[<>&\u2028\u2029]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

const variable = ({ id, label, decimal, unit, method }: FigureRecord) => ({
  '@type': 'PropertyValue',
  propertyID: id,
  name: label,
  value: Number(decimal),
  ...(unit === '' ? {} : { unitText: unit }),
  measurementTechnique: method,
});
