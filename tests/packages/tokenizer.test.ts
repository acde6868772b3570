import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { openLedger } from '../../src/disk/ledger.ts';
import { captureKey } from '../../src/ledger/fold.ts';
import { parsePayload } from '../../src/measure/payload.ts';
import type { Tokenizer } from '../../src/measure/tokens.ts';
import { weigh } from '../../src/measure/weigh.ts';
import { loadTokenizer } from '../../src/packages/tokenizer.ts';
import { Problem } from '../../src/problem.ts';

const root = join(import.meta.dirname, '../..');
const options = { cacheDir: join(root, '.cache/npm') };

/** The payload that the ledger holds of this exact version, weighed. */
function recorded(server: string, version: string, tokenizer: Tokenizer) {
  const ledger = openLedger(join(root, 'ledger'));
  const captured = ledger.fold.captures.get(captureKey(server, version))?.captured;
  const blob = captured?.entry.body.blob ?? assert.fail(`${server}@${version} is not captured`);
  const tools = parsePayload(ledger.blob(blob.sha256));
  return weigh(tools, { shape: 'anthropic', server, tokenizer });
}

test('comes to the published o200k_base counts of Notion and GitHub', async () => {
  const tokenizer = await loadTokenizer('o200k_base', options);
  assert.equal(recorded('notion', '2.5.2', tokenizer).tokens.total, 17_307);
  assert.equal(recorded('github', '2025.4.8', tokenizer).tokens.total, 3_678);
});

test('comes to the published Qwen3 counts of Notion and GitHub, repeated $defs included', async (t) => {
  let qwen3: Tokenizer;
  try {
    qwen3 = await loadTokenizer('qwen3', options);
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'package.offline') throw error;
    t.diagnostic('not run: the vocabulary is neither cached nor to be had without a network');
    const { WEIGHBRIDGE_OFFLINE } = process.env;
    assert.equal(WEIGHBRIDGE_OFFLINE, '1', 'not run: give --offline to let this pass');
    return;
  }
  const notion = recorded('notion', '2.5.2', qwen3);
  const { names, copies, redundantBytes, schemaBytes, schemaTokens, schemaTokensWithout } =
    notion.duplicates.defs;
  assert.deepEqual([notion.tools, notion.tokens.total], [24, 16_772]);
  assert.deepEqual([names.length, copies, redundantBytes], [9, 24, 48_530]);
  assert.equal(((100 * redundantBytes) / schemaBytes).toFixed(1), '68.1');
  assert.deepEqual([schemaTokens, schemaTokensWithout], [15_780, 3_516]);
  const github = recorded('github', '2025.4.8', qwen3);
  assert.deepEqual([github.tools, github.tokens.total], [26, 3_562]);

  // As the vocabulary's own library encodes them.
  assert.deepEqual(qwen3.encode('Hello, world'), [9707, 11, 1879]);
  assert.deepEqual(qwen3.encode('e\u0301'), qwen3.encode('é'));
});

test('refuses a tokenizer that it does not know and names those it does', async () => {
  await assert.rejects(loadTokenizer('gpt', options), {
    code: 'tokenizer.unknown',
    mend: /o200k_base, cl100k_base, qwen3/,
  });
});
