/**
 * The queue of a deployed site, as its owner works through it from elsewhere. It believes nothing that
 * it is told: a post whose hashes do not fit its words is not taken.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '../problem.ts';
import type { Kept, Queue } from './queue.ts';
import { receiptFault } from './receipt.ts';

const PATIENCE = 30_000;
const TRIES = 4;

/** `home`: the site's front page; `key`: its TERMINAL_KEY. Its methods throw Problem `queue.remote`. */
export function remoteQueue(home: string, key: string): Pick<Queue, 'list' | 'acknowledge'> {
  const base = new URL(home.endsWith('/') ? home : `${home}/`);
  async function ask(path: string, body?: unknown): Promise<unknown> {
    const url = new URL(`api/queue${path}`, base);
    const failed = (why: string, cause?: unknown) =>
      new Problem('queue.remote', why, {
        at: url.href,
        mend: 'Run the same command again: what was taken in is known and is not taken twice.',
        cause,
      });
    // Both of what is asked may be repeated: reading changes nothing, and a decision told twice is one.
    for (let again = 1; ; again++) {
      let response: Response;
      let text: string;
      try {
        response = await fetch(url, {
          redirect: 'error',
          signal: AbortSignal.timeout(PATIENCE),
          headers: { 'x-terminal-key': key, 'content-type': 'application/json' },
          ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
        });
        text = await response.text();
      } catch (cause) {
        if (again === TRIES) throw failed((cause as Error).message, cause);
        await sleep(100 * 2 ** again);
        continue;
      }
      if (response.ok) return JSON.parse(text);
      if (response.status === 404 && body !== undefined) return null;
      if (response.status < 500 || again === TRIES) {
        throw failed(`was answered with ${response.status}: ${text.slice(0, 300).trim()}`);
      }
      await sleep(100 * 2 ** again);
    }
  }
  return {
    async list({ after = 0, status = 'queued', limit }) {
      const { posts } = (await ask(`?after=${after}&status=${status}`)) as { posts: Kept[] };
      for (const post of posts) {
        if (isWhole(post)) continue;
        throw new Problem('queue.altered', `post ${post.id} is not what its receipt commits to`, {
          at: base.href,
        });
      }
      return posts.slice(0, limit);
    },
    async acknowledge(id, outcome) {
      return (await ask(`/${id}`, outcome)) as Kept | null;
    },
  };
}

/** Do its hashes fit its words? An erased one has none. */
function isWhole({ body, salt, body_sha256, ...kept }: Kept): boolean {
  if (!/^[0-9a-f]{32}$/.test(kept.id)) return false;
  if (body === null || salt === null) return true;
  const receipt = { ...kept, salt, body_sha256: body_sha256 ?? '', signature: null };
  return receiptFault(receipt, body, null) === null;
}
