/**
 * Rows of symptom tables -> what the page, the markdown, the JSON and the skill show of each: one
 * shape for all of them. Pure; a quote stands with its source and is never worded anew here.
 */
import type { PhrasingContent, RootContent } from 'mdast';
import { z } from 'zod';
import type { ArticleRecord, SourceRecord } from '../articles/record.ts';
import type { SymptomRecord } from '../articles/symptom.ts';
import { QUOTE_STATUSES } from '../ledger/terms.ts';
import { rangeOf } from '../measure/versions.ts';
import type { SiteAddress } from '../site.ts';
import { claimAnchor, figureAnchor, sourceAnchor, symptomAnchor } from './anchor.ts';
import { forms } from './forms.ts';
import { heading, link, list, markdownOf, paragraph, text } from './mdast.ts';
import { Count, Hash, head, headShape, PartsShape, print, Text, Url } from './published.ts';

/** Where all rows stand, in each form. */
export const SYMPTOMS = {
  page: '/symptoms/',
  markdown: '/symptoms.md',
  json: '/api/symptoms.json',
} as const;

/** A row with the article that it is of and the source that it names; null where it names none. */
export interface Row {
  article: ArticleRecord;
  symptom: SymptomRecord;
  source: SourceRecord | null;
}

/** Every row of these articles, in their order. */
export const rowsOf = (articles: readonly ArticleRecord[]): Row[] =>
  articles.flatMap((article) =>
    article.symptoms.map((symptom) => ({
      article,
      symptom,
      source: article.sources.find(({ id }) => id === symptom.source) ?? null,
    })),
  );

/** What the date of a row is: that of the report, or where there is none of the capture. */
export const datedOf = (source: string | null) => (source === null ? 'seen' : 'reported');

/** `claude-code from 2.1.304, reported 2026-08-24`. */
const whereOf = ({ client, since, until, date, source }: SymptomRecord): string =>
  `${client}${since === null && until === null ? '' : ` ${rangeOf({ since, until })}`}, ${datedOf(source)} ${date}`;

const symptomShape = {
  id: Text,
  url: Url,
  table: Text,
  symptom: Text,
  cause: Text,
  fix: Text,
  client: Text,
  since: Text.nullable().meta({ description: 'First version for which it is said' }),
  until: Text.nullable().meta({ description: 'Last version for which it is said' }),
  date: Text,
  source: Text.nullable().meta({ description: 'Id of a source; null: seen here alone' }),
  claims: z.array(Text),
  reproduced: z
    .strictObject({
      captures: z.array(z.strictObject({ seq: Count, leaf: Hash })),
      shows: Text,
      parts: PartsShape,
    })
    .nullable()
    .meta({ description: 'Captures that show it; null: not tried here' }),
};
/** A row as its article's JSON holds it. */
export const SymptomShape = z.strictObject(symptomShape);
export const SymptomsJson = z.strictObject({
  ...headShape('symptoms'),
  symptoms: z.array(
    z.strictObject({
      ...symptomShape,
      article: Text,
      claim_urls: z.array(Url),
      quoted: z
        .strictObject({
          url: Url,
          title: Text,
          author: Text.nullable(),
          quote: Text.nullable(),
          quote_status: z.enum(QUOTE_STATUSES),
        })
        .nullable(),
    }),
  ),
});

/** A row for programs; its address is that on the page of all rows. */
export function symptomJson(
  { reproduced, ...row }: SymptomRecord,
  site: SiteAddress,
): z.infer<typeof SymptomShape> {
  const { id, table, symptom, cause, fix, client, since, until, date, source, claims } = row;
  return {
    id,
    url: `${site.url(SYMPTOMS.page)}#${symptomAnchor(id)}`,
    ...{ table, symptom, cause, fix, client, since, until, date, source, claims },
    reproduced: reproduced && {
      captures: reproduced.captures.map(({ seq, leaf }) => ({ seq, leaf })),
      shows: reproduced.shows,
      parts: reproduced.parts,
    },
  };
}

