/** What our own ledger holds, weighed. A site that is made from this one has its own, and goes without. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { openLedger } from '../../src/disk/ledger.ts';
import { captureKey } from '../../src/ledger/fold.ts';
import { o200k } from '../../src/measure/o200k.ts';
import { parsePayload } from '../../src/measure/payload.ts';
import { slim } from '../../src/measure/slim.ts';
import type { Tokenizer } from '../../src/measure/tokens.ts';
import { weigh } from '../../src/measure/weigh.ts';
import { loadTokenizer } from '../../src/packages/tokenizer.ts';
import { unlessOffline } from '../offline.ts';

const root = join(import.meta.dirname, '../..');
const options = { cacheDir: join(root, '.cache/npm') };
const ledger = openLedger(join(root, 'ledger'));

/** The tools that the ledger holds of this exact version. */
function recorded(server: string, version: string) {
  const captured = ledger.fold.captures.get(captureKey(server, version))?.captured;
  const blob = captured?.entry.body.blob ?? assert.fail(`${server}@${version} is not captured`);
  return parsePayload(ledger.blob(blob.sha256));
}
const weighed = (server: string, version: string, tokenizer: Tokenizer) =>
  weigh(recorded(server, version), { shape: 'anthropic', server, tokenizer });

test('comes to the published o200k_base counts of Notion and GitHub', async () => {
  const tokenizer = await loadTokenizer('o200k_base', options);
  assert.equal(weighed('notion', '2.5.2', tokenizer).tokens.total, 17_307);
  assert.equal(weighed('github', '2025.4.8', tokenizer).tokens.total, 3_678);
});

test('comes to the published Qwen3 counts of Notion and GitHub, repeated $defs included', async (t) => {
  const qwen3 = await unlessOffline(t, () => loadTokenizer('qwen3', options));
  if (qwen3 === null) return;
  const notion = weighed('notion', '2.5.2', qwen3);
  const { names, copies, redundantBytes, schemaBytes, schemaTokens, schemaTokensWithout } =
    notion.duplicates.defs;
  assert.deepEqual([notion.tools, notion.tokens.total], [24, 16_772]);
  assert.deepEqual([names.length, copies, redundantBytes], [9, 24, 48_530]);
  assert.equal(((100 * redundantBytes) / schemaBytes).toFixed(1), '68.1');
  assert.deepEqual([schemaTokens, schemaTokensWithout], [15_780, 3_516]);
  const github = weighed('github', '2025.4.8', qwen3);
  assert.deepEqual([github.tools, github.tokens.total], [26, 3_562]);

  // As the vocabulary's own library encodes them.
  assert.deepEqual(qwen3.encode('Hello, world'), [9707, 11, 1879]);
  assert.deepEqual(qwen3.encode('e\u0301'), qwen3.encode('é'));
});

/** Every reference replaced by what it refers to: what a validator sees. */
function expand(schema: unknown, root = schema, depth = 0): unknown {
  if (depth > 40 || typeof schema !== 'object' || schema === null) return schema;
  if (Array.isArray(schema)) return schema.map((one) => expand(one, root, depth + 1));
  const { $ref, $defs: _, ...rest } = schema as Record<string, unknown>;
  if (typeof $ref === 'string' && $ref.startsWith('#/')) {
    const path = $ref.slice(2).split('/');
    const target = path.reduce<unknown>((at, key) => Object(at)[key], root);
    return expand(target, root, depth + 1);
  }
  return Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [key, expand(value, root, depth + 1)]),
  );
}

test('cuts Notion to less than a third, by dropping what it never uses', () => {
  const tokenizer = o200k();
  const tools = recorded('notion', '2.5.2');
  const tokens = (list: typeof tools) =>
    weigh(list, { shape: 'anthropic', server: 'notion', tokenizer }).tokens.total;
  const pruned = slim(tools, { tokenizer, hoist: false });
  assert.deepEqual([tokens(tools), pruned.dropped, tokens(pruned.tools)], [17_307, 204, 5_096]);
  const { tools: least, newlyReferring } = slim(tools, { tokenizer });
  assert.deepEqual([tokens(least), newlyReferring], [5_061, []]);
  for (const [i, { inputSchema }] of least.entries()) {
    assert.deepEqual(expand(inputSchema), expand(tools[i]?.inputSchema));
  }
});
