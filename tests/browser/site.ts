/** What the browser tests share: the built site on loopback, and a Chromium that may go nowhere else. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { after, before } from 'node:test';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright';
import { DIST } from '../../src/build.ts';
import { ensureChromium, launchOptions } from '../../src/chromium.ts';
import { type Serving, serve } from '../../src/serve.ts';
import { site } from '../../src/site.ts';

let serving: Serving;
let browser: Browser;
before(async () => {
  serving = await serve(0, site.base);
  serving.open(DIST);
  browser = await chromium.launch(launchOptions(ensureChromium(console.error)));
});
after(async () => {
  await browser.close();
  await serving.close();
});

/** Slugs of the published articles, as the site itself lists them. */
export const slugs = (
  JSON.parse(readFileSync(`${DIST}/api/articles.json`, 'utf8')) as { articles: { slug: string }[] }
).articles.map(({ slug }) => slug);
export const htmlOf = (path: string): string => readFileSync(`${DIST}${path}index.html`, 'utf8');
/** The longest first: it holds most of what a page can hold. */
export const articles = slugs
  .map((slug) => `/a/${slug}/`)
  .sort((a, b) => htmlOf(b).length - htmlOf(a).length);
const buttonsOf = (path: string): number => htmlOf(path).split('data-weigh=').length - 1;
/** Those with tickets that can be weighed again, the most first; an article on clients alone has none. */
export const recounted = articles
  .filter((path) => buttonsOf(path) > 0)
  .sort((a, b) => buttonsOf(b) - buttonsOf(a));
const claimsOf = (slug: string): string[] =>
  readdirSync(`${DIST}/a/${slug}/claims`).map((id) => `/a/${slug}/claims/${id}/`);
/** Names of the weighed servers, the costliest first, as the site itself lists them. */
const weighed = (
  JSON.parse(readFileSync(`${DIST}/api/servers.json`, 'utf8')) as { servers: { name: string }[] }
).servers.map(({ name }) => name);
const toolOf = (name: string): string =>
  `/servers/${name}/tools/${readdirSync(`${DIST}/servers/${name}/tools`).find((one) => !one.endsWith('.md'))}/`;
export const pages = [
  '/',
  ...articles,
  ...slugs.flatMap((slug) => claimsOf(slug).slice(0, 1)),
  '/ledger/',
  '/ledger/0/',
  '/ledger/by/all/',
  '/corrections/',
  '/servers/',
  ...weighed.slice(0, 1).flatMap((name) => [`/servers/${name}/`, toolOf(name)]),
  '/weigh/',
  '/clients/',
  '/clients/claude-code/',
  '/symptoms/',
  '/evidence/',
  '/deploy/',
  '/directory/',
  '/directory/weigh/',
  '/directory/article-topology/',
  '/404.html',
];

/** As `pages`, each kind of page once or twice: of the articles the two longest, and a claim of one. */
export const kinds = pages.filter(
  (page) =>
    !articles.slice(2).some((article) => page.startsWith(article)) &&
    !page.startsWith(`${articles[1]}claims/`),
);

/** Where the site's root is served, without a slash at the end; only while tests run. */
export const origin = (): string => `http://localhost:${serving.port}${site.base}`;

/** Opens a page of the built site; otherwise as `open`. */
export const visit = (
  path: string,
  options: BrowserContextOptions,
  act: (page: Page) => Promise<void>,
): Promise<void> => open(`${origin()}${path}`, act, { options });

/**
 * Opens a page, lets `act` look at it, and fails when the page asked another host for anything or
 * complained in the console (a broken policy does), unless `complaints` are expected.
 */
export async function open<T>(
  url: string,
  act: (page: Page) => Promise<T>,
  {
    options = {},
    complaints: expected = false,
  }: { options?: BrowserContextOptions; complaints?: boolean } = {},
): Promise<T> {
  const context = await browser.newContext(options);
  const { origin } = new URL(url);
  const elsewhere: string[] = [];
  const complaints: string[] = [];
  context.on('request', (request) => {
    const asked = request.url();
    if (!asked.startsWith(`${origin}/`) && !asked.startsWith(`blob:${origin}/`))
      elsewhere.push(asked);
  });
  context.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  context.on('weberror', (error) => complaints.push(String(error.error())));
  try {
    const page = await context.newPage();
    await page.goto(url);
    const result = await act(page);
    if (!expected) {
      assert.deepEqual(elsewhere, [], 'asks no other host');
      assert.deepEqual(complaints, [], 'no complaint in the console');
    }
    return result;
  } finally {
    await context.close();
  }
}