/** All rows for programs. */
export function renderSymptomsJson(rows: readonly Row[], site: SiteAddress): string {
  const value: z.infer<typeof SymptomsJson> = {
    ...head('symptoms', site),
    symptoms: rows.map(({ article, symptom, source }) => ({
      ...symptomJson(symptom, site),
      article: article.slug,
      claim_urls: symptom.claims.map(
        (id) => `${site.url(forms(article.slug).page)}#${claimAnchor(id)}`,
      ),
      quoted: source && {
        url: source.url,
        title: source.title,
        author: source.author,
        quote: source.quote,
        quote_status: source.quoteStatus,
      },
    })),
  };
  return print(value);
}

/** Words and code in turn: a name between backticks is code. */
export const spansOf = (line: string): { text: string; code: boolean }[] =>
  line
    .split('`')
    .map((part, i) => ({ text: part, code: i % 2 === 1 }))
    .filter((span) => span.text !== '');

const inline = (line: string): PhrasingContent[] =>
  spansOf(line).map((span) =>
    span.code ? { type: 'inlineCode', value: span.text } : text(span.text),
  );

/** A row as markdown. `at` is where its sources, claims and tickets stand: empty for here. */
export function symptomMarkdown({ article, symptom, source }: Row, at = ''): RootContent[] {
  const { reproduced } = symptom;
  const to = (anchor: string, label: string) => link(`${at}#${anchor}`, label);
  const textOf = (id: string) => article.figures.find((figure) => figure.id === id)?.text ?? '';
  const points: PhrasingContent[][] = [
    [text('Cause: '), ...inline(symptom.cause)],
    [text('Fix: '), ...inline(symptom.fix)],
    [
      text(`${whereOf(symptom)}. Row `),
      { type: 'inlineCode', value: symptom.id },
      text('; source: '),
      ...(source === null
        ? [text('none, seen here')]
        : [
            to(sourceAnchor(source.id), source.id),
            text(source.quote === null ? ' (not read)' : ` (quote ${source.quoteStatus})`),
          ]),
      text('; claims: '),
      ...symptom.claims.flatMap((id, i) => [
        ...(i > 0 ? [text(', ')] : []),
        to(claimAnchor(id), id),
      ]),
      text('.'),
    ],
    ...(reproduced === null
      ? []
      : [
          [
            text('Reproduced here: '),
            ...reproduced.parts.map((part) =>
              'text' in part ? text(part.text) : to(figureAnchor(part.figure), textOf(part.figure)),
            ),
            text(` (${reproduced.captures.map(({ seq }) => `#${seq}`).join(', ')})`),
          ],
        ]),
  ];
  return [paragraph({ type: 'strong', children: inline(symptom.symptom) }), list(points)];
}

/** All rows for readers without a browser. */
export function renderSymptomsMarkdown(rows: readonly Row[], site: SiteAddress): string {
  const byArticle = Map.groupBy(rows, ({ article }) => article);
  return markdownOf({
    type: 'root',
    children: [
      heading(1, 'Symptoms'),
      paragraph(text(rows.length === 0 ? NONE : LEDE)),
      ...[...byArticle].flatMap(([article, own]) => [
        heading(2, article.title),
        ...own.flatMap((row) => symptomMarkdown(row, site.url(forms(article.slug).markdown))),
      ]),
    ],
  });
}

/** What the rows are, for the head of the page. */
export const LEDE =
  'What somebody sees, why, and what mends it. Each row names the report or the document that it rests on, with the state of its quote, and says whether captures of ours show it.';
export const NONE = 'No article has a symptom table yet.';

/** A row in one line, for a model that diagnoses. */
export const symptomLine = ({ id, symptom, cause, fix, client, since, until }: SymptomRecord) =>
  `- ${id} (${client}${since === null && until === null ? '' : ` ${rangeOf({ since, until })}`}): ${[symptom, cause, fix].map((part) => part.replace(/\.$/, '')).join('. ')}.`;
