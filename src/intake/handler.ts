/**
 * The open intake as one web-standard handler over a queue: the same on one machine and at the edge.
 * It answers its own paths and leaves all others alone. It never writes an entry, never runs or links
 * what it is sent, and puts no address in any record.
 */
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { lastDay } from '../day.ts';
import { commitment } from '../ledger/commitment.ts';
import type { Skey } from '../ledger/note.ts';
import { hex } from '../ledger/tree.ts';
import type { SiteAddress } from '../site.ts';
import { escapeHtml, json, page, problem, Refusal, secret } from './answer.ts';
import type { Limit } from './limit.ts';
import { bodyHash, type Fields, type Kind, MAX_BODY, type Post, readPost } from './post.ts';
import { type Kept, type Outcome, type Queue, STATUSES, type Status } from './queue.ts';
import { receiptOf } from './receipt.ts';
import { shown } from './shown.ts';
import { signerOf } from './sign.ts';

export interface Setting {
  queue: Queue;
  site: Pick<SiteAddress, 'url' | 'path'>;
  /** The published document at a path from the site's root, parsed; null where there is none. */
  document(path: string): Promise<unknown>;
  /** The owner's key; null, and claims and sources are answered 503. */
  terminalKey: string | null;
  /** Signs receipts; null, and they say that they are not signed. */
  skey: Skey | null;
  limit: Limit;
  /** May a form on a page of this origin post here? */
  isOurs(origin: string): boolean;
  now(): Date;
  random(bytes: number): Uint8Array;
  /** Told of what went wrong here, for the operator. */
  complain(error: unknown): void;
  /** Milliseconds that a body may take to come. */
  patience?: number;
}

/**
 * Answers a request whose path is the intake's, null for any other. The URL's path is taken from the
 * site's root, without its base. `address` is the sender's, for the limit alone. Rejects only as the
 * queue does on reading.
 */
export type Intake = (request: Request, address: string) => Promise<Response | null>;

type Method = 'GET' | 'POST';
/** What a route is given: the path's variable part, and all about the request. */
interface Asked {
  request: Request;
  url: URL;
  name: string;
  address: string;
}
type Answer = (asked: Asked) => Promise<Response>;

/** Some methods no Request may have; here all that no route takes are alike. */
export const methodOf = (method: string): string =>
  /^(?:GET|HEAD|POST|OPTIONS)$/.test(method) ? method : 'DELETE';

const DEFAULT_PATIENCE = 10_000;
const FORM = 'application/x-www-form-urlencoded';
/** Posts in one answer. */
const LISTED = 200;
const SLUG = '[a-z0-9]+(?:-[a-z0-9]+)*';

/** What may come of an attempt to capture. */
const OUTCOMES: readonly string[] = ['captured', 'unchanged', 'failed'];

