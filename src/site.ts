/**
 * Where the site stands: name, origin and base path, the one place to change for a fork. Every
 * address that a representation shows goes through here; nothing else reads SITE_URL or BASE_PATH.
 */

/** What a fork changes; SITE_URL and BASE_PATH, where they are set, come before the last two. */
export const HOME = {
  name: 'Weighbridge',
  url: 'http://localhost:4321',
  base: '',
};

export interface SiteAddress {
  name: string;
  /** Scheme, host and port, without a slash at the end: `http://localhost:4321`. */
  origin: string;
  /** `''` at the root of a host, else `/sub` without a slash at the end. */
  base: string;
  /** A path under the base, for links within the site: `/a/x/` → `/sub/a/x/`. */
  path(path: string): string;
  /** The whole address, for readers elsewhere: `/a/x/` → `https://host/sub/a/x/`. */
  url(path: string): string;
}

/** The address that an environment asks for. Throws TypeError when SITE_URL is not a URL. */
export function address(env: Record<string, string | undefined>, home = HOME): SiteAddress {
  const origin = new URL(env['SITE_URL'] ?? home.url).origin;
  const trimmed = (env['BASE_PATH'] ?? home.base).replace(/^\/+|\/+$/g, '');
  const base = trimmed === '' ? '' : `/${trimmed}`;
  const path = (to: string): string => base + to;
  return { name: home.name, origin, base, path, url: (to) => origin + path(to) };
}

// At the edge there is no process; what runs there is told its address otherwise.
export const site: SiteAddress = address(typeof process === 'undefined' ? {} : process.env);
