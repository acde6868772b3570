/**
 * Reads all pages of a log over HTTP. Pages shift while they are read, and rows appear late: so it
 * goes by ids, reads the newest first, and looks again once the window has settled.
 */
import { Problem } from '../problem.ts';
import { type Access, Asker } from './ask.ts';
import * as cloudflare from './cloudflare.ts';
import type { Collected, Window } from './collected.ts';
import * as litellm from './litellm.ts';
import type { Read } from './row.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface PagesOptions extends Pick<Access, 'signal' | 'log' | 'sleep'> {
  env: Environment;
  window: Window;
  /** How long after the window's end rows may still appear, in ms: 60 s were seen. */
  settleMs: number;
}

/** What must not stand in a payload, by the variable that holds it. */
export type Identifiers = Readonly<Record<string, string>>;

/** Pages that are read at most: what no API of rows in the millions should need, so a loop has an end. */
const MAX_PAGES = 20_000;

/** A proxy's own default, said so that it stays so. */
const NEWEST = { sort_by: 'startTime', sort_order: 'desc' } as const;
/** `per_page` may be at most 50, `page_size` 100. */
const PER_PAGE = { cloudflare: 50, litellm: 100 } as const;
/** Below 1,200 in five minutes, after which Cloudflare blocks for as long. */
const RATE = 1100;

/** Values of variables that must be there. Throws Problem `gateway.no-credentials`, which names them. */
function needed(env: Environment, names: readonly string[], mend: string): Record<string, string> {
  const missing = names.filter((name) => (env[name] ?? '') === '');
  if (missing.length > 0) {
    throw new Problem('gateway.no-credentials', `${missing.join(' and ')} not set`, { mend });
  }
  return Object.fromEntries(names.map((name) => [name, env[name] ?? '']));
}

/**
 * A base address from the environment. A key goes in the clear to http only on this machine: Problem
 * `gateway.address`.
 */
function address(name: string, text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  const local = url !== null && /^(?:127\.0\.0\.1|localhost|\[::1\])$/.test(url.hostname);
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && local)) return url;
  throw new Problem('gateway.address', `${name} is no https address`, {
    mend: 'Give the whole address: https://… (http:// only for this machine).',
  });
}

function below(base: URL, path: string, query: Readonly<Record<string, string>>): URL {
  const url = new URL(base);
  url.pathname = `${base.pathname.replace(/\/$/, '')}${path}`;
  url.search = new URLSearchParams(query).toString();
  return url;
}

/** The variables that Cloudflare is asked with: what they hold is never shown nor recorded. */
const CLOUDFLARE = [
  'CLOUDFLARE_API_TOKEN',
  'CLOUDFLARE_ACCOUNT_ID',
  'CLOUDFLARE_GATEWAY_ID',
] as const;
/** And a LiteLLM proxy. */
const LITELLM = ['LITELLM_API_KEY', 'LITELLM_BASE_URL'] as const;

/** Reads a gateway's log. Throws Problem `gateway.*`, `run.aborted`. */
export async function readCloudflare(into: Collected, options: PagesOptions): Promise<Identifiers> {
  const { env, window } = options;
  const values = needed(env, CLOUDFLARE, 'Set them in the environment; --help says what each is.');
  const [token = '', account = '', gateway = ''] = CLOUDFLARE.map((name) => values[name]);
  const base = address(
    'CLOUDFLARE_BASE_URL',
    env['CLOUDFLARE_BASE_URL'] || 'https://api.cloudflare.com/client/v4',
  );
  const asker = new Asker({
    ...options,
    name: 'Cloudflare',
    headers: { authorization: `Bearer ${token}` },
    identifiers: { account, gateway },
    errors: cloudflare.readErrors,
    permission:
      'CLOUDFLARE_API_TOKEN must be a token of that account with the permission AI Gateway Read.',
    rate: RATE,
  });
  const path = `/accounts/${encodeURIComponent(account)}/ai-gateway/gateways/${encodeURIComponent(gateway)}/logs`;
  const page = async (page: number): Promise<readonly unknown[]> => {
    const value = await asker.json(
      below(base, path, {
        page: String(page),
        per_page: String(PER_PAGE.cloudflare),
        order_by: 'created_at',
        order_by_direction: 'desc',
      }),
    );
    const rows = cloudflare.readPage(value);
    if (rows !== null) return rows;
    throw new Problem(
      'gateway.form',
      value === null
        ? 'Cloudflare knows no such account or gateway'
        : `Cloudflare answered in another form${cloudflare.readErrors(value) === null ? '' : ', with errors'}`,
      { mend: 'See to CLOUDFLARE_ACCOUNT_ID and CLOUDFLARE_GATEWAY_ID.' },
    );
  };
  await newestFirst(page, cloudflare.readRow, into, window, options, asker);
  return {
    CLOUDFLARE_API_TOKEN: token,
    CLOUDFLARE_ACCOUNT_ID: account,
    CLOUDFLARE_GATEWAY_ID: gateway,
  };
}