export function intake(setting: Setting): Intake {
  const { queue, site, terminalKey, skey, limit } = setting;
  const signer = skey === null ? null : signerOf(skey);
  /** Ids of each published article; what is published does not change while this runs. */
  const known = new Map<string, ReturnType<typeof readArticle>>();

  const article = (slug: string) => {
    const held = known.get(slug);
    if (held !== undefined) return held;
    const read = readArticle(setting, slug);
    // Strangers choose the slug: only what is there is remembered, and a failure is not.
    known.set(slug, read);
    read.then(
      (found) => found ?? known.delete(slug),
      () => known.delete(slug),
    );
    return read;
  };
  const published = async (slug: string) => {
    const found = slug.length > 64 ? null : await article(slug);
    if (found === null) throw new Refusal(404, 'article.unknown', `no article is called ${slug}`);
    return found;
  };

  async function take(kind: Kind, asked: Asked, slug: string | null): Promise<Response> {
    const { request } = asked;
    const keyed = kind === 'claim' || kind === 'sources';
    if (keyed) checkKey(request, terminalKey);
    const { value, form } = await readBody(request, setting);
    const wait = keyed ? 0 : limit.take(asked.address);
    if (wait > 0) {
      throw new Refusal(429, 'post.too-many', `post again in ${wait} s`, {
        headers: { 'retry-after': String(wait) },
      });
    }
    if (slug !== null) await published(slug);
    const post = readPost(kind, slug, value);
    if ('field' in post) {
      throw new Refusal(422, 'field', `${post.field} ${post.why}`, { field: post.field });
    }
    await checkReferences(post, slug);
    checkDays(post, setting.now());
    const key = idempotencyKey(request);
    const salt = setting.random(32);
    const bytes = new TextEncoder().encode(post.body);
    const at = setting.now();
    const arrival = {
      ...post,
      id: idOf(at, setting.random(10)),
      salt: hex(salt),
      commit: commitment(salt, bytes),
      body_sha256: bodyHash(post.body),
      received_at: at.toISOString(),
      keyed,
    };
    const { kept, first } = await queue.put(arrival, key).catch((cause: unknown) => {
      setting.complain(cause);
      const why = 'the post could not be kept; send it again, it is taken once';
      throw new Refusal(503, 'queue.full', why, { headers: { 'retry-after': '30' } });
    });
    if (kept.body_sha256 !== arrival.body_sha256) {
      throw new Refusal(422, 'idempotency-key', 'this key came before with another post', {
        field: 'idempotency-key',
      });
    }
    const receipt = await receiptOf(kept, signer);
    const headers = {
      location: site.path(`/api/objections/${kept.id}`),
      ...(first ? {} : { 'idempotency-replayed': 'true' }),
    };
    return form ? receiptPage(receipt, kept, headers.location) : json(receipt, 201, headers);
  }

  /** What a post names must be there. */
  async function checkReferences({ claim, article: slug, body, kind }: Post, named: string | null) {
    const found = slug.length > 64 ? null : await article(slug);
    if (found === null && named === null) {
      const field = kind === 'update' ? 'target' : 'slug';
      throw new Refusal(422, 'field', `${field} names no published article`, { field });
    }
    if (claim !== null && !found?.claims.has(claim)) {
      throw new Refusal(422, 'field', `claim_id names no claim of ${slug}`, { field: 'claim_id' });
    }
    if (kind !== 'claim') return;
    const { source_ids, section } = JSON.parse(body) as {
      source_ids: string[];
      section: string | null;
    };
    if (section !== null && !found?.sections.has(section)) {
      const why = `section names no section of ${slug}`;
      throw new Refusal(422, 'field', why, { field: 'section' });
    }
    const at = source_ids.findIndex((id) => !found?.sources.has(id));
    if (at === -1) return;
    const field = `source_ids.${at}`;
    throw new Refusal(422, 'field', `${field} names no source of ${slug}`, { field });
  }

  async function one({ name }: Asked): Promise<Response> {
    const recorded = await setting.document(`/api/objections/${name}.json`);
    if (recorded !== null) return json(recorded);
    const kept = await queue.get(name);
    if (kept === null) throw new Refusal(404, 'post.unknown', 'no post has this id');
    return json(publicOf(kept));
  }

  /** What the ledger holds of an article's objections, and apart from it what is queued. */
  async function objections(slug: string, kind: 'objection' | 'update', after: number) {
    const document = await setting.document(`/api/articles/${slug}/objections.json`);
    const recorded = (document as { objections?: { id: string; kind?: string }[] } | null)
      ?.objections;
    const here = (recorded ?? []).filter((post) => (post.kind ?? 'objection') === kind);
    const ids = new Set(here.map(({ id }) => id));
    const waiting = await queue.list({
      ...{ article: slug, kind, status: 'queued', after, limit: LISTED + 1 },
    });
    const page = waiting.slice(0, LISTED);
    return {
      document,
      recorded: here,
      queued: page.filter((kept) => !ids.has(kept.id)).map(publicOf),
      next: waiting.length > LISTED ? page.at(-1)!.at : null,
    };
  }

  const routes: [RegExp, Partial<Record<Method, Answer>>][] = [
    [
      new RegExp(`^/api/articles/(${SLUG})/objections(?:\\.json)?$`),
      {
        GET: async ({ name, url }) => {
          await published(name);
          const { document, recorded, queued, next } = await objections(
            name,
            'objection',
            afterOf(url),
          );
          return json({
            ...(document as object | null),
            article: name,
            objections: recorded,
            ...{ queued, next },
          });
        },
        POST: (asked) => take('objection', asked, asked.name),
      },
    ],
    [
      new RegExp(`^/api/articles/(${SLUG})/invocations$`),
      {
        GET: async ({ name, url }) => {
          const document = await setting.document(`/api/articles/${name}/invocations.json`);
          if (document === null)
            throw new Refusal(404, 'article.unknown', `no article is called ${name}`);
          const status = url.searchParams.get('status');
          if (status === null) return json(document);
          if (!OUTCOMES.includes(status)) {
            const why = `status is one of ${OUTCOMES.join(', ')}`;
            throw new Refusal(422, 'field', why, { field: 'status' });
          }
          const { runs, ...rest } = document as { runs: { attempts: { outcome: string }[] }[] };
          const kept = runs
            .map((run) => ({
              ...run,
              attempts: run.attempts.filter(({ outcome }) => outcome === status),
            }))
            .filter(({ attempts }) => attempts.length > 0);
          return json({ ...rest, status, runs: kept });
        },
      },
    ],
    [/^\/api\/objections\/([0-9a-f]{32})(?:\.json)?$/, { GET: one }],
    [/^\/api\/protocol\/(thread-update)$/, { POST: (asked) => take('update', asked, null) }],
    [/^\/api\/protocol\/(claim)$/, { POST: (asked) => take('claim', asked, null) }],
    [/^\/api\/protocol\/(sources)$/, { POST: (asked) => take('sources', asked, null) }],
    [
      /^\/api\/protocol\/(thread-state)$/,
      {
        GET: async ({ url }) => {
          const target = url.searchParams.get('target') ?? '';
          if (!new RegExp(`^${SLUG}$`).test(target)) {
            const field = 'target';
            throw new Refusal(422, 'field', 'target is the name of an article', { field });
          }
          await published(target);
          const posts = async (kind: 'objection' | 'update') => {
            const { document: _, ...rest } = await objections(target, kind, afterOf(url));
            return rest;
          };
          return json({
            target,
            article: site.url(`/api/articles/${target}.json`),
            ledger: site.url(`/api/articles/${target}/ledger.json`),
            objections: await posts('objection'),
            updates: await posts('update'),
          });
        },
      },
    ],
    [
      /^\/api\/(intake)(?:\.json)?$/,
      {
        GET: async () =>
          json({
            open: true,
            max_bytes: MAX_BODY,
            /** What receipts are signed with. */
            vkey: skey?.vkey.text ?? null,
            owner: terminalKey !== null,
          }),
      },
    ],
    [
      /^\/api\/(queue)$/,
      {
        GET: async ({ request, url }) => {
          checkKey(request, terminalKey);
          const after = afterOf(url);
          const status = url.searchParams.get('status') ?? 'queued';
          if (!STATUSES.includes(status as Status)) {
            const why = `status is one of ${STATUSES.join(', ')}`;
            throw new Refusal(422, 'field', why, { field: 'status' });
          }
          const posts = await queue.list({ after, status: status as Status, limit: LISTED });
          return secret({ posts });
        },
      },
    ],
    [
      /^\/api\/queue\/([0-9a-f]{32})$/,
      {
        POST: async ({ request, name }) => {
          checkKey(request, terminalKey);
          const { value } = await readBody(request, setting);
          const kept = await queue.acknowledge(name, readOutcome(value));
          if (kept === null) throw new Refusal(404, 'post.unknown', 'no post has this id');
          return secret(publicOf(kept));
        },
      },
    ],
  ];

  return async (request, address) => {
    const url = new URL(request.url);
    for (const [pattern, answers] of routes) {
      const name = pattern.exec(url.pathname)?.[1];
      if (name === undefined) continue;
      const allow = ['GET', 'POST'].flatMap((method) =>
        answers[method as Method] === undefined ? [] : method === 'GET' ? 'GET, HEAD' : method,
      );
      try {
        if (request.method === 'OPTIONS')
          return preflight(answers.GET !== undefined, allow.join(', '));
        const method = request.method === 'HEAD' ? 'GET' : request.method;
        const answer = answers[method as Method];
        if (answer === undefined) {
          throw new Refusal(405, 'method', `${url.pathname} takes ${allow.join(', ')}`, {
            headers: { allow: allow.join(', ') },
          });
        }
        return await answer({ request, url, name, address });
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        const toForm =
          request.headers.get('content-type')?.startsWith(FORM) && request.method === 'POST';
        return toForm ? refusalPage(error) : problem(error);
      }
    }
    return null;
  };
}

