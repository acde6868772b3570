/**
 * What the ledger lacks: adds to a batch the drafts that would make fold(ledger) equal content, in
 * the order sources, claims, article. Pure; nothing added means that the two are equal. The same
 * function serves `record`, which keeps the batch, and the build, which only asks whether it is empty.
 */
import { isDeepStrictEqual } from 'node:util';
import { type Batch, Refused } from '../ledger/batch.ts';
import {
  type ArticleBody,
  type ClaimBody,
  type Draft,
  type Ref,
  type Slot,
  type SourceBody,
  shownOf,
} from '../ledger/entry.ts';
import { captureName, type Fold, postKey, type Receipt, type Recorded } from '../ledger/fold.ts';
import { Problem } from '../problem.ts';
import type { ArticleRecord, FigureRecord } from './record.ts';
import { type Resolved, sourceInput } from './resolve.ts';

/** The files whose content no entry holds otherwise; each is kept as a blob. */
const KEPT = ['figures.ts', 'index.mdx', 'skill.md', 'symptoms.yaml'];

/**
 * Adds what is missing for every published article that resolved without problems. `unread` are the
 * slugs of folders that could not be read. Problems: `article.vanished`, `claim.vanished`,
 * `record.refused`. Articles with status draft are not recorded.
 */
export function reconcile(
  batch: Batch,
  { resolved, unread }: { resolved: readonly Resolved[]; unread: readonly string[] },
): Problem[] {
  const published = resolved.filter(({ record }) => record.status === 'published');
  const slugs = new Set([...unread, ...published.map(({ record }) => record.slug)]);
  const problems = [...batch.fold.articles.values()]
    .filter(({ current }) => !slugs.has(current.entry.body.id))
    .map(
      ({ current }) =>
        new Problem('article.vanished', 'it is recorded, and content no longer publishes it', {
          at: `content/articles/${current.entry.body.id}`,
          mend: 'Restore the folder and its status: what was published stays readable. Retract its claims instead.',
        }),
    );
  const claimed = Map.groupBy(
    [...batch.fold.claims.values()].map(({ current }) => current),
    ({ entry }) => entry.article,
  );
  for (const one of published) {
    if (one.problems.length > 0) continue;
    try {
      problems.push(...new Reconciler(batch, one).run(claimed.get(one.record.slug) ?? []));
    } catch (cause) {
      if (!(cause instanceof Refused)) throw cause;
      problems.push(
        new Problem('record.refused', cause.message, {
          at: one.parsed.folder,
          mend: 'Mend what the message names; the ledger was left alone.',
          cause,
        }),
      );
    }
  }
  return problems;
}

class Reconciler {
  readonly #batch: Batch;
  readonly #one: Resolved;
  readonly #slug: string;
  readonly #figures: ReadonlyMap<string, FigureRecord>;

  constructor(batch: Batch, one: Resolved) {
    this.#batch = batch;
    this.#one = one;
    this.#slug = one.record.slug;
    this.#figures = new Map(one.record.figures.map((figure) => [figure.id, figure]));
  }

