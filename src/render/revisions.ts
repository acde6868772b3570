/**
 * Every state in which an article was put to the ledger, and what each changed. Pure; it compares
 * entries with entries, never with what content says now.
 */
import { z } from 'zod';
import type { ArticleRecord } from '../articles/record.ts';
import { type ArticleBody, type Ref, slotsOf } from '../ledger/entry.ts';
import type { SiteAddress } from '../site.ts';
import {
  Count,
  Exact,
  Hash,
  head,
  headShape,
  print,
  receipt,
  receiptOf,
  Text,
  Url,
} from './published.ts';

const Changes = z.strictObject({
  added: z.array(Text),
  changed: z.array(Text),
  removed: z.array(Text),
});
const Revision = z.strictObject({
  article: Text,
  revision: Count.meta({ description: 'From 1' }),
  ...receipt,
  actor: Text,
  title: Text,
  replaces: Hash.nullable().meta({ description: 'Leaf of the revision before' }),
  files: z.array(z.strictObject({ name: Text, sha256: Hash, bytes: Count, url: Url })),
  inputs: z.array(Hash).meta({ description: 'Leaves of the captures and sources it rests on' }),
  changes: z
    .strictObject({
      files: Changes,
      claims: Changes,
      sources: Changes,
      figures: z.strictObject({
        added: z.array(Text),
        changed: z.array(z.strictObject({ id: Text, before: Exact, after: Exact })),
        removed: z.array(Text),
      }),
    })
    .nullable()
    .meta({ description: 'Against the revision before; null for the first' }),
});
export const RevisionsJson = z.strictObject({
  ...headShape('revisions'),
  article: Text.nullable().meta({ description: 'Its slug; null for the whole site' }),
  revisions: z.array(Revision),
});
type Revision = z.infer<typeof Revision>;

/** The revisions of one article, the oldest first. */
function revisionsOf(record: ArticleRecord, site: SiteAddress): Revision[] {
  const puts = record.entries.flatMap(({ entry, ...at }) =>
    entry.type === 'article.put'
      ? [{ ...receiptOf(at), actor: entry.actor, body: entry.body }]
      : [],
  );
  return puts.map(({ seq, leaf, ts, actor, body }, i) => {
    const before = puts[i - 1]?.body;
    const inputs = Object.values(slotsOf(body)).flatMap((figure) => figure.inputs);
    return {
      ...{ article: record.slug, revision: i + 1, seq, leaf, ts, actor },
      title: body.title,
      replaces: body.replaces,
      files: Object.entries(body.files).map(([name, { sha256, bytes }]) => ({
        ...{ name, sha256, bytes },
        url: site.url(`/ledger/blobs/sha256/${sha256.slice(0, 2)}/${sha256}`),
      })),
      inputs: [...new Set(inputs)].sort(),
      changes: before === undefined ? null : changes(before, body),
    };
  });
}

/** One article's revisions. */
export function renderRevisions(record: ArticleRecord, site: SiteAddress): string {
  return document(record.slug, revisionsOf(record, site), site);
}

/** The revisions of all articles, in the order of the ledger. */
export function renderSiteRevisions(records: readonly ArticleRecord[], site: SiteAddress): string {
  const all = records.flatMap((record) => revisionsOf(record, site));
  return document(
    null,
    all.sort((a, b) => a.seq - b.seq),
    site,
  );
}

function document(article: string | null, revisions: Revision[], site: SiteAddress): string {
  const value: z.infer<typeof RevisionsJson> = { ...head('revisions', site), article, revisions };
  return print(value);
}

function changes(before: ArticleBody, after: ArticleBody): Revision['changes'] {
  const values = ({ figures }: ArticleBody) =>
    new Map(Object.entries(figures).map(([id, { value }]) => [id, value]));
  const files = (body: ArticleBody) =>
    new Map(Object.entries(body.files).map(([name, { sha256 }]) => [name, sha256]));
  const leaves = (refs: readonly Ref[]) => new Map(refs.map(({ id, leaf }) => [id, leaf]));
  const [was, is] = [values(before), values(after)];
  const figures = compare(was, is);
  return {
    files: compare(files(before), files(after)),
    claims: compare(leaves(before.claims), leaves(after.claims)),
    sources: compare(leaves(before.sources), leaves(after.sources)),
    figures: {
      ...figures,
      changed: figures.changed.map((id) => ({ id, before: was.get(id)!, after: is.get(id)! })),
    },
  };
}

/** Names by what became of them, each list sorted. */
function compare(was: ReadonlyMap<string, string>, is: ReadonlyMap<string, string>) {
  const names = (of: ReadonlyMap<string, string>, keep: (name: string) => boolean) =>
    [...of.keys()].filter(keep).sort();
  return {
    added: names(is, (name) => !was.has(name)),
    changed: names(is, (name) => was.has(name) && was.get(name) !== is.get(name)),
    removed: names(was, (name) => !is.has(name)),
  };
}