/** Other sites' pages may read, and post nothing. */
const preflight = (reads: boolean, allow: string): Response =>
  new Response(null, {
    status: 204,
    headers: {
      allow,
      ...(reads
        ? {
            'access-control-allow-origin': '*',
            'access-control-allow-methods': 'GET, HEAD',
            'access-control-max-age': '86400',
          }
        : {}),
    },
  });

/** A source that is cited stands already. Throws Refusal 422. */
function checkDays({ kind, body }: Post, now: Date): void {
  if (kind !== 'sources') return;
  const { sources } = JSON.parse(body) as { sources: { published: string | null }[] };
  const at = sources.findIndex(({ published }) => published !== null && published > lastDay(now));
  if (at === -1) return;
  const field = `sources.${at}.published`;
  throw new Refusal(422, 'field', `${field} is a day that has not come yet`, { field });
}

/** Twelve digits of time before the random ones: an index of ids that come in order is written at its end alone. */
const idOf = (at: Date, random: Uint8Array): string =>
  at.getTime().toString(16).padStart(12, '0') + hex(random);

/** Throws Refusal 503 when no key is set, 401 when it is another; the time it takes tells neither. */
function checkKey(request: Request, terminalKey: string | null): void {
  if (terminalKey === null) {
    throw new Refusal(
      503,
      'key.unset',
      'this server was given no terminal key (TERMINAL_KEY), so it takes no claims and sources',
    );
  }
  const given = request.headers.get('x-terminal-key') ?? '';
  const digest = (text: string) =>
    hmac(sha256, new TextEncoder().encode('terminal-key'), new TextEncoder().encode(text));
  const [a, b] = [digest(given), digest(terminalKey)];
  let differ = 0;
  for (let i = 0; i < a.length; i++) differ |= a[i]! ^ b[i]!;
  if (differ !== 0) {
    throw new Refusal(401, 'key.wrong', 'x-terminal-key is not the key of this server', {
      headers: { 'www-authenticate': 'x-terminal-key' },
    });
  }
}

