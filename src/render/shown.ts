/**
 * Holds what a served article shows, as JSON and as a page, against what the ledger folds to. Pure. It
 * judges what carries receipts: claims with their grades, figures, and in the JSON sources and what the
 * article says of itself; no prose.
 */
import { Parser } from 'htmlparser2';
import type { ArticleBody, ClaimBody, Status, Tier } from '../ledger/entry.ts';
import type { Fold } from '../ledger/fold.ts';
import { postKey } from '../ledger/fold.ts';
import { claimAnchor } from './anchor.ts';

export interface ShownFault {
  code: 'page.article' | 'page.claim' | 'page.figure' | 'page.form' | 'page.source';
  message: string;
}

/** What a form of an article shows: claims by id, and figures by id, each as often as it stands there. */
interface Shown {
  claims: Map<string, string>;
  /** The words that grade each claim, statuses before the tier. */
  grades: Map<string, string[]>;
  figures: [string, string][];
}

const gradesOf = ({ status, tier }: Pick<ClaimBody, 'status' | 'tier'>): string[] =>
  [...status, tier].map((word) => word.replaceAll('_', ' '));

/** Everything in which `api` (the article's JSON) and `page` (its HTML) differ from the fold. */
export function shownFaults(fold: Fold, slug: string, api: string, page: string): ShownFault[] {
  const article = fold.articles.get(postKey(slug, slug))?.current.entry.body;
  if (article === undefined)
    return [{ code: 'page.form', message: `the ledger holds no article ${slug}` }];
  const told = parsed(api);
  const json = told && inJson(told);
  if (told === null || json === null)
    return [{ code: 'page.form', message: 'the JSON is not that of an article' }];
  const faults: ShownFault[] = [];
  for (const [form, shown] of [
    ['JSON', json],
    ['page', inPage(page)],
  ] as const) {
    const wanted = new Set(article.claims.map(({ id }) => id));
    for (const id of wanted) {
      const body = fold.claims.get(postKey(slug, id))?.current.entry.body;
      if (!shown.claims.has(id)) faults.push(claim(`the ${form} lacks claim ${id}`));
      else faults.push(...claimFaults(`the ${form}`, id, body, shown));
    }
    for (const id of shown.claims.keys()) {
      if (wanted.has(id)) continue;
      const why = fold.retracted.has(postKey(slug, id))
        ? 'which is retracted'
        : 'which the ledger does not hold for it';
      faults.push(claim(`the ${form} makes claim ${id}, ${why}`));
    }
    const seen = new Set(shown.figures.map(([id]) => id));
    for (const id of Object.keys(article.figures)) {
      if (!seen.has(id)) faults.push(figure(`the ${form} lacks figure ${id}`));
    }
    for (const [id, value] of shown.figures) {
      const recorded = article.figures[id]?.value;
      if (recorded === undefined)
        faults.push(figure(`the ${form} shows figure ${id}, which the ledger does not hold`));
      else if (recorded !== value)
        faults.push(figure(`the ${form} shows ${id} as ${value}, the ledger as ${recorded}`));
    }
  }
  return [...faults, ...toldFaults(fold, slug, article, told)];
}

/** What the claim's own page, retracted or not, has otherwise than the fold. */
export function claimPageFaults(fold: Fold, slug: string, id: string, page: string): ShownFault[] {
  const body = fold.claims.get(postKey(slug, id))?.current.entry.body;
  return claimFaults('its own page', id, body, inPage(page));
}

function claimFaults(
  form: string,
  id: string,
  body: ClaimBody | undefined,
  shown: Shown,
): ShownFault[] {
  if (shown.claims.get(id) !== body?.text) {
    return [claim(`${form} has claim ${id} with other words than the ledger`)];
  }
  const [said, recorded] = [shown.grades.get(id) ?? [], body === undefined ? [] : gradesOf(body)];
  if (said.join() === recorded.join()) return [];
  return [
    claim(
      `${form} grades claim ${id} as ${said.join(', ') || 'nothing'}, the ledger as ${recorded.join(', ')}`,
    ),
  ];
}

