/**
 * Builds the static site with Astro; it must never build from a ledger that does not hold, nor what
 * the ledger does not.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeCards } from './cards/draw.ts';
import { writeCompanions } from './companions.ts';
import { loadPublishable } from './gate.ts';
import { holdSite, type Site } from './load.ts';
import { cardsOf } from './render/cards.ts';
import { redirects } from './rewrite.ts';
import { searched, withHtml, writeSearch } from './search.ts';
import { site as address } from './site.ts';

/** What is built comes to stand here, under the repository's root. */
export const DIST = 'dist';

/** The published articles by slug, in words. */
export const publishedIn = ({ articles }: Pick<Site, 'articles'>): string =>
  articles
    .filter(({ status }) => status === 'published')
    .map(({ slug }) => slug)
    .join(', ') || 'no article is published yet';

/**
 * Builds `root` into its `dist` and gives the site that was built. Throws Problem before Astro starts:
 * as loadPublishable does; and what Astro throws as it comes. Without `cards`, pages name pictures that
 * are not there.
 */
export async function buildSite(root: string, { cards = true } = {}): Promise<Site> {
  const site = await loadPublishable(root);
  // Read by Astro when it is imported: a build tells nobody about itself.
  process.env['ASTRO_TELEMETRY_DISABLED'] = '1';
  const { build } = await import('astro');
  await holdSite(root, site, () => build({ root, logLevel: 'warn' }));
  const dist = join(root, DIST);
  const pages = writeCompanions(dist, address);
  const published = site.articles.filter(({ status }) => status === 'published');
  await writeSearch(dist, searched(withHtml(dist, pages), published));
  if (cards) {
    const cache = join(root, '.cache/cards');
    await writeCards(dist, cardsOf({ ...site, articles: published }), {
      name: address.name,
      cache,
    });
  }
  // A copy of public/_headers, whose paths are those of a site at the root of its host.
  const headers = join(dist, '_headers');
  const told = readFileSync(headers, 'utf8');
  writeFileSync(headers, told.replace(/^\//gm, `${address.base}/`));
  // Read by hosts of static files that know the form of Netlify's; to others it is a file like any.
  writeFileSync(
    join(dist, '_redirects'),
    redirects(
      published.map(({ slug }) => slug),
      address.base,
    ),
  );
  return site;
}
