/**
 * One figure as JSON and as CSV: its value, how it came about, what it rests on, and how it is cited.
 * Pure; a citation is dated by the entry that recorded the figure, never by a clock.
 */
import { z } from 'zod';
import type { ArticleRecord, FigureRecord } from '../articles/record.ts';
import { STATUSES } from '../ledger/terms.ts';
import type { SiteAddress } from '../site.ts';
import { figureAnchor } from './anchor.ts';
import { quantity } from './counted.ts';
import { csv, inert } from './csv.ts';
import { forms } from './forms.ts';
import { Exact, Hash, head, headShape, print, Receipt, Text, Url } from './published.ts';

const FIGURE_STATUSES = ['observed', 'derived', 'specified', 'externally_attested'] as const;
const Citation = z.strictObject({
  short: Text,
  full: Text,
  bibtex: Text,
});
/** A figure as every document that lists some has it. */
export const FigureShape = z.strictObject({
  id: Text,
  url: Url,
  value: Exact,
  text: Text,
  unit: Text,
  label: Text,
  method: Text,
  status: z.enum(FIGURE_STATUSES),
  inputs: z.array(Hash).meta({ description: 'Leaves of captures and sources' }),
});
export const FigureJson = z.strictObject({
  ...headShape('figure'),
  id: Text,
  url: Url,
  article: z.strictObject({ slug: Text, title: Text, page: Url, json: Url }),
  value: Exact,
  text: Text,
  unit: Text,
  label: Text,
  method: Text,
  status: z.enum(STATUSES),
  inputs: z.array(
    z.strictObject({
      kind: z.enum(['capture', 'source']),
      name: Text,
      version: Text.nullable(),
      url: Url.meta({ description: 'A source’s page, or a capture’s entry in the ledger' }),
      sha256: Hash.nullable().meta({ description: 'Of a capture’s payload' }),
      receipt: Receipt,
    }),
  ),
  csv: Url,
  citation: Citation,
});
type Figure = z.infer<typeof FigureJson>;

/** A figure in a document whose own page, where it has its ticket, is at `page`. */
export const figureIn = (
  { id, decimal: value, text, unit, label, method, status, inputs }: FigureRecord,
  page: string,
): z.infer<typeof FigureShape> => ({
  ...{ id, url: `${page}#${figureAnchor(id)}`, value },
  ...{ text, unit, label, method, status, inputs },
});

/** Paths of a figure's own forms. */
export const figureForms = (slug: string, id: string) => ({
  json: `/api/articles/${slug}/figures/${id}.json`,
  csv: `/api/articles/${slug}/figures/${id}.csv`,
});

/** How something of an article is cited; `at` is the address that a reader is sent to. */
export function citationOf(
  { title, slug, receipt, revisions }: ArticleRecord,
  { name, at, what }: { name: string; at: string; what: string | null },
): z.infer<typeof Citation> {
  const [year, stands] =
    receipt === null
      ? ['n.d.', 'not recorded yet']
      : [receipt.ts.slice(0, 4), `entry #${receipt.seq}, leaf ${receipt.leaf.slice(0, 16)}`];
  const of = what === null ? '' : `, ${what}`;
  const day = receipt === null ? '' : ` Recorded ${receipt.ts.slice(0, 10)},`;
  const key = `${name}-${slug}`.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  const braced = (text: string) => text.replace(/[{}\\]/g, '').replace(/[&%$#_]/g, '\\$&');
  return {
    short: `${name} (${year}), ${title}${of}`,
    full: `${name}. “${title}”${of}, revision ${revisions}.${day} ${stands}. ${at}`,
    bibtex: `${[
      `@misc{${key},`,
      `  author = {{${braced(name)}}},`,
      `  title = {${braced(title)}${braced(of)}},`,
      ...(receipt === null ? [] : [`  year = {${year}},`]),
      `  note = {${braced(`Revision ${revisions}, ${stands}`)}},`,
      `  howpublished = {\\url{${at}}}`,
      '}',
    ].join('\n')}\n`,
  };
}

function figureOf(record: ArticleRecord, figure: FigureRecord, site: SiteAddress): Figure {
  const { slug, title, captures, sources } = record;
  const { page, json } = forms(slug);
  const url = `${site.url(page)}#${figureAnchor(figure.id)}`;
  return {
    ...head('figure', site),
    id: figure.id,
    url,
    article: { slug, title, page: site.url(page), json: site.url(json) },
    value: figure.decimal,
    text: figure.text,
    unit: figure.unit,
    label: figure.label,
    method: figure.method,
    status: figure.status,
    inputs: figure.inputs.flatMap((leaf): Figure['inputs'] => {
      const capture = captures.find((one) => one.leaf === leaf);
      if (capture !== undefined) {
        const { seq, ts, sha256, package: name, version } = capture;
        return [
          {
            ...{ kind: 'capture', name, version, sha256 },
            url: site.url(`/ledger/${seq}/`),
            receipt: { seq, leaf, ts },
          },
        ];
      }
      const source = sources.find(
        ({ id, receipt }) => receipt?.leaf === leaf || figure.id.startsWith(`sources.${id}.`),
      );
      if (source === undefined) return [];
      const { title: name, url, receipt } = source;
      return [{ kind: 'source', name, version: null, url, sha256: null, receipt }];
    }),
    csv: site.url(figureForms(slug, figure.id).csv),
    citation: citationOf(record, {
      name: site.name,
      at: url,
      what: `${figure.id}: ${quantity(figure.decimal, figure.unit)}`,
    }),
  };
}

export const renderFigureJson = (record: ArticleRecord, figure: FigureRecord, site: SiteAddress) =>
  print(figureOf(record, figure, site));

/** One row for each thing that it rests on, or one row alone; the figure's own columns in each. */
export function renderFigureCsv(
  record: ArticleRecord,
  figure: FigureRecord,
  site: SiteAddress,
): string {
  const { id, value, unit, label, method, status, inputs, citation, url } = figureOf(
    record,
    figure,
    site,
  );
  const head = ['figure', 'value', 'unit', 'label', 'method', 'status'];
  const on = ['rests_on', 'name', 'version', 'seq', 'leaf', 'sha256', 'time'];
  const own = [id, value, unit, inert(label), method, status];
  const rows = inputs.map(({ kind, name, version, receipt, sha256 }) => [
    ...own,
    ...[kind, inert(name), version ?? '', receipt === null ? '' : String(receipt.seq)],
    ...[receipt?.leaf ?? '', sha256 ?? '', receipt?.ts ?? '', url, citation.full],
  ]);
  const alone = [...own, ...on.map(() => ''), url, citation.full];
  return csv([[...head, ...on, 'url', 'citation'], ...(rows.length === 0 ? [alone] : rows)]);
}
