/**
 * Checks quotes against the pages that they cite. Only a page that was read, or that is said to be
 * gone, changes what is known of a quote: no network, a refusal or a timeout says nothing of it, so
 * that what a person verified in a stored copy is never lost to a bad line.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { SourceContent } from '../articles/parse.ts';
import type { Answer } from './page.ts';
import { findQuote } from './quote.ts';
import { readings } from './reading.ts';

export interface Cited {
  /** Slug of the article that cites it. */
  article: string;
  source: SourceContent;
}

/**
 * `verified`: the page holds the quote. `unverified`: it was read and does not. `gone`: it answered
 * 404 or 410. `unquoted`: it is there, and nothing is quoted from it. `unchecked`: it could not be
 * had, and what was known before still stands.
 */
export type Outcome = 'verified' | 'unverified' | 'gone' | 'unquoted' | 'unchecked';

export interface Checked extends Cited {
  outcome: Outcome;
  /** Why, in words; null for `verified` and `unquoted`. */
  because: string | null;
}

export interface CheckOptions {
  ask(url: string): Promise<Answer>;
  /** Between two pages of one host. Default 1,000. */
  pauseMs?: number;
  signal?: AbortSignal;
  onChecked?(checked: Checked): void;
}

/** Asks for each page once, one at a time a host, hosts side by side. Gives back the order it was given. */
export async function checkSources(
  cited: readonly Cited[],
  { ask, pauseMs = 1000, signal, onChecked }: CheckOptions,
): Promise<Checked[]> {
  const pages = Map.groupBy(cited, ({ source }) => source.url.replace(/#.*$/, ''));
  const hosts = Map.groupBy([...pages], ([url]) => new URL(url).host);
  const done = new Map<Cited, Checked>();
  await Promise.all(
    [...hosts.values()].map(async (host) => {
      for (const [i, [url, resting]] of host.entries()) {
        if (i > 0) await sleep(pauseMs, undefined, signal && { signal });
        const answer = await ask(url);
        for (const one of resting) {
          const checked = { ...one, ...judge(answer, one.source.quote) };
          done.set(one, checked);
          onChecked?.(checked);
        }
      }
    }),
  );
  return cited.map((one) => done.get(one)!);
}

function judge(answer: Answer, quote: string | null): Pick<Checked, 'outcome' | 'because'> {
  if ('gone' in answer) return { outcome: 'gone', because: `it answered ${answer.gone}` };
  if ('refused' in answer) return { outcome: 'unchecked', because: answer.refused };
  if (quote === null) return { outcome: 'unquoted', because: null };
  const { exact, near } = findQuote(readings(answer.page), quote);
  if (exact) return { outcome: 'verified', because: null };
  const there = `${answer.page.url} was read and does not hold it`;
  return { outcome: 'unverified', because: near === null ? there : `${there}; it says: ${near}` };
}

/** What the check has to say of a source in sources.yaml; null where it leaves it as it is. */
export function finding({ outcome }: Checked): 'verified' | 'unverified' | 'gone' | null {
  return outcome === 'unchecked' || outcome === 'unquoted' ? null : outcome;
}
