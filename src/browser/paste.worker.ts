/**
 * The worker behind `/weigh/`: reads and counts what a reader gave. It asks this site for its own code
 * and vocabulary alone, keeps nothing, and answers once.
 */
import { z } from 'zod';
import type { Shape } from '../measure/shape.ts';
import type { Tokenizer } from '../measure/tokens.ts';
import { type Pasted, weighPasted } from './pasted.ts';

export interface PasteRequest {
  from: string | Blob;
  server: string;
  shape: Shape;
}
/** `progress`: 0 to 1, or null while it can't be known. */
export type PasteAnswer = { progress: number | null; says: string } | { result: Pasted };

// It would try to make code from text otherwise, which the page's policy forbids and reports.
z.config({ jitless: true });

const answer = (said: PasteAnswer) => self.postMessage(said);

/** Milliseconds between two words about progress. */
const PACE = 100;
/** How often all of a list is counted, more or less: whole, tool by tool, part by part, slimmed. */
const PASSES = 6;

/** Counts as `tokenizer` does, and tells how much of about `whole` characters it has counted. */
function telling(tokenizer: Tokenizer, whole: number): Tokenizer {
  let [done, told] = [0, 0];
  return {
    ...tokenizer,
    count(text) {
      const tokens = tokenizer.count(text);
      done += text.length;
      if (performance.now() - told > PACE) {
        told = performance.now();
        answer({ progress: Math.min(0.99, done / (PASSES * whole)), says: 'counting …' });
      }
      return tokens;
    },
  };
}

self.onmessage = async ({ data }: MessageEvent<PasteRequest>) => {
  const { from, server, shape } = data;
  try {
    answer({ progress: null, says: 'reading …' });
    const text = typeof from === 'string' ? from : await from.text();
    answer({ progress: null, says: 'loading the vocabulary …' });
    const { o200k } = await import('../measure/o200k.ts');
    const tokenizer = telling(o200k(), text.length);
    answer({ progress: null, says: 'looking for repeats …' });
    answer({ result: weighPasted(text, { server, shape, tokenizer }) });
  } catch (error) {
    answer({ result: { kind: 'fault', message: (error as Error).message, at: null } });
  }
};
self.postMessage('ready');
