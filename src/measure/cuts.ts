/**
 * What of a catalogue to cut first, and what each cut saves. Pure; it must never count a saving that a
 * cut does not make.
 */
import type { Tool } from './figure.ts';
import { type Shape, serialise, shapeTools } from './shape.ts';
import { slim } from './slim.ts';
import type { Tokenizer } from './tokens.ts';
import type { Weight } from './weigh.ts';

export interface Cut {
  /**
   * `unused`: definitions that nothing refers to. `repeats`: what a schema says more than once, said
   * once and referred to. `description`: all of one tool's. `tool`: one whole tool.
   */
  kind: 'unused' | 'repeats' | 'description' | 'tool';
  /** Tokens of the whole list; for `description` and `tool`, of that text alone: the most it can be. */
  saves: number;
  /** Whose it is; for `repeats` the tools that would hold references where they held none. */
  tools: string[];
  /** Definitions that go, or parts that are hoisted; 1 for a tool or a description. */
  parts: number;
}

/** Tools, and descriptions, that are named. */
const NAMED = 3;

/** Per cent of the whole list from which a description is worth a word. */
const WORTH = 1;

/**
 * The cuts of `weight`'s catalogue, those that lose least first: what loses nothing, shorter
 * descriptions that matter, whole tools; in each kind that which saves most.
 */
export function cutsOf(
  tools: readonly Tool[],
  weight: Weight,
  { shape, server, tokenizer }: { shape: Shape; server: string; tokenizer: Tokenizer },
): Cut[] {
  const count = (of: readonly Tool[]) =>
    tokenizer.count(serialise(shapeTools(of, shape, server).map(({ sent }) => sent)));
  const pruned = slim(tools, { tokenizer, hoist: false });
  const slimmed = slim(tools, { tokenizer });
  const whole = weight.tokens.total;
  const afterPruning = pruned.dropped === 0 ? whole : count(pruned.tools);
  const after = slimmed.hoisted === 0 ? afterPruning : count(slimmed.tools);
  const lossless: Cut[] = [
    { kind: 'unused', saves: whole - afterPruning, tools: [], parts: pruned.dropped },
    {
      kind: 'repeats',
      saves: afterPruning - after,
      tools: slimmed.newlyReferring,
      parts: slimmed.hoisted,
    },
  ];
  const largest = weight.perTool.slice(0, NAMED).map(({ name, total }): Cut => {
    return { kind: 'tool', saves: total, tools: [name], parts: 1 };
  });
  const longest = weight.perTool
    .toSorted((a, b) => b.description_tokens - a.description_tokens)
    .slice(0, NAMED)
    .filter(({ description_tokens }) => description_tokens * 100 >= WORTH * whole)
    .map(({ name, description_tokens: saves }): Cut => {
      return { kind: 'description', saves, tools: [name], parts: 1 };
    });
  return [...lossless, ...longest, ...largest].filter(({ saves }) => saves > 0);
}
