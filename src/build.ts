/**
 * Builds the static site with Astro; it must never build what the ledger does not hold.
 */
import { refuseUnpublishable } from './gate.ts';
import { holdSite, loadSite, type Site } from './load.ts';

/** What is built comes to stand here, under the repository's root. */
export const DIST = 'dist';

/** The published articles by slug, in words. */
export const publishedIn = ({ articles }: Pick<Site, 'articles'>): string =>
  articles
    .filter(({ status }) => status === 'published')
    .map(({ slug }) => slug)
    .join(', ') || 'no article is published yet';

/**
 * Builds `root` into its `dist` and gives the site that was built. Throws Problem `build.unrecorded`
 * or `build.problems` before Astro starts, and what Astro throws as it comes.
 */
export async function buildSite(root: string): Promise<Site> {
  const site = await loadSite({ root });
  refuseUnpublishable(site);
  // Read by Astro when it is imported: a build tells nobody about itself.
  process.env['ASTRO_TELEMETRY_DISABLED'] = '1';
  const { build } = await import('astro');
  await holdSite(root, site, () => build({ root, logLevel: 'warn' }));
  return site;
}
