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