  run(recorded: readonly Recorded<'claim.put'>[]): Problem[] {
    const { parsed, record } = this.#one;
    const { fold } = this.#batch;
    for (const source of parsed.sources) {
      const { quote_status, ...rest } = source;
      const body = { ...rest, quote_status } satisfies Omit<SourceBody, 'replaces'>;
      const current = fold.sources.get(postKey(this.#slug, source.id))?.current;
      this.#put(current, body, (replaces) => ({
        type: 'source.put',
        article: this.#slug,
        body: { ...body, replaces },
      }));
    }
    const problems = record.claims.flatMap((claim) => this.#claim(claim));
    const kept = new Set(record.claims.map(({ id }) => id));
    for (const { leaf, seq, entry } of recorded) {
      const { id } = entry.body;
      if (kept.has(id) || fold.retracted.has(postKey(this.#slug, id))) continue;
      const retracted = parsed.claims.find((claim) => claim.id === id)?.retracted;
      if (retracted === undefined) {
        problems.push(
          new Problem('claim.vanished', `claim ${id} is recorded (#${seq}) and gone from here`, {
            at: `${parsed.folder}/claims.yaml`,
            mend: 'Put it back, and if it no longer holds give it retracted: {reason, note}.',
          }),
        );
      } else {
        this.#batch.add({
          type: 'claim.retract',
          article: this.#slug,
          body: { id, claim: leaf, reason: retracted.reason, note: retracted.note },
        });
      }
    }
    // An article can't name what is in doubt; its own turn comes when the claims are settled.
    return problems.length > 0 ? problems : this.#article();
  }

  #claim(claim: ArticleRecord['claims'][number]): Problem[] {
    const { fold } = this.#batch;
    const key = postKey(this.#slug, claim.id);
    const current = fold.claims.get(key)?.current;
    const { parsed } = this.#one;
    const at = parsed.claims.findIndex(({ id }) => id === claim.id);
    const changed = parsed.claims[at]?.changed;
    const why = changed?.from === current?.seq ? changed?.why : undefined;
    const shifts = current === undefined ? [] : reassessed(current.entry.body, claim);
    if (shifts.length > 0 && why === undefined) {
      return [
        new Problem('claim.reassessed', `claim ${claim.id} goes from ${shifts.join(', ')}`, {
          at: parsed.at.claims(at, 'tier'),
          mend: `Say why: changed: { from: ${current?.seq}, why: … }.`,
        }),
      ];
    }
    const body: Omit<ClaimBody, 'replaces' | 'change'> = {
      id: claim.id,
      text: claim.text,
      slots: this.#slots(claim.parts.flatMap((part) => ('figure' in part ? [part.figure] : []))),
      tier: claim.tier,
      status: claim.status,
      sources: this.#sources(claim.sources),
      section: claim.section,
      claimed_by: claim.claimedBy,
      why: claim.why,
      rationale: claim.rationale,
      tokens: null,
      cost: null,
    };
    const change = why === undefined ? {} : { change: why };
    this.#put(
      current,
      body,
      (replaces) => ({
        type: 'claim.put',
        article: this.#slug,
        body: { ...body, ...change, replaces },
      }),
      fold.retracted.has(key),
    );
    return [];
  }

