/** Cuts the last line at every `step`th byte, and sees what the verifier and the next append make of it. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { append } from '../../src/disk/append.ts';
import { nodeHash } from '../../src/disk/hash.ts';
import { verifyLedger } from '../../src/disk/ledger.ts';
import { hex } from '../../src/ledger/tree.ts';
import { STAMP, source } from '../ledger/drafts.ts';

export async function tear(dir: string, step: number): Promise<void> {
  const path = join(dir, 'entries', '000.jsonl');
  await append(dir, STAMP, (batch) => void batch.add(source({ title: 'First' })));
  const first = readFileSync(path).length;
  await append(dir, STAMP, (batch) => void batch.add(source({ id: 's2', title: 'Café — 😀' })));
  const both = readFileSync(path);
  // The first cut leaves one byte, the last all but the newline; some fall inside a code point.
  for (let cut = first + 1; cut < both.length; cut += step) {
    writeFileSync(path, both.subarray(0, cut));
    assert.equal(verifyLedger(dir).problems[0]?.code, 'line.torn');
    const [added] = await append(dir, STAMP, (batch) => void batch.add(source({ id: 's3' })));
    assert.equal(added?.seq, 1);
    assert.deepEqual(verifyLedger(dir).problems, [], `cut at byte ${cut}`);
    const torn = both.subarray(first, cut);
    assert.deepEqual(readFileSync(join(dir, '.torn', hex(nodeHash(torn)))), torn);
  }
}
