/** Reads a file whole, and says which one it was that could not be read: Node's own error often does not. */
import { readFileSync } from 'node:fs';
import { Problem } from '../problem.ts';

/** What the system said of a path, as one of our problems. */
export const unreadable = (at: string, cause: unknown): Problem =>
  new Problem('file.unreadable', `can't be read: ${(cause as Error).message}`, {
    at,
    mend: 'See what stands there, and who may read it.',
    cause,
  });

/** Throws Problem `file.unreadable`. */
export function readWhole(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw unreadable(path, cause);
  }
}
