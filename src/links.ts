/**
 * Follows every link of a built site to where it leads within the site. Pure: files come in as a
 * map; it never asks another host.
 */
import GithubSlugger from 'github-slugger';
import { htmlToHast, markdownToMdast } from 'satteri';

export interface Dist {
  /** Text of each file by its path: `/a/x/index.html`. Bytes that are no text may be empty. */
  files: ReadonlyMap<string, string>;
  origin: string;
  /** `''` or `/sub`. */
  base: string;
  /** Paths from the site's root that a server answers without a file. */
  isServed?: (path: string) => boolean;
}

/** One sentence a fault, sorted by file; empty when every link leads somewhere. */
export function brokenLinks(dist: Dist): string[] {
  const pages = new Map([...dist.files].map(([path, text]) => [path, read(path, text)]));
  const faults: string[] = [];
  for (const [path, { links, twice }] of pages) {
    for (const id of twice) faults.push(`${path}: id "${id}" stands twice`);
    for (const link of links) {
      const why = follow(link, path, dist, pages);
      if (why !== undefined) faults.push(`${path}: ${link} ${why}`);
    }
  }
  return faults.sort();
}

interface Read {
  links: Set<string>;
  ids: Set<string>;
  twice: Set<string>;
}

interface Node {
  type: string;
  url?: string;
  value?: string;
  properties?: Record<string, unknown>;
  children?: Node[];
}

function read(path: string, text: string): Read {
  const found: Read = { links: new Set(), ids: new Set(), twice: new Set() };
  if (path.endsWith('.html')) elements(htmlToHast(text) as Node, found);
  else if (path.endsWith('.md') || /^\/llms(?:\/|\.txt$)/.test(path))
    markdown(markdownToMdast(text) as Node, found);
  else if (path.endsWith('.json')) strings(JSON.parse(text), found);
  else if (path.endsWith('.css')) {
    for (const [, url = ''] of text.matchAll(/url\(["']?([^"')]+)/g)) found.links.add(url);
  } else if (path.endsWith('.xml')) {
    for (const [, href, loc] of text.matchAll(/ href="([^"]+)"|<loc>([^<]+)</g)) {
      found.links.add((href ?? loc)!);
    }
  }
  return found;
}

function elements(node: Node, found: Read): void {
  const { id, href, src } = node.properties ?? {};
  if (typeof id === 'string') {
    if (found.ids.has(id)) found.twice.add(id);
    found.ids.add(id);
  }
  for (const link of [href, src]) if (typeof link === 'string') found.links.add(link);
  for (const child of node.children ?? []) elements(child, found);
}

/** Markdown has no ids of its own: a heading is named by its slug, a table's row by the code it begins with. */
function markdown(node: Node, found: Read, slugs = new GithubSlugger()): void {
  if (node.url !== undefined) found.links.add(node.url);
  if (node.type === 'heading') found.ids.add(slugs.slug(textOf(node)));
  const first = node.type === 'tableRow' ? node.children?.[0]?.children?.[0] : undefined;
  if (first?.type === 'inlineCode') found.ids.add(textOf(first));
  if (node.type === 'html') elements(htmlToHast(node.value ?? '') as Node, found);
  for (const child of node.children ?? []) markdown(child, found, slugs);
}

function textOf(node: Node): string {
  return node.value ?? (node.children ?? []).map(textOf).join('');
}

/** In JSON a string that begins as an address does is a link; prose that mentions one is not, nor a URI template. */
function strings(value: unknown, found: Read): void {
  if (typeof value === 'string') {
    if (/^(?:https?:\/\/|\/)[^\s{}]+$/.test(value)) found.links.add(value);
  } else if (typeof value === 'object' && value !== null) {
    for (const inner of Object.values(value)) strings(inner, found);
  }
}

/** Why a link leads nowhere; undefined when it leads somewhere, or away from the site. */
function follow(
  link: string,
  from: string,
  { origin, base, isServed }: Dist,
  pages: ReadonlyMap<string, Read>,
): string | undefined {
  const here = `${origin}${base}${from.replace(/(?<=\/)index\.html$/, '')}`;
  if (!URL.canParse(link, here)) return 'is no address';
  const url = new URL(link, here);
  if (url.origin !== origin) return undefined;
  // Hosts answer the base path without its slash too, and OpenAPI names a server so.
  const whole = url.pathname === base ? `${base}/` : url.pathname;
  if (!whole.startsWith(`${base}/`)) return `leaves the base path ${base}`;
  const path = decodeURIComponent(whole.slice(base.length));
  if (isServed?.(path)) return undefined;
  const target = pages.get(path.endsWith('/') ? `${path}index.html` : path);
  if (target === undefined) return 'leads to nothing that was built';
  const fragment = decodeURIComponent(url.hash.slice(1));
  // One with `=` holds what a reader chose, as that of /weigh/ does; no id here has one.
  if (fragment === '' || fragment.includes('=')) return undefined;
  return target.ids.has(fragment) ? undefined : 'names no id of its target';
}
