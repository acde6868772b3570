/**
 * Asks for one cited page, politely and within bounds. It sends no credentials, keeps nothing, and
 * must never take "could not be had" for "is not there".
 */
import { bodyOf } from '../body.ts';

export interface Page {
  /** Where it came from, after redirects. */
  url: string;
  /** Lower-case media type; empty when the server named none. */
  type: string;
  text: string;
}

/** What came of asking: the page, the word that it is gone, or why it could not be had. */
export type Answer = { page: Page } | { gone: 404 | 410 } | { refused: string };

export interface AskOptions {
  /** Who asks, as HTTP's User-Agent. */
  agent: string;
  signal?: AbortSignal;
  /** For the whole of it, redirects and body too. Default 30,000. */
  timeoutMs?: number;
  /** Of the body, unpacked. Default 8 MiB. */
  maxBytes?: number;
}

const REDIRECTS = 5;
const MEGABYTE = 1024 * 1024;
const ACCEPT =
  'text/html,application/xhtml+xml,text/markdown;q=0.9,text/plain;q=0.9,application/json;q=0.9,*/*;q=0.1';
const READABLE = /^(?:$|text\/|application\/(?:[\w.+-]+\+)?(?:json|xml)$)/;

/**
 * A file on GitHub as GitHub itself serves it plain: its page holds the text only as data of a
 * script. Any other address is left as it is.
 */
export function plainAddress(url: string): string {
  return url.replace(
    /^https:\/\/github\.com\/([^/]+\/[^/]+)\/blob\/([^?#]+).*$/,
    'https://raw.githubusercontent.com/$1/$2',
  );
}

/** Fetches a page. Rejects only when `signal` aborts. */
export async function askPage(url: string, options: AskOptions): Promise<Answer> {
  const { timeoutMs = 30_000, signal } = options;
  const limit = AbortSignal.timeout(timeoutMs);
  try {
    const both = signal === undefined ? limit : AbortSignal.any([signal, limit]);
    return await follow(new URL(plainAddress(url)), { ...options, signal: both });
  } catch (error) {
    signal?.throwIfAborted();
    if (limit.aborted) return { refused: `no whole answer came within ${timeoutMs / 1000} s` };
    return { refused: told(error as Error) };
  }
}

async function follow(from: URL, options: AskOptions & { signal: AbortSignal }): Promise<Answer> {
  const { agent, signal, maxBytes = 8 * MEGABYTE } = options;
  let url = from;
  for (let turn = 0; turn <= REDIRECTS; turn++) {
    if (!/^https?:$/.test(url.protocol))
      return { refused: `it leads to ${url.protocol} addresses` };
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { 'user-agent': agent, accept: ACCEPT },
      signal,
    });
    const { status } = response;
    const location = response.headers.get('location');
    if ([301, 302, 303, 307, 308].includes(status) && location !== null) {
      await response.body?.cancel();
      if (!URL.canParse(location, url)) return { refused: 'it redirects to what is no address' };
      url = new URL(location, url);
      continue;
    }
    if (status !== 200) {
      await response.body?.cancel();
      return status === 404 || status === 410
        ? { gone: status }
        : { refused: `it answered ${status}` };
    }
    const [type = '', ...parameters] = (response.headers.get('content-type') ?? '')
      .toLowerCase()
      .split(';')
      .map((part) => part.trim());
    if (!READABLE.test(type)) {
      await response.body?.cancel();
      return { refused: `it is ${type}, which is not read here` };
    }
    const bytes = await bodyOf(response, maxBytes);
    if (bytes === null) return { refused: `it is larger than ${maxBytes} bytes` };
    const named = parameters.find((one) => one.startsWith('charset='))?.slice('charset='.length);
    const text = new TextDecoder(named?.replaceAll('"', '') ?? declared(type, bytes)).decode(bytes);
    return { page: { url: url.href, type, text } };
  }
  return { refused: `it redirects more than ${REDIRECTS} times` };
}

/** The encoding that HTML names within its first bytes; UTF-8 where none is. */
function declared(type: string, bytes: Uint8Array): string {
  if (!/html|^$/.test(type)) return 'utf-8';
  const head = Buffer.from(bytes.subarray(0, 1024)).toString('latin1');
  return /<meta[^>]+charset\s*=\s*["']?([\w-]+)/i.exec(head)?.[1] ?? 'utf-8';
}

/** What fetch hides: it says "fetch failed", and why only in the cause. */
function told(error: Error): string {
  const { cause } = error;
  const why = cause instanceof Error && cause.message !== '' ? cause.message : error.message;
  const code = (cause as NodeJS.ErrnoException | undefined)?.code;
  return `it could not be asked: ${why.includes(code ?? why) ? why : `${why} (${code})`}`;
}
