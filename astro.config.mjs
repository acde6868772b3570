// @ts-check
import { satteri } from '@astrojs/markdown-satteri';
import mdx from '@astrojs/mdx';
import { defineConfig } from 'astro/config';
import { site } from './src/site.ts';
import { classesForStyles } from './src/styles/classes.ts';

const styles = classesForStyles();

export default defineConfig({
  site: site.origin,
  base: site.base === '' ? '/' : site.base,
  output: 'static',
  trailingSlash: 'ignore',
  // Not in node_modules, which two checkouts may share.
  cacheDir: './.cache/astro',
  prerenderConflictBehavior: 'error',
  build: {
    // One file that every page shares, so that the policy can forbid inline styles.
    inlineStylesheets: 'never',
    // One page waits for the disk while the next is made.
    concurrency: 8,
  },
  devToolbar: { enabled: false },
  integrations: [
    mdx(),
    {
      // Astro watches the prose alone; claims, sources and the ledger are read anew at each request.
      name: 'reload-on-content',
      hooks: {
        'astro:server:setup': ({ server }) => {
          server.watcher.add(['content', 'ledger']);
          server.watcher.on('change', (path) => {
            if (/[\\/](?:content|ledger)[\\/]/.test(path)) server.ws.send({ type: 'full-reload' });
          });
        },
      },
    },
  ],
  markdown: {
    // Curly quotes would make a quotation differ from the bytes that the ledger holds.
    processor: satteri({ features: { smartPunctuation: false }, hastPlugins: [styles.alignment] }),
    shikiConfig: { theme: 'css-variables', transformers: [styles.highlighting] },
  },
  vite: {
    cacheDir: './.cache/vite',
    // A module, so that it can be imported from a blob and load the tokenizer when it is needed.
    worker: { format: 'es' },
    build: {
      // The policy lets no inline script run, however small.
      assetsInlineLimit: 0,
      rolldownOptions: {
        onLog(level, log, handler) {
          // MDX modules begin with a directive that only React's bundler reads; one warning a file.
          if (log.code !== 'MODULE_LEVEL_DIRECTIVE') handler(level, log);
        },
      },
    },
  },
});
