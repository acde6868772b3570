/** `npm run sources`: looks for each quote in the page that it cites, and writes down what was found. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Sources } from '../src/articles/parse.ts';
import { readYaml } from '../src/articles/yaml.ts';
import { COMMANDS, help } from '../src/commands.ts';
import { writeAtomic } from '../src/disk/atomic.ts';
import { type ContentArticle, readContent } from '../src/disk/content.ts';
import { Problem } from '../src/problem.ts';
import { printable } from '../src/render/printable.ts';
import { script, Usage } from '../src/script.ts';
import { site } from '../src/site.ts';
import { type Checked, type Cited, checkSources, finding } from '../src/sources/check.ts';
import { askPage } from '../src/sources/page.ts';
import { type Finding, writeFindings } from '../src/sources/write.ts';

const USAGE = help('sources').trimEnd();

const fileOf = (slug: string): string => `content/articles/${slug}/sources.yaml`;

/** What one article cites. Throws the first Problem of its file. */
function citedBy({ slug, files }: ContentArticle): Cited[] {
  const { value, problems } = readYaml(fileOf(slug), files['sources.yaml']?.text ?? '', Sources);
  if (problems[0] !== undefined) throw problems[0];
  return (value ?? []).map((source) => ({ article: slug, source }));
}

/** `verified`, `unverified (was verified): because`. */
function told({ article, source, outcome, because }: Checked): string {
  const words = {
    verified: 'verified',
    unverified: 'unverified',
    gone: 'gone',
    unquoted: 'there; nothing is quoted from it',
    unchecked: `unverified this time, because ${because}; its file keeps ${source.quote_status}`,
  }[outcome];
  const was = source.quote_status;
  const change = outcome === 'unchecked' || outcome === 'unquoted' || outcome === was;
  const why = outcome === 'unchecked' || because === null ? '' : `: ${because}`;
  return printable(`${article} ${source.id}: ${words}${change ? '' : ` (was ${was})`}${why}`);
}

/** Puts an article's findings into its file, which must still be what was checked. */
function write(root: string, { slug, files }: ContentArticle, checked: Checked[], day: string) {
  const findings = new Map<string, Finding>();
  for (const one of checked) {
    const status = finding(one);
    if (one.article === slug && status !== null) findings.set(one.source.id, { status, day });
  }
  if (findings.size === 0) return;
  const file = fileOf(slug);
  const { text } = files['sources.yaml']!;
  if (readFileSync(join(root, file), 'utf8') !== text) {
    throw new Problem('sources.moved', 'the file was changed while its pages were asked', {
      at: file,
      mend: 'Run it again.',
    });
  }
  const written = writeFindings(file, text, findings);
  if (written !== text) writeAtomic(join(root, file), written);
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: COMMANDS.sources.options,
  });
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  const { only, json = false, 'dry-run': dryRun = false } = values;
  const root = process.cwd();
  const all = readContent(root).articles;
  const unknown = only?.find((slug) => all.every((article) => article.slug !== slug));
  if (unknown !== undefined) throw new Usage(`no article has the slug ${printable(unknown)}`);
  const articles = all.filter(({ slug }) => only === undefined || only.includes(slug));
  const checked = await checkSources(articles.flatMap(citedBy), {
    ask: (url) => askPage(url, { agent: `Weighbridge-sources (+${site.url('/')})` }),
    onChecked: (one) => {
      if (!json) console.log(told(one));
    },
  });
  const day = new Date().toISOString().slice(0, 10);
  if (!dryRun) for (const article of articles) write(root, article, checked, day);
  const count = (...outcomes: Checked['outcome'][]): number =>
    checked.filter(({ outcome }) => outcomes.includes(outcome)).length;
  if (json) {
    const sources = checked.map(({ article, source, outcome, because }) => ({
      article,
      id: source.id,
      url: source.url,
      was: source.quote_status,
      outcome,
      because,
    }));
    console.log(JSON.stringify({ day, dry_run: dryRun, sources }, null, 2));
  } else {
    console.log(
      `${count('verified')} verified, ${count('unverified', 'unchecked')} unverified (${count('unchecked')} whose page could not be had), ${count('gone')} gone${dryRun ? '; nothing was written' : ''}.`,
    );
  }
  if (count('unverified', 'gone') > 0) return 1;
  return count('unchecked') > 0 ? 3 : 0;
}

await script('sources', main);