/** After which post a list goes on; from the first where nothing is said. Throws Refusal 422. */
function afterOf(url: URL): number {
  const after = Number(url.searchParams.get('after') ?? 0);
  if (Number.isSafeInteger(after)) return after;
  throw new Refusal(422, 'field', 'after is a number', { field: 'after' });
}

/** A key of the sender's own, so that a post sent again is known; kept as its hash. */
function idempotencyKey(request: Request): string | null {
  const key = request.headers.get('idempotency-key');
  if (key === null) return null;
  if (key === '' || key.length > 255) {
    const field = 'idempotency-key';
    throw new Refusal(422, 'field', `${field} has 1 to 255 characters`, { field });
  }
  return bodyHash(key);
}

/** The body as fields. Throws Refusal 403, 408, 413, 415, 400 or 422. */
async function readBody(
  request: Request,
  { isOurs, patience = DEFAULT_PATIENCE }: Setting,
): Promise<{ value: unknown; form: boolean }> {
  const [type = ''] = (request.headers.get('content-type') ?? '').toLowerCase().split(';');
  const form = type.trim() === FORM;
  if (!form && type.trim() !== 'application/json') {
    throw new Refusal(415, 'body.type', `a post is application/json or ${FORM}`, {
      headers: { accept: `application/json, ${FORM}` },
    });
  }
  if (form) {
    // A browser sends forms anywhere, with no question asked first: only our own pages may.
    const origin = request.headers.get('origin');
    if (
      (origin !== null && !isOurs(origin)) ||
      request.headers.get('sec-fetch-site') === 'cross-site'
    ) {
      throw new Refusal(403, 'origin.foreign', 'a form of another site can’t post here');
    }
  }
  const text = await readText(request, patience);
  if (!form) {
    try {
      return { value: JSON.parse(text), form };
    } catch {
      throw new Refusal(400, 'body.json', 'the body is not JSON');
    }
  }
  if (!isEncoded(text)) throw new Refusal(400, 'body.utf8', 'the form is not UTF-8');
  const pairs = [...new URLSearchParams(text)];
  const twice = pairs.find(([name], at) => pairs.findIndex(([other]) => other === name) < at);
  if (twice !== undefined) {
    const field = twice[0].slice(0, 64);
    throw new Refusal(422, 'field', `${field} is given twice`, { field });
  }
  return { value: Object.fromEntries(pairs), form };
}

