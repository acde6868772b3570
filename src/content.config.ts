/**
 * The prose of the articles, and nothing else: claims, sources and figures come from src/load.ts,
 * which checks them against the ledger. A loader that joined them in here would go stale, since its
 * digest covers index.mdx alone.
 */
import { defineCollection } from 'astro:content';
import { glob } from 'astro/loaders';

export const collections = {
  articles: defineCollection({
    loader: glob({
      pattern: '*/index.mdx',
      base: './content/articles',
      generateId: ({ entry }) => entry.replace(/\/index\.mdx$/, ''),
    }),
  }),
};
