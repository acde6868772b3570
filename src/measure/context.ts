/** What part of a model's context window tokens take. */

/** The window that shares are given of where none is named, in tokens. */
export const WINDOW = 200_000;

/** Per cent of `window` (in tokens) that `tokens` fill: over 100 when they do not fit. */
export function windowShare(tokens: number, window: number = WINDOW): number {
  return (100 * tokens) / window;
}
