/**
 * The built pages -> llms.txt and its parts (llmstxt.org), and the sitemap. Pure. A part is as long as
 * common readers take whole; each line leads to the markdown of a page.
 */
import { type EndpointId, endpointOf } from '../endpoints.ts';
import type { SiteAddress } from '../site.ts';
import { xml } from './feed.ts';
import { markdownPath } from './forms.ts';
import type { Head } from './page.ts';
import { visible } from './visible.ts';

/** A page that was built, by its path from the site's root. */
export interface BuiltPage extends Head {
  path: string;
}

/** Characters that no file of the list may have. */
export const LONGEST = 50_000;
/** Characters that a part of it may have before it is parted, which leaves room for its head. */
const PART = 40_000;
/** Characters of a description. */
const SAID = 200;

/** Which pages are listed together, by the endpoint that answers; what is in none is of the site. */
const SECTIONS: readonly (readonly [name: string, heading: string, ids: readonly string[]])[] = [
  ['articles', 'Articles', ['article-page']],
  ['site', 'Pages', []],
  ['servers', 'Servers', ['servers-page', 'server-page']],
  ['clients', 'Clients', ['clients-page', 'client-page']],
  ['claims', 'Claims', ['claim-page']],
  ['tools', 'Tools', ['tool-page']],
  ['directory', 'Commands and addresses', ['directory-page', 'directory-entry-page']],
  ['ledger', 'The ledger', ['ledger-page', 'ledger-list-page', 'ledger-legacy-page']],
];
/** Entries are hundreds, each found from a list: neither a model nor a crawler needs them by name. */
const UNLISTED: readonly EndpointId[] = ['ledger-entry-page'];
/** The sections that stand in llms.txt itself, as far as there is room; of the others it names the file. */
const FIRST = new Set(['articles', 'site', 'servers', 'clients']);

/** Is the page one for lists? */
function isListed({ path }: { path: string }): boolean {
  const id = endpointOf(path);
  return id !== undefined && !UNLISTED.includes(id);
}

function sectionOf({ path }: BuiltPage): string {
  const id = endpointOf(path);
  return SECTIONS.find(([, , ids]) => id !== undefined && ids.includes(id))?.[0] ?? 'site';
}

/** As much of a text as fits, in one line, with nothing in it that markdown would take for markup. */
function short(text: string, longest: number): string {
  const line = visible(text).replace(/\s+/g, ' ').trim();
  const cut = line.length > longest ? `${line.slice(0, longest - 1).trimEnd()}…` : line;
  return cut.replace(/[\\`*_[\]<>&~|!]|:(?=\/\/)/g, '\\$&');
}

/** One line, whatever the title holds. */
const line = ({ path, title, description }: BuiltPage, site: SiteAddress): string => {
  const label = short(title, SAID);
  const said = short(description, SAID);
  return `- [${label}](${site.url(markdownPath(path))})${said === '' ? '' : `: ${said}`}\n`;
};

/** Every file of the list by its path: `/llms.txt` and `/llms/<section>.txt`, long ones in numbered parts. */
export function renderLlms(pages: readonly BuiltPage[], site: SiteAddress): Map<string, string> {
  const listed = pages.filter(isListed);
  const home = listed.find(({ path }) => path === '/');
  const files = new Map<string, string>();
  const blocks: string[] = [];
  const more: string[] = [];
  let room = PART;
  for (const [name, heading] of SECTIONS) {
    const lines = listed.filter((page) => sectionOf(page) === name).map((page) => line(page, site));
    if (lines.length === 0) continue;
    const parts = parted(lines);
    for (const [i, part] of parts.entries()) {
      const file = `/llms/${name}${i === 0 ? '' : `-${i + 1}`}.txt`;
      const count = parts.length === 1 ? '' : `, part ${i + 1} of ${parts.length}`;
      files.set(
        file,
        `# ${site.name}: ${heading}${count}\n\n> Part of ${site.url('/llms.txt')}. Each link leads to markdown.\n\n## ${heading}\n\n${part}`,
      );
      more.push(`- [${heading}${count}](${site.url(file)})\n`);
    }
    const whole = lines.join('');
    if (!FIRST.has(name) || whole.length > room) continue;
    room -= whole.length;
    blocks.push(`## ${heading}\n\n${whole}`);
  }
  const data = [
    ['/api/index.json', 'What there is for programs', 'every document, feed and schema'],
    ['/openapi.json', 'OpenAPI', 'every address with its answer’s schema'],
    ['/.well-known/agent-skills/index.json', 'Skills', 'procedures for agents, with digests'],
  ].map(([path = '', label, says]) => `- [${label}](${site.url(path)}): ${says}\n`);
  files.set(
    '/llms.txt',
    `${[
      `# ${site.name}`,
      `> ${home?.description ?? 'What MCP tool definitions cost, with a receipt for every number'}`,
      'Every number here is a figure with a method, the captures it rests on and a place in an append-only ledger. Every page is there as markdown under its own address with `.md` in place of the last slash, or by `Accept: text/markdown`. Cite a figure by its id and the page’s address; `/api/articles/<slug>/figures/<id>.json` has the citation.',
      ...blocks.map((block) => block.trimEnd()),
      `## Everything, part by part\n\n${more.join('').trimEnd()}`,
      `## Data\n\n${data.join('').trimEnd()}`,
    ].join('\n\n')}\n`,
  );
  return files;
}

/** Lines in parts that are none too long. */
function parted(lines: readonly string[]): string[] {
  const parts = [''];
  for (const one of lines) {
    if (parts.at(-1)!.length + one.length > PART) parts.push('');
    parts[parts.length - 1] += one;
  }
  return parts;
}

/** sitemaps.org; without times, since a page's own are in the feeds. */
export function renderSitemap(pages: readonly BuiltPage[], site: SiteAddress): string {
  const urls = pages
    .filter(isListed)
    .map(({ path }) => `  <url><loc>${xml(site.url(path))}</loc></url>\n`);
  return `<?xml version="1.0" encoding="utf-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls.join('')}</urlset>\n`;
}

export const renderRobots = (site: SiteAddress): string =>
  `User-agent: *\nAllow: /\n\nSitemap: ${site.url('/sitemap.xml')}\n`;
