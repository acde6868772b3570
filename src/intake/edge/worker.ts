/**
 * The Worker before the built site: posts and what is queued go to the queue's object, everything else
 * to the static files. It keeps nothing and decides nothing.
 */
import { isForProgram, prefersMarkdown } from '../../accept.ts';
import { rewrite } from '../../rewrite.ts';
import { missing, readOnly } from '../answer.ts';
import { MAX_BODY } from '../post.ts';
import { ADDRESS, IntakeQueue } from './object.ts';
import type { Env } from './platform.ts';

export { IntakeQueue };

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

/** A file of the site, or what tells whoever asked that there is none. */
async function file(request: Request, env: Env, path: string): Promise<Response> {
  const response = await env.ASSETS.fetch(request);
  const gone = response.status === 404 && isForProgram(path, request.headers.get('accept') ?? '');
  return gone ? missing(path) : response;
}

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const url = new URL(request.url);
    const base = (env.BASE_PATH ?? '').replace(/\/+$/, '');
    if (url.pathname.startsWith(`${base}/`)) {
      const path = url.pathname.slice(base.length);
      if (INTAKE.test(path)) {
        const to = new URL(url);
        to.pathname = path;
        const headers = new Headers(request.headers);
        headers.set(ADDRESS, request.headers.get('cf-connecting-ip') ?? '');
        headers.delete('content-length');
        const { method } = request;
        const body = request.body === null ? {} : { body: await beginning(request.body) };
        const inner = new Request(to, { method, headers, ...body });
        const response = await env.QUEUE.getByName('posts').fetch(inner);
        if (response.status !== 404 || request.method !== 'GET') return response;
        // A path that only looks like the intake's; its own refusals have a body.
        return response.body === null ? file(request, env, path) : response;
      }
      if (request.method !== 'GET' && request.method !== 'HEAD') return readOnly(path);
      const rewritten = rewrite(path, url.searchParams);
      const page = path.endsWith('/') && path !== '/' ? `${path.slice(0, -1)}.md` : null;
      const to =
        rewritten ??
        (page !== null && prefersMarkdown(request.headers.get('accept') ?? '') ? page : null);
      if (to !== null) {
        const asked = new URL(`${base}${to}`, url);
        const response = await env.ASSETS.fetch(new Request(asked, request));
        if (response.ok || rewritten !== null) {
          const answer = new Response(response.body, response);
          answer.headers.append('vary', 'accept');
          return answer;
        }
      }
    }
    return file(request, env, url.pathname.slice(base.length));
  },
};
