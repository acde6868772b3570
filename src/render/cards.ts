/**
 * Which pages have a picture of their own for those who share them, and what it says: the page's main
 * figure. Pure. A card holds no number that its page does not.
 */
import type { ServerRecord } from '../articles/catalogue.ts';
import type { ArticleRecord, FigureRecord } from '../articles/record.ts';
import type { Status, Tier } from '../ledger/entry.ts';
import type { ClientRecord } from '../wire/held.ts';
import { mostSent } from './clients.ts';
import { forms } from './forms.ts';
import { allShown, byCost, figureOf, serverForms } from './servers.ts';
import { WEIGHING } from './weighing.ts';

export interface Card {
  /** Of the page whose it is, from the site's root: `/a/x/`. */
  page: string;
  title: string;
  /** As its page shows it: `17,176`, `3.5%`. */
  value: string;
  /** Empty where the value says it. */
  unit: string;
  label: string;
  status: Status;
  /** Of the claim that states the figure, where one does. */
  tier: Tier | null;
}

/** What a page of the site says of itself where the whole site is meant. */
const WHOLE = 'What MCP tool definitions cost';

/** Pixels of every card. */
export const SIZE = { width: 1200, height: 630 };

/** In the order in which they were first recorded: the finding on which the others stand comes first. */
export const firstRecorded = (articles: readonly ArticleRecord[]): ArticleRecord[] => {
  const first = ({ entries }: ArticleRecord) => entries[0]?.seq ?? Number.POSITIVE_INFINITY;
  return articles.toSorted((a, b) => Math.sign(first(a) - first(b)) || 0);
};

/** All cards of a site, one a page. `articles` are those that have a page. */
export function cardsOf({
  articles,
  catalogues,
  clients,
}: {
  articles: readonly ArticleRecord[];
  catalogues: readonly ServerRecord[];
  clients: readonly ClientRecord[];
}): Card[] {
  const own = firstRecorded(articles).flatMap((article) => articleCard(article) ?? []);
  const weighed = catalogues.flatMap((record) => {
    const { page } = serverForms(record.weighed.name);
    const tokens = figureOf(record, 'tokens');
    return tokens
      ? card(
          page,
          `${record.weighed.name}, weighed`,
          tokens,
          'in every request that defines its tools',
        )
      : [];
  });
  const [all] = allShown(catalogues);
  const [top] = byCost(catalogues.filter(({ counted }) => counted));
  const heaviest = top && figureOf(top, 'tokens');
  const sent = mostSent(clients);
  return [
    ...own.slice(0, 1).map((lead) => ({ ...lead, page: '/', title: WHOLE })),
    ...own,
    ...(all ? [card(serverForms().page, 'Servers, weighed', all, all.label)] : []),
    ...weighed,
    ...(top && heaviest
      ? [
          card(
            WEIGHING.page,
            'Weigh yours',
            heaviest,
            `upfront in ${top.weighed.name}. And in yours?`,
          ),
        ]
      : []),
    ...(sent ? [card('/clients/', 'What clients put on the wire', sent.figure, sent.says)] : []),
  ];
}

function card(page: string, title: string, figure: FigureRecord, label: string): Card {
  const { text: value, unit, status } = figure;
  // "3.5 times less prefix" needs no unit beside it, "17,176 deferred" does.
  const said = unit === '%' || new RegExp(`\\b${unit.replace(/s$/, '')}`).test(label);
  return { page, title, value, unit: said ? '' : unit, label, status, tier: null };
}

function articleCard(article: ArticleRecord): Card | undefined {
  const [stat] = article.stats;
  const figure = article.figures.find(({ id }) => id === stat?.figure);
  if (stat === undefined || figure === undefined) return undefined;
  const states = ({ parts }: ArticleRecord['claims'][number]) =>
    parts.some((part) => 'figure' in part && part.figure === figure.id);
  return {
    ...card(forms(article.slug).page, article.title, figure, stat.label),
    tier: article.claims.find(states)?.tier ?? null,
  };
}

/** Where the picture of a card is served, from the site's root. */
export const cardPath = ({ page }: Card): string =>
  `/cards/${page === '/' ? 'home' : page.slice(1, -1)}.png`;

/** What stands on it, for who does not see it. */
export const cardText = ({ title, value, unit, label }: Card): string =>
  `${title}. ${[value, unit, label].filter(Boolean).join(' ')}`;

/** The card of a page: its own, else that of the page above it, up to the whole site's. */
export function nearestCard(cards: ReadonlyMap<string, Card>, page: string): Card | undefined {
  for (let at = page; at !== ''; at = at.replace(/[^/]*\/?$/, '')) {
    const found = cards.get(at);
    if (found) return found;
  }
  return undefined;
}
