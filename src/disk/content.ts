/**
 * Reads `content/` for scripts and pages alike, so that both see the same bytes. It decides only
 * what belongs to content; what the files say is for src/articles to judge.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Problem } from '../problem.ts';

export interface ContentFile {
  text: string;
  sha256: string;
  bytes: Uint8Array;
}
export interface ContentArticle {
  /** The folder's name as it stands on disk. */
  slug: string;
  files: Record<string, ContentFile>;
}
export interface ContentFiles {
  /** Texts of the files beside the articles; empty where there is none. */
  servers: string;
  clients: string;
  settings: string;
  prices: string;
  tokenizers: string;
  articles: ContentArticle[];
}

/**
 * Everything under `<root>/content`, sorted by name; dotfiles are left out. Throws Problem
 * `content.missing` when there is no such folder, `content.encoding` when a file is not UTF-8.
 */
export function readContent(root: string): ContentFiles {
  if (!existsSync(join(root, 'content'))) {
    throw new Problem('content.missing', 'there is no content/ here', {
      at: root,
      mend: 'Go into a project of Weighbridge; `weighbridge new site DIR` makes one.',
    });
  }
  const text = (path: string) => (existsSync(join(root, path)) ? readFile(root, path).text : '');
  const articles = join(root, 'content/articles');
  return {
    servers: text('content/servers.yaml'),
    clients: text('content/clients.yaml'),
    settings: text('content/settings.yaml'),
    prices: text('content/prices.yaml'),
    tokenizers: text('content/tokenizers.yaml'),
    articles: entries(articles, 'folder')
      .map((slug) => ({
        slug,
        files: Object.fromEntries(
          entries(join(articles, slug), 'file').map((name) => [
            name,
            readFile(root, `content/articles/${slug}/${name}`),
          ]),
        ),
      }))
      // git keeps no empty folders, so neither does content.
      .filter(({ files }) => Object.keys(files).length > 0),
  };
}

function entries(path: string, kind: 'file' | 'folder'): string[] {
  if (!existsSync(path)) return [];
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => !entry.name.startsWith('.'))
    .filter((entry) => (kind === 'file' ? entry.isFile() : entry.isDirectory()))
    .map((entry) => entry.name)
    .sort();
}

function readFile(root: string, path: string): ContentFile {
  const bytes = readFileSync(join(root, path));
  try {
    // ignoreBOM keeps a BOM in the text, where the parsers can refuse it by name.
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return { text, sha256: createHash('sha256').update(bytes).digest('hex'), bytes };
  } catch (cause) {
    throw new Problem('content.encoding', 'the file is not UTF-8', {
      at: path,
      mend: 'Save it as UTF-8 without a byte order mark.',
      cause,
    });
  }
}
