/**
 * Writes beside the built pages what is made from them: the markdown of those that have no renderer of
 * their own, llms.txt and its parts, the sitemap. It changes no page; to markdown it adds a first
 * line that says where the rest is.
 */
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { markdownPath } from './render/forms.ts';
import { type BuiltPage, renderLlms, renderRobots, renderSitemap } from './render/llms.ts';
import { headOf, transcribe } from './render/page.ts';
import type { SiteAddress } from './site.ts';

/** Of the site built into `dist`. Gives its pages, by path. */
export function writeCompanions(dist: string, site: SiteAddress): BuiltPage[] {
  const write = (path: string, text: string) => {
    const to = join(dist, path);
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(to, text);
  };
  const index = `> Every page of ${site.name} as markdown: [llms.txt](${site.url('/llms.txt')})\n\n`;
  const pages = globSync('**/index.html', { cwd: dist })
    .map((file) => `/${file.replaceAll('\\', '/').slice(0, -'index.html'.length)}`)
    .sort()
    .flatMap((path): BuiltPage[] => {
      const html = readFileSync(join(dist, path, 'index.html'), 'utf8');
      const head = headOf(html, site.name);
      if (head === null) return [];
      const markdown = markdownPath(path);
      const own = join(dist, markdown);
      const here = site.url(path);
      const text = existsSync(own)
        ? readFileSync(own, 'utf8')
        : transcribe(html, (href) => new URL(href, here).href);
      // Who got here by a link from elsewhere learns where the rest is.
      write(markdown, text.startsWith(index) ? text : index + text);
      return [{ path, ...head }];
    });
  for (const [path, text] of renderLlms(pages, site)) write(path, text);
  write('/sitemap.xml', renderSitemap(pages, site));
  write('/robots.txt', renderRobots(site));
  return pages;
}
