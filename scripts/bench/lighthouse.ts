/**
 * What Lighthouse says of the built site, on a phone and a slow network as it simulates them: the
 * median of three looks at each page. It needs a site in dist/ and builds none.
 */
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import lighthouse, { type Result } from 'lighthouse';
import { chromium } from 'playwright';
import { DIST } from '../../src/build.ts';
import { ensureChromium, launchOptions } from '../../src/chromium.ts';
import { serve } from '../../src/serve.ts';
import { site } from '../../src/site.ts';

export const name = 'lighthouse';

const LOOKS = 3;
/** Of 100, by category. */
const LEAST = { performance: 98, accessibility: 100, 'best-practices': 100, seo: 100 } as const;
type Category = keyof typeof LEAST;
const CATEGORIES = Object.keys(LEAST) as Category[];
const root = resolve(import.meta.dirname, '../..');

export async function run(): Promise<{ rows: string[]; ok: boolean }> {
  const serving = await serve(0, site.base);
  serving.open(join(root, DIST));
  const port = await freePort();
  const { args = [], ...options } = launchOptions(ensureChromium(console.error));
  const browser = await chromium.launch({
    ...options,
    args: [...args, `--remote-debugging-port=${port}`],
  });
  try {
    const rows: string[] = [];
    let ok = true;
    for (const path of ['/', longest(), '/servers/']) {
      const looks: Result[] = [];
      for (let i = 0; i < LOOKS; i++) {
        looks.push(await look(`http://localhost:${serving.port}${site.base}${path}`, port));
      }
      const scores = CATEGORIES.map((category) => {
        const score = median(looks.map((one) => 100 * (one.categories[category]?.score ?? 0)));
        ok &&= score >= LEAST[category];
        return `${category} ${Math.round(score)}${score < LEAST[category] ? ` (${LEAST[category]} wanted)` : ''}`;
      });
      const milliseconds = (audit: string) =>
        Math.round(median(looks.map((one) => one.audits[audit]?.numericValue ?? Number.NaN)));
      rows.push(
        `${path}: ${scores.join(', ')}; text in ${milliseconds('first-contentful-paint')} ms, ` +
          `largest in ${milliseconds('largest-contentful-paint')} ms, blocked ${milliseconds('total-blocking-time')} ms`,
        ...new Set(looks.flatMap(faults)),
      );
    }
    return { rows, ok };
  } finally {
    await browser.close();
    await serving.close();
  }
}

/** Looks again where Lighthouse itself came to nothing, as it does on a machine with much else to do. */
async function look(url: string, port: number, tries = LOOKS): Promise<Result> {
  const answer = await lighthouse(url, { port, onlyCategories: CATEGORIES, logLevel: 'silent' });
  if (answer === undefined) throw new Error(`Lighthouse says nothing of ${url}`);
  const { runtimeError } = answer.lhr;
  if (runtimeError && tries > 1) return look(url, port, tries - 1);
  if (runtimeError) throw new Error(`${url}: ${runtimeError.message} [${runtimeError.code}]`);
  return answer.lhr;
}

/** What keeps a category that must be whole from it, with the first thing that it was found in. */
function faults({ categories, audits }: Result): string[] {
  return CATEGORIES.filter((category) => LEAST[category] === 100).flatMap((category) =>
    (categories[category]?.auditRefs ?? []).flatMap(({ id, weight }) => {
      const { score = null, title = id, details } = audits[id] ?? {};
      if (weight === 0 || score === null || score === 1) return [];
      const items = details !== undefined && 'items' in details ? details.items : [];
      return [`  ${category}: ${title}: ${JSON.stringify(items[0] ?? null).slice(0, 300)}`];
    }),
  );
}

/** The article whose page has the most bytes. */
function longest(): string {
  const file = join(root, DIST, 'api/articles.json');
  const { articles } = JSON.parse(readFileSync(file, 'utf8')) as { articles: { slug: string }[] };
  const bytes = (path: string) => readFileSync(join(root, DIST, path, 'index.html')).length;
  const [first] = articles.map(({ slug }) => `/a/${slug}/`).sort((a, b) => bytes(b) - bytes(a));
  if (first === undefined) throw new Error('no article is published');
  return first;
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** One that nobody listens on now; Chromium takes it at once. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return port;
}