  #article(): Problem[] {
    const { parsed, record } = this.#one;
    const { fold } = this.#batch;
    const files = KEPT.flatMap((name) => {
      const file = parsed.files[name];
      return file === undefined ? [] : [{ name, file }];
    });
    const secret = files.find(({ file }) => fold.redacted.has(file.sha256));
    if (secret !== undefined) {
      return [
        new Problem('article.redacted', 'it is byte for byte what was redacted from the ledger', {
          at: `${parsed.folder}/${secret.name}`,
          mend: 'Take out what must not be shown, then record it.',
        }),
      ];
    }
    const body: Omit<ArticleBody, 'replaces'> = {
      id: this.#slug,
      title: record.title,
      summary: record.summary,
      tags: record.tags,
      files: Object.fromEntries(
        files.map(({ name, file }) => [name, { sha256: file.sha256, bytes: file.bytes.length }]),
      ),
      claims: record.claims.map(({ id }) => ({
        id,
        leaf: fold.claims.get(postKey(this.#slug, id))!.current.leaf,
      })),
      sources: this.#sources(record.sources.map(({ id }) => id)),
      ...shownOf(this.#slots(record.figures.map(({ id }) => id))),
    };
    const current = fold.articles.get(postKey(this.#slug, this.#slug))?.current;
    this.#put(current, body, (replaces) => {
      for (const { file } of files) this.#batch.blob(file.bytes);
      return { type: 'article.put', article: this.#slug, body: { ...body, replaces } };
    });
    return [];
  }

  /** Adds the draft unless what stands says the same. */
  #put(
    current: { leaf: string; entry: { body: { replaces: string | null } } } | undefined,
    body: object,
    draft: (replaces: string | null) => Draft,
    again = false,
  ): void {
    if (current !== undefined && !again) {
      // Why it changed is said of a change, and is none by itself.
      const { replaces: _, ...standing }: Record<string, unknown> = current.entry.body;
      delete standing['change'];
      if (isDeepStrictEqual(standing, body)) return;
    }
    this.#batch.add(draft(current?.leaf ?? null));
  }

  #sources(ids: readonly string[]): Ref[] {
    return ids.map((id) => ({
      id,
      leaf: this.#batch.fold.sources.get(postKey(this.#slug, id))!.current.leaf,
    }));
  }

  #slots(ids: readonly string[]): Record<string, Slot> {
    return Object.fromEntries(
      ids.map((id) => {
        const { decimal, unit, method, inputs } = this.#figures.get(id)!;
        return [
          id,
          { value: decimal, unit, method, inputs: pin(this.#batch.fold, this.#slug, inputs) },
        ];
      }),
    );
  }
}

/** In what a claim is judged otherwise than before: `tier system to human`. */
function reassessed(
  was: Pick<ClaimBody, 'tier' | 'status'>,
  now: Pick<ClaimBody, 'tier' | 'status'>,
): string[] {
  const [before, after] = [was, now].map(({ status }) => [...status].sort().join('+'));
  return [
    ...(was.tier === now.tier ? [] : [`tier ${was.tier} to ${now.tier}`]),
    ...(before === after ? [] : [`status ${before} to ${after}`]),
  ];
}

/** Inputs with every source's stand-in replaced by the leaf that it has now. */
function pin(fold: Fold, slug: string, inputs: readonly string[]): string[] {
  return inputs.map((input) => {
    if (!input.startsWith(sourceInput(''))) return input;
    const id = input.slice(sourceInput('').length);
    return fold.sources.get(postKey(slug, id))?.current.leaf ?? input;
  });
}

/**
 * The record as readers get it: receipts from the ledger as it stands, inputs pinned, and in words
 * what the batch would still add. What is only in the batch has no receipt.
 */
export function settle(one: Resolved, batch: Batch, standing: Fold): ArticleRecord {
  const { record } = one;
  const { slug } = record;
  const receipt = (current: Receipt | undefined): Receipt | null =>
    current === undefined || current.seq >= standing.size
      ? null
      : { seq: current.seq, leaf: current.leaf, ts: current.ts };
  const article = standing.articles.get(postKey(slug, slug));
  return {
    ...record,
    figures: record.figures.map((figure) => ({
      ...figure,
      inputs: pin(batch.fold, slug, figure.inputs),
    })),
    claims: record.claims.map((claim) => ({
      ...claim,
      receipt: receipt(batch.fold.claims.get(postKey(slug, claim.id))?.current),
    })),
    sources: record.sources.map((source) => ({
      ...source,
      receipt: receipt(batch.fold.sources.get(postKey(slug, source.id))?.current),
    })),
    receipt: receipt(batch.fold.articles.get(postKey(slug, slug))?.current),
    revisions: article?.revisions ?? 0,
    unrecorded: batch.recorded
      .filter(({ entry }) => entry.article === slug)
      .map((recorded) => describe(recorded, standing)),
  };
}

/** An added entry in words: `claim.put c3 supersedes #12`. `before` is the ledger without it. */
export function describe({ entry }: Recorded, before: Fold): string {
  const { type, body } = entry;
  if (type === 'capture.add') return `${type} ${captureName(body)}`;
  if (type === 'blob.redact') return `${type} ${body.sha256}`;
  if (type === 'key.put') return `${type} ${body.vkey}`;
  if (type === 'objection.receive') return `${type} ${body.id} about ${entry.article}`;
  if (type === 'objection.resolve') return `${type} ${body.id}: ${body.outcome}`;
  if (type === 'erase') return `${type} ${body.id}`;
  const key = postKey(entry.article, body.id);
  if (type === 'claim.retract') {
    return `${type} ${body.id} withdraws #${before.claims.get(key)?.current.seq} (${body.reason})`;
  }
  const puts = {
    'source.put': before.sources,
    'claim.put': before.claims,
    'article.put': before.articles,
    'import.legacy': before.legacy,
  };
  const was = puts[type].get(key)?.current;
  if (was === undefined) return `${type} ${body.id} is new`;
  const shifts =
    type === 'claim.put' ? reassessed(before.claims.get(key)!.current.entry.body, body) : [];
  const why = type === 'claim.put' && body.change !== undefined ? `: ${body.change}` : '';
  const told = shifts.length > 0 ? ` (${shifts.join(', ')})` : '';
  return `${type} ${body.id} supersedes #${was.seq}${told}${why}`;
}
