/**
 * The closed lists of words that entries are written in. Apart from the schemas, so that what runs in a
 * browser or at the edge can hold a post against them without carrying those.
 */
export const TIERS = [
  'human',
  'preclinical',
  'anecdotal',
  'mechanistic',
  'speculative',
  'system',
] as const;
export const STATUSES = [
  'observed',
  'derived',
  'specified',
  'implemented',
  'deployed',
  'reproduced',
  'externally_attested',
] as const;
export const SOURCE_TYPES = [
  'publisher_documentation',
  'specification',
  'repository',
  'independent_measurement',
  'github',
  'hn',
  'runtime_receipt',
] as const;
export const QUOTE_STATUSES = ['verified', 'unverified', 'gone'] as const;
export const RETRACT_REASONS = [
  'wrong',
  'outdated',
  'superseded',
  'source-gone',
  'privacy',
] as const;

/** What a stranger or the owner may post. */
export const POSTS = ['objection', 'update', 'claim', 'sources'] as const;

/** What of a claim an objection attacks, each in a few words. */
export const SURFACES = {
  S1: 'its wording',
  S2: 'a source',
  S3: 'the method',
  S4: 'the arithmetic',
  S5: 'its tier or status',
  S6: 'its scope',
  S7: 'its freshness',
  S8: 'how it is shown',
} as const;
export type Surface = keyof typeof SURFACES;
