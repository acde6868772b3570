/**
 * A writer in a process of its own: `node writer.ts DIR NAME COUNT BYTES`. It appends COUNT captures
 * of a server called NAME, each with a payload of BYTES bytes, one append each, and prints the leaf
 * of each once it is acknowledged, or what went wrong.
 */
import { append } from '../../src/disk/append.ts';
import { Problem } from '../../src/problem.ts';
import { capture, STAMP } from '../ledger/drafts.ts';

const [dir = '', name = '', count = '', bytes = '0'] = process.argv.slice(2);
try {
  for (let i = 0; i < Number(count); i++) {
    const [added] = await append(
      dir,
      STAMP,
      (batch) => {
        const text = `${JSON.stringify({ name, i, pad: 'x'.repeat(Number(bytes)) })}\n`;
        batch.add(capture({ server: name, blob: batch.blob(new TextEncoder().encode(text)) }));
      },
      { waitMs: 120_000 },
    );
    process.stdout.write(`${added?.leaf}\n`);
  }
} catch (error) {
  if (!(error instanceof Problem)) throw error;
  process.stdout.write(`${error.code}\n`);
  process.exitCode = 1;
}
