/**
 * The law that a published page shows only what folds from a ledger that holds; it must never let a
 * build pass that a later `npm run record` or a repair would change.
 */
import { join } from 'node:path';
import { requireLedger } from './disk/ledger.ts';
import { loadSite, type Site } from './load.ts';
import { Problem } from './problem.ts';

/** The site of `root`, if it may be published. Throws Problem as requireLedger and refuseUnpublishable do. */
export async function loadPublishable(root: string): Promise<Site> {
  requireLedger(join(root, 'ledger'));
  const site = await loadSite({ root });
  refuseUnpublishable(site);
  return site;
}

/** Throws a Problem that names everything in the way: first what is broken, then what is unrecorded. */
export function refuseUnpublishable(site: Pick<Site, 'problems' | 'unrecorded'>): void {
  if (site.problems.length > 0) {
    throw new Problem(
      'build.problems',
      `content can't be published:\n${site.problems.map((problem) => problem.toString()).join('\n')}`,
    );
  }
  if (site.unrecorded.length > 0) {
    // In the message, since Astro prints no more than that of an error.
    throw new Problem(
      'build.unrecorded',
      `the ledger does not hold what content/ says: ${site.unrecorded.join('; ')}. Record it with \`npm run record\`, then build again.`,
    );
  }
}
