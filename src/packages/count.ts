/**
 * Counts the servers' current definitions with tokenizers that no build can use, and turns that into
 * entries. It must never count another payload than one that the ledger holds or is about to.
 */

import type { Batch } from '../ledger/batch.ts';
import { canonical } from '../ledger/canonical.ts';
import type { CountBody } from '../ledger/entry.ts';
import type { Tally } from '../measure/counts.ts';
import type { Tool } from '../measure/figure.ts';
import { serialise, shapeTools } from '../measure/shape.ts';
import { tokensMethod } from '../measure/weigh.ts';
import { Problem } from '../problem.ts';
import { type ChatTemplate, countRendered, loadTemplate, TEMPLATES } from './chat-template.ts';
import { ownDependency } from './dependency.ts';
import { loadTokenizer, type TokenizerOptions, vocabularyPackage } from './tokenizer.ts';

/** A captured list of tools, and the SHA-256 of the payload that it was read from. */
export interface Catalogue {
  server: string;
  sha256: string;
  tools: readonly Tool[];
}

/** Whether it is `unchanged`, and where its blob is, only the ledger can tell. */
export interface Count {
  body: Omit<CountBody, 'outcome' | 'blob' | 'unchanged_from'>;
  tally: Tally;
}

/**
 * Counts as `weigh` does, in Anthropic's shape, and through the chat template where there is one that
 * takes tools. Throws Problem `tokenizer.*`, `template.*` or `package.*`.
 */
async function countCatalogues(
  name: string,
  catalogues: readonly Catalogue[],
  { run, ...options }: TokenizerOptions & { run: string },
): Promise<Count> {
  const tokenizer = await loadTokenizer(name, options);
  const template = TEMPLATES.some((one) => one === name) ? await loadTemplate(name, options) : null;
  const whole = template && countRendered(template, catalogues);
  const servers = catalogues.map(
    ({ server, sha256, tools }): [string, Tally['servers'][string]] => {
      const sent = shapeTools(tools, 'anthropic', server).map((tool) => tool.sent);
      const tokens = tokenizer.count(serialise(sent));
      return [server, { payload: sha256, tokens, ...rendered(template, { server, tools }) }];
    },
  );
  const jinja = await ownDependency('@huggingface/jinja');
  return {
    body: {
      kind: 'count',
      tokenizer: name,
      package: await vocabularyPackage(name, options),
      run,
      method: tokensMethod({ shape: 'anthropic', tokenizer: name }),
      rendered: whole?.method ?? null,
      recipe: { node: process.version, renderer: whole && `${jinja.name}@${jinja.version}` },
    },
    tally: {
      servers: Object.fromEntries(servers),
      ...(whole && { rendered: { all: whole.prompt_tokens, empty: whole.empty_tokens } }),
    },
  };
}

function rendered(template: ChatTemplate | null, catalogue: Omit<Catalogue, 'sha256'>) {
  return template && { rendered: countRendered(template, [catalogue]).prompt_tokens };
}

/**
 * Counts with one tokenizer after the other. What keeps one from counting, such as no network, is
 * told and keeps none of the others. Throws Problem `probe.aborted` once the signal fires.
 */
export async function countCurrent(
  tokenizers: readonly string[],
  catalogues: readonly Catalogue[],
  {
    onCount,
    ...options
  }: TokenizerOptions & { run: string; onCount?: (name: string, says: string) => void },
): Promise<{ counts: Count[]; problems: Problem[] }> {
  const counts: Count[] = [];
  const problems: Problem[] = [];
  for (const name of tokenizers) {
    if (options.signal?.aborted) break;
    try {
      const log = () => onCount?.(name, 'installing');
      const count = await countCatalogues(name, catalogues, { ...options, log });
      counts.push(count);
      const { servers, rendered } = count.tally;
      const tokens = Object.values(servers).reduce((sum, one) => sum + one.tokens, 0);
      onCount?.(name, `${tokens} tokens${rendered ? `, ${rendered.all} once rendered` : ''}`);
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem;
      problems.push(problem);
      onCount?.(name, `no count: ${problem.message} [${problem.code}]`);
    }
  }
  if (options.signal?.aborted) throw new Problem('probe.aborted', 'interrupted: nothing is kept');
  return { counts, problems };
}

/**
 * Adds one `capture.add` for each count, in the order given: counts that the ledger's latest has
 * already, by the same vocabulary and method, are `unchanged`. Returns the bodies as added.
 */
export function recordCounts(batch: Batch, counts: readonly Count[]): CountBody[] {
  return counts.map(({ body, tally }) => {
    const blob = batch.blob(new TextEncoder().encode(`${canonical(tally)}\n`));
    const was = batch.fold.counts.get(body.tokenizer)?.captured;
    const old = was?.entry.body;
    const same =
      old !== undefined &&
      old.blob.sha256 === blob.sha256 &&
      canonical(old.package) === canonical(body.package) &&
      canonical([old.method, old.rendered]) === canonical([body.method, body.rendered]);
    const added: CountBody =
      same && was
        ? { ...body, outcome: 'unchanged', blob, unchanged_from: was.leaf }
        : { ...body, outcome: 'captured', blob, unchanged_from: null };
    batch.add({ type: 'capture.add', article: null, body: added });
    return added;
  });
}
