/**
 * The Worker before the built site: posts and what is queued go to the queue's object, everything else
 * to the static files. It keeps nothing and decides nothing.
 */
import { isForProgram, prefersMarkdown } from '../../accept.ts';
import { isForHost, isOpen } from '../../policy.ts';
import { markdownPath } from '../../render/forms.ts';
import { rewrite } from '../../rewrite.ts';
import { missing, readOnly } from '../answer.ts';
import { methodOf } from '../handler.ts';
import { MAX_BODY } from '../post.ts';
import { ADDRESS, IntakeQueue } from './object.ts';
import type { Env } from './platform.ts';

export { IntakeQueue };

const ALLOW = 'access-control-allow-origin';

/** What the intake answers: see its routes. All else is files. */
const INTAKE =
  /^\/api\/(?:articles\/[^/]+\/(?:objections(?:\.json)?|invocations)|objections\/[^/]+|protocol\/[^/]+|intake(?:\.json)?|queue(?:\/[^/]+)?)$/;

/** A byte more than a post may have, at most: the object need not wait for it, nor refuse half of it. */
async function beginning(body: ReadableStream<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(MAX_BODY + 1);
  let size = 0;
  for await (const chunk of body) {
    const part = chunk.subarray(0, bytes.length - size);
    bytes.set(part, size);
    size += part.length;
  }
  return bytes.subarray(0, size);
}

/** `_headers` can't say it of a kind of file without saying it twice of some. */
function opened(response: Response, path: string): Response {
  if (!isOpen(path) || response.headers.has(ALLOW)) return response;
  const answer = new Response(response.body, response);
  answer.headers.set(ALLOW, '*');
  return answer;
}

/** What the files answer; they know tags, and not that `*` is any. */
async function asset(request: Request, env: Env): Promise<Response> {
  const response = await env.ASSETS.fetch(request);
  const had = response.status === 200 && request.headers.get('if-none-match')?.trim() === '*';
  return had ? new Response(null, { status: 304, headers: response.headers }) : response;
}

/** A file of the site, or what tells whoever asked that there is none. */
async function file(request: Request, env: Env, path: string): Promise<Response> {
  // Asked for what is not there, they answer with the page that says so.
  const asked = isForHost(path) ? new Request(new URL(`${request.url}.none`), request) : request;
  const response = await asset(asked, env);
  const gone = response.status === 404 && isForProgram(path, request.headers.get('accept') ?? '');
  return gone ? missing(path) : opened(response, path);
}

/** What the queue's object answers; null where the path only looks like one of the intake's. */
async function queued(request: Request, env: Env, path: string): Promise<Response | null> {
  const to = new URL(request.url);
  to.pathname = path;
  const headers = new Headers(request.headers);
  headers.set(ADDRESS, request.headers.get('cf-connecting-ip') ?? '');
  headers.delete('content-length');
  const method = methodOf(request.method);
  const body = request.body === null ? {} : { body: await beginning(request.body) };
  const response = await env.QUEUE.getByName('posts').fetch(
    new Request(to, { method, headers, ...body }),
  );
  // Its own refusals say of what type they are.
  return response.status === 404 && !response.headers.has('content-type') ? null : response;
}

/** Tells caches that the same address has another form for who asks otherwise. */
function varied(response: Response): Response {
  const answer = new Response(response.body, response);
  answer.headers.append('vary', 'accept');
  return answer;
}

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const url = new URL(request.url);
    const base = (env.BASE_PATH ?? '').replace(/\/+$/, '');
    const path = url.pathname.slice(base.length);
    if (!url.pathname.startsWith(`${base}/`)) return file(request, env, path);
    const answer = INTAKE.test(path) ? await queued(request, env, path) : null;
    if (answer !== null) return answer;
    if (request.method !== 'GET' && request.method !== 'HEAD') return readOnly(path);
    const rewritten = rewrite(path, url.searchParams);
    // The files would answer with the form of the same address without a query.
    if (rewritten === null && rewrite(path, new URLSearchParams()) !== null) return missing(path);
    const twin = path.endsWith('/') ? markdownPath(path) : null;
    const asks = prefersMarkdown(request.headers.get('accept') ?? '');
    const to = rewritten ?? (asks ? twin : null);
    if (to !== null) {
      const response = await asset(new Request(new URL(`${base}${to}`, url), request), env);
      if (response.status !== 404 || rewritten !== null) return varied(opened(response, to));
    }
    const response = await file(request, env, path);
    return twin === null ? response : varied(response);
  },
};
