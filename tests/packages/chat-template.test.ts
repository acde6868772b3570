import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { countRendered, loadTemplate } from '../../src/packages/chat-template.ts';
import { loadTokenizer } from '../../src/packages/tokenizer.ts';
import { unlessOffline } from '../offline.ts';

const options = { cacheDir: join(import.meta.dirname, '../../.cache/npm') };

test('renders tools as the model reads them, and counts special tokens as one each', async (t) => {
  const template = await unlessOffline(t, () => loadTemplate('qwen3', options));
  if (template === null) return;
  const tools = [{ name: 'tare', description: 'Sets "é" to 0', inputSchema: { a: [1, null] } }];
  const prompt = template.render([
    { type: 'function', function: { name: 'x', parameters: { é: '"' } } },
  ]);
  // As Python's json.dumps writes it, which is what the template was made for.
  const line = '{"type": "function", "function": {"name": "x", "parameters": {"é": "\\""}}}';
  assert.ok(prompt.includes(`<tools>\n${line}\n</tools>`), prompt);
  assert.equal(template.count('<|im_start|>'), 1);
  const tokenizer = await unlessOffline(t, () => loadTokenizer('qwen3', options));
  if (tokenizer === null) return;
  assert.ok(tokenizer.count('<|im_start|>') > 1);

  const { method, prompt_tokens, empty_tokens } = countRendered(template, [
    { server: 's', tools },
    { server: 's', tools },
  ]);
  assert.equal(method, 'tokens/qwen3/chat-template@1');
  // <|im_start|>user\n<|im_end|>\n<|im_start|>assistant\n
  assert.equal(empty_tokens, 8);
  const once = countRendered(template, [{ server: 's', tools }]);
  const added = prompt_tokens - once.prompt_tokens;
  assert.ok(added > 30 && added < once.prompt_tokens - empty_tokens);
});

test('names the templates that take tools when asked for another', async () => {
  await assert.rejects(loadTemplate('gemma3', options), {
    code: 'template.unknown',
    mend: 'There are: qwen3.',
  });
});
