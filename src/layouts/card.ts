/** The card that the frame of a page names: its own, or that of the nearest page above it. */
import { loadPublishable } from '../gate.ts';
import { loadSite } from '../load.ts';
import { type Card, cardsOf, nearestCard } from '../render/cards.ts';

let cards: Promise<ReadonlyMap<string, Card>> | undefined;

/** `page` is a path from the site's root; undefined where nothing is shown yet. */
export async function readCard(page: string): Promise<Card | undefined> {
  cards = import.meta.env.DEV ? load() : (cards ?? load());
  return nearestCard(await cards, page);
}

async function load(): Promise<ReadonlyMap<string, Card>> {
  const root = process.cwd();
  const site = await (import.meta.env.DEV ? loadSite({ root }) : loadPublishable(root));
  const articles = site.articles.filter(
    ({ status }) => import.meta.env.DEV || status === 'published',
  );
  return new Map(cardsOf({ ...site, articles }).map((card) => [card.page, card]));
}
