/** What tokens cost in a model's key-value cache. Arithmetic only: never a timing, never a guess. */

export interface CacheLayout {
  /** Layers with full attention; the others of a hybrid keep no cache that grows. */
  attentionLayers: number;
  kvHeads: number;
  headDim: number;
  /** Of one number: 2 for 16-bit floats. */
  bytesPerNumber: number;
  /** Tokens that are reserved at a time. */
  stepTokens: number;
}

/** Bytes of one token: a key and a value for each head of each attention layer. */
export function bytesPerToken(layout: CacheLayout): number {
  const { attentionLayers, kvHeads, headDim, bytesPerNumber } = layout;
  return attentionLayers * kvHeads * headDim * 2 * bytesPerNumber;
}

/** Bytes reserved for `tokens`, in whole steps. */
export function reservedBytes(tokens: number, layout: CacheLayout): number {
  return Math.ceil(tokens / layout.stepTokens) * layout.stepTokens * bytesPerToken(layout);
}

/** Models whose layout has been published, each with where. */
export const LAYOUTS: Readonly<Record<string, { layout: CacheLayout; source: string }>> = {
  'qwen3.8-27b': {
    layout: { attentionLayers: 16, kvHeads: 4, headDim: 256, bytesPerNumber: 2, stepTokens: 256 },
    source: 'leanzero.net, “What 145 MCP Tools Cost Before the Model Reads Your Question” (mlx-lm)',
  },
};

/** The keys of a written layout: all but `step` must be given. */
const KEYS = {
  layers: 'attentionLayers',
  heads: 'kvHeads',
  dim: 'headDim',
  bytes: 'bytesPerNumber',
  step: 'stepTokens',
} as const satisfies Record<string, keyof CacheLayout>;

/**
 * A layout as it is written on a command line: `layers=16,heads=4,dim=256,bytes=2`, with `step=256`
 * where tokens are reserved in steps, or the name of one in LAYOUTS. Throws RangeError, saying why.
 */
export function parseLayout(text: string): { layout: CacheLayout; source: string | null } {
  const known = Object.hasOwn(LAYOUTS, text) ? LAYOUTS[text] : undefined;
  if (known !== undefined) return known;
  const given = new Map(
    text.split(',').map((part) => {
      const [key = '', value = ''] = part.split('=', 2);
      if (!Object.hasOwn(KEYS, key)) {
        const models = Object.keys(LAYOUTS).join(', ');
        throw new RangeError(`${key} is none of ${Object.keys(KEYS).join(', ')}, nor ${models}`);
      }
      if (!/^\d{1,6}(?:\.\d{1,3})?$/.test(value) || Number(value) === 0) {
        throw new RangeError(`${key} is a number above 0`);
      }
      return [key, Number(value)];
    }),
  );
  const value = (key: keyof typeof KEYS, otherwise?: number) => {
    const found = given.get(key) ?? otherwise;
    if (found === undefined) throw new RangeError(`${key} is missing`);
    return found;
  };
  return {
    layout: {
      attentionLayers: value('layers'),
      kvHeads: value('heads'),
      headDim: value('dim'),
      bytesPerNumber: value('bytes'),
      stepTokens: value('step', 1),
    },
    source: null,
  };
}
