/**
 * Takes posts from a queue into the ledger, or declines them there. The ledger is asked first what it
 * holds: a post is recorded once, however often a command stopped half way, and only then acknowledged.
 */
import { append } from '../disk/append.ts';
import type { Batch, Stamp } from '../ledger/batch.ts';
import { fromHex } from '../ledger/commitment.ts';
import { postKey } from '../ledger/fold.ts';
import type { Surface } from '../ledger/terms.ts';
import { Problem, problemOf } from '../problem.ts';
import type { Kept, Outcome, Queue } from './queue.ts';

/** Every post that waits, the oldest first. */
export async function waiting(queue: Pick<Queue, 'list'>): Promise<Kept[]> {
  const all: Kept[] = [];
  for (;;) {
    const after = all.at(-1)?.at ?? 0;
    const page = await queue.list({ status: 'queued', after, limit: 200 });
    if (page.length === 0) return all;
    all.push(...page);
  }
}

/**
 * Records a post in the ledger at `dir`, with a refusal where `declined` gives a reason, and gives what
 * the queue is to be told. One that is there already is not recorded again. Throws Problem as append.
 */
export async function recordPost(
  dir: string,
  stamp: Stamp,
  kept: Kept,
  declined: string | null,
): Promise<Outcome> {
  let outcome: Outcome = { status: 'accepted', seq: null, reason: null };
  await append(dir, stamp, (batch) => {
    outcome = enter(batch, kept, declined);
  });
  return outcome;
}

/** Adds what `recordPost` records to a batch, and gives what the queue is to be told. Throws Problem `post.erased`. */
export function enter(batch: Batch, kept: Kept, declined: string | null): Outcome {
  const { id, kind, article, commit, received_at, body, salt } = kept;
  const standing = () => batch.fold.objections.get(id);
  if (standing() === undefined) {
    const bytes = salt === null ? null : fromHex(salt);
    if (body === null || bytes === null) {
      throw new Problem(
        'post.erased',
        `the words of ${id} are erased; there is nothing to take in`,
      );
    }
    const current =
      kept.claim === null
        ? undefined
        : batch.fold.claims.get(postKey(article, kept.claim))?.current;
    const { surface = null } = JSON.parse(body) as { surface?: Surface };
    batch.keep({ id, salt: bytes, body });
    batch.add({
      type: 'objection.receive',
      article,
      body: {
        ...{ id, kind },
        claim: current === undefined ? null : { id: current.entry.body.id, leaf: current.leaf },
        ...{ surface, commit, received_at },
      },
    });
  }
  const { received, resolved, erased } = standing()!;
  if (declined !== null && resolved === null) {
    batch.add({
      type: 'objection.resolve',
      article,
      body: {
        ...{ id, receive: received.leaf, outcome: 'declined', answer: declined },
        ...{ claim: null, replaces: null },
      },
    });
  }
  const last = standing()!.resolved;
  if (erased !== null)
    return { status: 'erased', seq: erased.seq, reason: erased.entry.body.reason };
  if (last === null) return { status: 'accepted', seq: received.seq, reason: null };
  const { outcome, answer } = last.entry.body;
  return {
    status: outcome === 'declined' ? 'declined' : 'resolved',
    seq: last.seq,
    reason: answer,
  };
}

/**
 * Records a public answer to a post that was taken in; `claim` is the id of the claim that changed for
 * it. The same answer is not recorded twice. Gives what the queue is to be told. Throws Problem
 * `resolve.unknown`, `resolve.claim`, or as append.
 */
export async function resolvePost(
  dir: string,
  stamp: Stamp,
  { id, answer, claim }: { id: string; answer: string; claim: string | null },
): Promise<Outcome> {
  let seq = -1;
  await append(dir, stamp, (batch) => {
    const post = batch.fold.objections.get(id);
    if (post === undefined) {
      throw new Problem('resolve.unknown', `the ledger took in no post ${id}`, {
        mend: 'Take it in first: `npm run accept -- ID`.',
      });
    }
    const { article } = post.received.entry;
    const current =
      claim === null ? undefined : batch.fold.claims.get(postKey(article, claim))?.current;
    if (claim !== null && current === undefined) {
      throw new Problem('resolve.claim', `${article} has no claim ${claim} in the ledger`, {
        mend: 'Name one that stands: its page says its id.',
      });
    }
    const ref = current === undefined ? null : { id: current.entry.body.id, leaf: current.leaf };
    const was = post.resolved?.entry.body;
    if (was?.outcome === 'answered' && was.answer === answer && was.claim?.leaf === ref?.leaf) {
      seq = post.resolved!.seq;
      return;
    }
    ({ seq } = batch.add({
      type: 'objection.resolve',
      article,
      body: {
        ...{ id, receive: post.received.leaf, outcome: 'answered', answer, claim: ref },
        replaces: post.resolved?.leaf ?? null,
      },
    }));
  });
  return { status: 'resolved', seq, reason: answer };
}

/**
 * Tells a queue what the ledger holds already; `done` says that, as `erased in the ledger (entry #7)`, null
 * where it holds nothing of it. Throws Problem `queue.untold`, which says both: what was recorded stands.
 */
export async function tell<T>(done: string | null, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (cause) {
    const problem = problemOf(cause);
    const before = done === null ? '' : `${done}; `;
    const mends = [
      ...(problem?.mend === undefined ? [] : [problem.mend]),
      ...(done === null ? [] : ['Run the same command again: nothing is recorded twice.']),
    ];
    throw new Problem(
      'queue.untold',
      `${before}the queue could not be told: ${problem?.message ?? (cause as Error).message}`,
      {
        ...(problem?.at === undefined ? {} : { at: problem.at }),
        ...(mends.length === 0 ? {} : { mend: mends.join('\n  ') }),
        cause,
      },
    );
  }
}
