/**
 * Holds what a served article shows, as JSON and as a page, against what the ledger folds to. Pure. It
 * judges claims and figures, the two that carry receipts, and no other words.
 */
import { Parser } from 'htmlparser2';
import type { Fold } from '../ledger/fold.ts';
import { postKey } from '../ledger/fold.ts';
import { claimAnchor } from './anchor.ts';

export interface ShownFault {
  code: 'page.claim' | 'page.figure' | 'page.form';
  message: string;
}

/** What a form of an article shows: claims by id, and figures by id, each as often as it stands there. */
interface Shown {
  claims: Map<string, string>;
  figures: [string, string][];
}

/** Everything in which `api` (the article's JSON) and `page` (its HTML) differ from the fold. */
export function shownFaults(fold: Fold, slug: string, api: string, page: string): ShownFault[] {
  const article = fold.articles.get(postKey(slug, slug))?.current.entry.body;
  if (article === undefined)
    return [{ code: 'page.form', message: `the ledger holds no article ${slug}` }];
  const json = inJson(api);
  if (json === null) return [{ code: 'page.form', message: 'the JSON is not that of an article' }];
  const faults: ShownFault[] = [];
  for (const [form, shown] of [
    ['JSON', json],
    ['page', inPage(page)],
  ] as const) {
    const wanted = new Set(article.claims.map(({ id }) => id));
    for (const id of wanted) {
      const key = postKey(slug, id);
      const text = fold.claims.get(key)?.current.entry.body.text;
      const said = shown.claims.get(id);
      if (said === undefined) faults.push(claim(`the ${form} lacks claim ${id}`));
      else if (said !== text)
        faults.push(claim(`the ${form} has claim ${id} with other words than the ledger`));
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
  return faults;
}

/** What the claim's own page, retracted or not, has otherwise than the fold. */
export function claimPageFaults(fold: Fold, slug: string, id: string, page: string): ShownFault[] {
  const text = fold.claims.get(postKey(slug, id))?.current.entry.body.text;
  const said = inPage(page).claims.get(id);
  return said === text
    ? []
    : [claim(`its own page has claim ${id} with other words than the ledger`)];
}

const claim = (message: string): ShownFault => ({ code: 'page.claim', message });
const figure = (message: string): ShownFault => ({ code: 'page.figure', message });

function inJson(text: string): Shown | null {
  try {
    const { claims, figures } = JSON.parse(text) as {
      claims: { id: string; text: string }[];
      figures: { id: string; value: string }[];
    };
    return {
      claims: new Map(claims.map((one) => [one.id, one.text])),
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
  const shown: Shown = { claims: new Map(), figures: [] };
  const prefix = claimAnchor('');
  /** Open elements whose text is gathered, innermost last. */
  const open: { depth: number; text: string; close: (text: string) => void }[] = [];
  let depth = 0;
  let ticket: { id: string; depth: number } | null = null;
  const parser = new Parser({
    onopentag(name, { id = '', class: classes = '', href = '' }) {
      if (VOID.has(name)) return;
      depth++;
      const is = (word: string) => classes.split(' ').includes(word);
      const gather = (close: (text: string) => void) => open.push({ depth, text: '', close });
      if (is('ticket')) ticket = { id, depth };
      else if (is('claim') && id.startsWith(prefix)) {
        gather((text) => shown.claims.set(id.slice(prefix.length), text));
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