/** In what the JSON tells of the article, its claims and its sources otherwise than the fold. */
function toldFaults(fold: Fold, slug: string, article: ArticleBody, told: Told): ShownFault[] {
  const find = (all: unknown, id: string): Told | undefined =>
    Array.isArray(all) ? all.find((one: Told | null) => one?.['id'] === id) : undefined;
  const faults: ShownFault[] = [];
  /** Fields of the same name in both; one that is absent is null in the other. */
  const compare = (
    code: ShownFault['code'],
    what: string,
    fields: readonly string[],
    said: Told | undefined,
    recorded: Told | undefined,
  ) => {
    for (const field of fields) {
      const [here, there] = [said?.[field] ?? null, recorded?.[field] ?? null];
      if (JSON.stringify(here) === JSON.stringify(there)) continue;
      faults.push({ code, message: `the JSON has another ${field} of ${what} than the ledger` });
    }
  };
  compare('page.article', slug, ['title', 'summary', 'tags'], told, { ...article });
  for (const { id } of article.claims) {
    const body = fold.claims.get(postKey(slug, id))?.current.entry.body;
    const said = find(told['claims'], id);
    if (said === undefined) continue; // told already
    compare('page.claim', `claim ${id}`, ['section', 'claimed_by', 'why', 'rationale'], said, body);
  }
  for (const { id } of article.sources) {
    const body = fold.sources.get(postKey(slug, id))?.current.entry.body;
    const said = find(told['sources'], id);
    compare('page.source', `source ${id}`, SOURCE_FIELDS, said, body);
  }
  return faults;
}

/** What came, of which nothing is sure but that it is an object. */
type Told = Readonly<Record<string, unknown>>;
const SOURCE_FIELDS = [
  ...['id', 'type', 'url', 'title', 'author', 'published', 'quote', 'quote_status', 'checked'],
  'summary',
];

const claim = (message: string): ShownFault => ({ code: 'page.claim', message });
const figure = (message: string): ShownFault => ({ code: 'page.figure', message });

function parsed(text: string): Told | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? (value as Told | null) : null;
  } catch {
    return null;
  }
}

/** Null where it has not the form of an article. */
function inJson(told: Told): Shown | null {
  try {
    const { claims, figures } = told as unknown as {
      claims: { id: string; text: string; status: Status[]; tier: Tier }[];
      figures: { id: string; value: string }[];
    };
    return {
      claims: new Map(claims.map((one) => [one.id, one.text])),
      grades: new Map(claims.map((one) => [one.id, gradesOf(one)])),
      figures: figures.map((one) => [one.id, one.value]),
    };
  } catch {
    return null;
  }
}

/** `1,234.5%` and `1,234 tokens` as the decimal that is recorded. */
const plain = (text: string): string =>
  /^[-−]?[\d,]*(?:\.\d+)?/.exec(text.trim())?.[0].replaceAll(',', '').replace('−', '-') ?? '';

/** Claims by their marks, figures both where they stand in the text and on their tickets. */
function inPage(html: string): Shown {
  const shown: Shown = { claims: new Map(), grades: new Map(), figures: [] };
  const prefix = claimAnchor('');
  /** Open elements whose text is gathered, innermost last. */
  const open: { depth: number; text: string; close: (text: string) => void }[] = [];
  let depth = 0;
  let ticket: { id: string; depth: number } | null = null;
  /** The claim whose grades come next, and where they go while they come. */
  let graded: string | null = null;
  let words: string[] | null = null;
  const parser = new Parser({
    onopentag(name, { id = '', class: classes = '', href = '' }) {
      if (VOID.has(name)) return;
      depth++;
      const is = (word: string) => classes.split(' ').includes(word);
      const gather = (close: (text: string) => void) => open.push({ depth, text: '', close });
      if (is('ticket')) ticket = { id, depth };
      else if (is('claim') && id.startsWith(prefix)) {
        const of = id.slice(prefix.length);
        gather((text) => shown.claims.set(of, text));
        graded = of;
      } else if (is('chips') && graded !== null) {
        words = [];
        shown.grades.set(graded, words);
        graded = null;
        gather(() => {
          words = null;
        });
      } else if (is('chip') && words !== null) {
        const into = words;
        gather((text) => into.push(text));
      } else if (is('fig') && href.startsWith('#')) {
        const of = decodeURIComponent(href.slice(1));
        gather((text) => shown.figures.push([of, plain(text)]));
      } else if (is('value') && ticket !== null) {
        const of = ticket.id;
        gather((text) => shown.figures.push([of, plain(text)]));
      }
    },
    ontext(text) {
      for (const one of open) one.text += text;
    },
    onclosetag(name) {
      if (VOID.has(name)) return;
      while (open.at(-1)?.depth === depth) {
        const one = open.pop()!;
        one.close(one.text);
      }
      if (ticket?.depth === depth) ticket = null;
      depth--;
    },
  });
  parser.end(html);
  return shown;
}

const VOID = new Set([
  'area',
  'base',
  'br',
  'col',
  'embed',
  'hr',
  'img',
  'input',
  'link',
  'meta',
  'source',
  'track',
  'wbr',
]);
