/** Reads a file that the command line names. */
import { readFile, stat } from 'node:fs/promises';
import { Problem, refused } from '../problem.ts';

/** Where a shell puts what is handed over open: whoever writes there is there already. */
const OPEN = /^\/(?:dev\/(?:fd\/|stdin$)|proc\/self\/fd\/)/;

/**
 * Its bytes; `named` is how it was named. A pipe that has a name is refused, for where nobody writes
 * into it nothing could end the waiting; so is a device, which may never end. Throws Problem `code`.
 */
export async function readNamed(path: string, named: string, code: string): Promise<Buffer> {
  try {
    const found = await stat(path);
    if (found.isFile() || found.isDirectory() || OPEN.test(path)) return await readFile(path);
  } catch (cause) {
    throw refused(code, cause, named);
  }
  throw new Problem(code, 'it is a pipe or a device', {
    at: named,
    mend: 'Give a file, or /dev/stdin.',
  });
}
