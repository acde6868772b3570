/** The worker behind "verify the whole ledger": asks this site alone, and tells how far it is. */
import type { Head } from '../ledger/consistency.ts';
import { type ServedVerdict, verifyServed } from '../ledger/served.ts';
import { fetchBytes } from './fetch.ts';

export interface VerifyRequest {
  /** Of the site, with a slash at its end. */
  home: string;
  /** The key that the reader trusts; absent: the site's own. */
  vkey?: string;
  seen?: Head;
}
export type VerifyAnswer =
  | { done: number; of: number | null }
  | { verdict: Omit<ServedVerdict, 'files' | 'checkpoint'> }
  | { failed: string };

self.onmessage = async ({ data: { home, ...given } }: MessageEvent<VerifyRequest>) => {
  const say = (answer: VerifyAnswer) => self.postMessage(answer);
  let told = 0;
  try {
    const {
      files: _,
      checkpoint: __,
      ...verdict
    } = await verifyServed({
      ...given,
      get: (path) => fetchBytes(new URL(`ledger/${path}`, home)),
      progress: (done, of) => {
        const now = performance.now();
        if (now - told < 100) return;
        told = now;
        say({ done, of });
      },
    });
    say({ verdict });
  } catch (error) {
    say({ failed: (error as Error).message });
  }
};
self.postMessage('ready');