/** Does each run of %XX stand for text? URLSearchParams would put U+FFFD for what is none. */
function isEncoded(form: string): boolean {
  try {
    for (const [bytes] of form.matchAll(/(?:%[0-9a-f]{2})+/gi)) decodeURIComponent(bytes);
    return true;
  } catch {
    return false;
  }
}

async function readText(request: Request, patience: number): Promise<string> {
  const tooLarge = () => new Refusal(413, 'body.large', `a post has at most ${MAX_BODY} bytes`);
  if (Number(request.headers.get('content-length') ?? 0) > MAX_BODY) throw tooLarge();
  const reader = request.body?.getReader() as ReadableStreamDefaultReader<Uint8Array> | undefined;
  if (reader === undefined) return '';
  let size = 0;
  const chunks: Uint8Array[] = [];
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new Refusal(408, 'body.slow', 'the body did not come in time')),
    patience,
  );
  try {
    for (;;) {
      const { done, value } = await Promise.race([reader.read(), late.promise]);
      if (done) break;
      size += value.length;
      if (size > MAX_BODY) throw tooLarge();
      chunks.push(value);
    }
  } catch (error) {
    reader.cancel().catch(() => {});
    if (error instanceof Refusal) throw error;
    throw new Refusal(400, 'body.cut', 'the body ended before its end');
  } finally {
    clearTimeout(timer);
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Refusal(400, 'body.utf8', 'the body is not UTF-8');
  }
}

/** Ids of what an article shows. */
async function readArticle({ document }: Setting, slug: string) {
  const found = (await document(`/api/articles/${slug}.json`)) as {
    claims?: { id: string }[];
    sources?: { id: string }[];
    sections?: { id: string }[];
  } | null;
  const ids = (list: { id: string }[] | undefined) => new Set((list ?? []).map(({ id }) => id));
  if (found === null) return null;
  const { claims, sources, sections } = found;
  return { claims: ids(claims), sources: ids(sources), sections: ids(sections) };
}

/** A decision as the owner's command posts it. */
function readOutcome(value: unknown): Outcome {
  const { status, seq = null, reason = null } = (value ?? {}) as Record<string, unknown>;
  const bad = (field: string, why: string) =>
    new Refusal(422, 'field', `${field} ${why}`, { field });
  if (!STATUSES.includes(status as Status) || status === 'queued') {
    throw bad('status', `is one of ${STATUSES.slice(1).join(', ')}`);
  }
  if (seq !== null && !(Number.isSafeInteger(seq) && (seq as number) >= 0)) {
    throw bad('seq', 'is the number of an entry, or null');
  }
  if (reason !== null && typeof reason !== 'string') throw bad('reason', 'is a text, or null');
  return { status: status as Outcome['status'], seq: seq as number | null, reason };
}

/** A post as everybody may see it: no salt while it is queued, nothing of what was erased. */
function publicOf(kept: Kept) {
  const { id, kind, article, claim, status, received_at, commit, seq, reason } = kept;
  return {
    ...{ id, kind, article, claim, status },
    in_log: seq !== null,
    ...{ seq, reason, received_at, commit },
    post: kept.body === null ? null : (JSON.parse(kept.body) as Fields),
  };
}

function receiptPage(receipt: unknown, { body }: Kept, location: string): Response {
  const posted = JSON.parse(body ?? '{}') as { objection?: string };
  const response = page(
    'Your objection was taken',
    `<p>It is queued: not in the log yet. It will be accepted or declined, with a reason, in public.</p>
<blockquote><pre>${escapeHtml(shown(posted.objection ?? ''))}</pre></blockquote>
<p>Keep this receipt; with it and your text you can show that it was taken:</p>
<pre>${escapeHtml(JSON.stringify(receipt, null, 2))}</pre>
<p>What becomes of it: <a href="${escapeHtml(location)}">${escapeHtml(location)}</a></p>`,
    201,
  );
  response.headers.set('location', location);
  return response;
}

function refusalPage({ message, status, more }: Refusal): Response {
  const response = page(
    'Your objection was not taken',
    `<p>${escapeHtml(shown(message))}.</p>\n<p>Go back: your browser still holds what you wrote.</p>`,
    status,
  );
  for (const [name, value] of Object.entries(more.headers ?? {})) response.headers.set(name, value);
  return response;
}
