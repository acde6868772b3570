/** Puts versions in order. Pure; it knows nothing of ranges as package managers write them. */

/** By major, minor and patch; what stands after them is of no account here. */
export function compareVersions(a: string, b: string): number {
  const parts = (version: string) => [...version.split(/[.-]/, 3).map(Number), 0, 0];
  const [left, right] = [parts(a), parts(b)];
  const at = [0, 1, 2].find((i) => left[i] !== right[i]);
  return at === undefined ? 0 : left[at]! - right[at]!;
}

/** From one version to another, both of them included; null where nobody said. */
export interface Range {
  since: string | null;
  until: string | null;
}

/** Whether a version lies within; what is not said excludes nothing. */
export const within = (version: string, { since, until }: Range): boolean =>
  (since === null || compareVersions(version, since) >= 0) &&
  (until === null || compareVersions(version, until) <= 0);

/** In words: `from 2.1.304`. */
export const rangeOf = ({ since, until }: Range): string =>
  since === null && until === null
    ? 'not said'
    : since === null
      ? `up to ${until}`
      : until === null
        ? `from ${since}`
        : since === until
          ? since
          : `${since} to ${until}`;
