/** What every route of the ledger reads: the log as it is served, its entries, and what names what. */
import { type Ledger, openLedger } from '../disk/ledger.ts';
import { type Published, readPublished } from '../disk/published.ts';
import { getWords } from '../disk/words.ts';
import { type Relations, relate } from '../ledger/relations.ts';
import { type List, lists } from '../render/entry.ts';
import { type ObjectionRecord, objectionsOf } from '../render/objections.ts';
import { site } from '../site.ts';

export interface Log {
  published: Published;
  ledger: Ledger;
  relations: Relations;
  lists: List[];
  /** Every post that was taken in, the oldest first. */
  objections: readonly ObjectionRecord[];
  /** Where each claim of a recorded article has its page, by postKey. */
  claimPages: ReadonlyMap<string, string>;
}

const DIR = 'ledger';
let read: Log | undefined;

/** In a build: read once. In dev: read anew, since entries may come. */
export function readLog(): Log {
  if (import.meta.env.DEV) read = undefined;
  read ??= open();
  return read;
}

function open(): Log {
  const ledger = openLedger(DIR);
  const { articles, claims } = ledger.fold;
  const claimPages = new Map(
    [...claims.values()].flatMap(({ current: { entry } }) => {
      const { article, body } = entry;
      if (article === null || !articles.has(`${article}/${article}`)) return [];
      return [[`${article}/${body.id}`, `/a/${article}/claims/${body.id}/`]];
    }),
  );
  const published = readPublished(DIR);
  return {
    published,
    objections: objectionsOf(
      ledger.fold,
      (id) => getWords(DIR, id),
      published.signed?.size ?? 0,
      site,
    ),
    ledger,
    relations: relate(ledger.entries),
    lists: lists(ledger.entries),
    claimPages,
  };
}

/** Where a claim has its page, or else its entry, among the articles that are shown. */
export function claimPageOf(
  articles: readonly { slug: string }[],
): (one: { article: string; id: string; seq: number }) => string {
  const shown = new Set(articles.map(({ slug }) => slug));
  const { claimPages } = readLog();
  return ({ article, id, seq }) =>
    (shown.has(article) && claimPages.get(`${article}/${id}`)) || `/ledger/${seq}/`;
}

/** Of the newest entry: the only time that a build may tell. */
export const lastTime = (): string =>
  readLog().ledger.entries.at(-1)?.ts ?? '1970-01-01T00:00:00.000Z';