/** Reads a proxy's spend log, from the older endpoint where the newer is not there. */
export async function readLitellm(into: Collected, options: PagesOptions): Promise<Identifiers> {
  const { env, window } = options;
  const values = needed(env, LITELLM, 'Set them in the environment; --help says what each is.');
  const [key = '', from = ''] = LITELLM.map((name) => values[name]);
  const base = address('LITELLM_BASE_URL', from);
  if (window.since === null || window.until === null) {
    throw new Problem('gateway.no-window', 'LiteLLM lists rows of a span of time only', {
      mend: 'Give --since, and --until where it is not now.',
    });
  }
  const asker = new Asker({
    ...options,
    name: 'LiteLLM',
    headers: { authorization: `Bearer ${key}` },
    identifiers: { proxy: base.hostname },
    errors: litellm.readErrors,
    permission: 'LITELLM_API_KEY must be a key that may read spend, such as an administrator’s.',
    rate: RATE,
  });
  const stamp = (time: string) => time.slice(0, 19).replace('T', ' ');
  // Whole seconds, the last one included: the window cuts what is too much.
  const end = new Date(Date.parse(window.until) + 999).toISOString();
  const newer = { start_date: stamp(window.since), end_date: stamp(end) };
  let old: readonly unknown[] | null = null;
  const page = async (page: number): Promise<readonly unknown[]> => {
    if (old !== null) return page === 1 ? old : [];
    const query = { ...newer, page: String(page), page_size: String(PER_PAGE.litellm), ...NEWEST };
    let value = await asker.json(below(base, '/spend/logs/v2', query));
    if (value === null && page === 1) {
      // It takes days, of which the last begins and ends at midnight: one more, and the window cuts.
      const end = new Date(Date.parse(newer.end_date.slice(0, 10)) + 86_400_000).toISOString();
      const days = { start_date: newer.start_date.slice(0, 10), end_date: end.slice(0, 10) };
      value = await asker.json(below(base, '/spend/logs', { ...days, summarize: 'false' }));
    }
    const read = litellm.readPage(value);
    if (read === null) {
      throw new Problem(
        'gateway.form',
        `LiteLLM answered ${value === null ? '404' : 'in another form'}`,
        {
          mend: 'See to LITELLM_BASE_URL: the proxy’s own address, without /v1.',
        },
      );
    }
    if (read.last) old = read.rows;
    return read.rows;
  };
  await newestFirst(page, litellm.readRow, into, window, options, asker);
  return { LITELLM_API_KEY: key, LITELLM_BASE_URL: base.hostname };
}

/**
 * Pages from 1 until an empty one, or one that is older than the window as a whole. Then, once the
 * window has settled, again as far back as rows can have been missing, and on while any is new. A row
 * that comes in between moves others onto the next page, where they are known by their ids; none is
 * moved out of sight.
 */
async function newestFirst(
  page: (number: number) => Promise<readonly unknown[]>,
  read: (value: unknown) => Read,
  into: Collected,
  { since, until }: Window,
  { settleMs, log }: PagesOptions,
  asker: Asker,
): Promise<void> {
  const began = Date.now();
  /** Takes pages in until `last` says so of one. */
  const walk = async (last: (rows: readonly Read[], fresh: number) => boolean): Promise<void> => {
    for (let number = 1; number <= MAX_PAGES; number++) {
      const rows = (await page(number)).map(read);
      if (rows.length === 0) return;
      const fresh = rows.filter((one) => into.add(one)).length;
      if (last(rows, fresh)) return;
      if (number % 20 === 0) log?.(`${number} pages, ${into.size} rows`);
    }
    throw new Problem('gateway.endless', `there are more than ${MAX_PAGES} pages`, {
      mend: 'Ask for a smaller part, with --since and --until.',
    });
  };
  const older = (rows: readonly Read[], than: string) =>
    rows.some((one) => 'row' in one) &&
    rows.every((one) => 'unread' in one || (one.row.at !== null && one.row.at < than));

  await walk((rows) => since !== null && older(rows, since));
  const end = until === null ? began : Math.min(Date.parse(until), began);
  const left = end + settleMs - Date.now();
  if (left > 0) {
    log?.(`rows may still appear; looking again in ${Math.ceil(left / 1000)} s`);
    await asker.wait(left);
  }
  const { repeated, outside } = into;
  const unreadable = new Map(into.unreadable);
  const settled = new Date(began - settleMs).toISOString();
  await walk((rows, fresh) => fresh === 0 && older(rows, settled));
  // What came again because it was asked for again is nothing to tell.
  into.recount({ repeated, outside, unreadable });
}
