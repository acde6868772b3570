/**
 * Renders tools through a model's own chat template, as a local runtime does, and counts what the
 * model reads. It must never use another template than the one in the pinned tokenizer package.
 */
import { Template } from '@huggingface/jinja';
import { z } from 'zod';
import type { Tool } from '../measure/figure.ts';
import { shapeTools } from '../measure/shape.ts';
import { createTokenizer } from '../measure/tokens.ts';
import { Problem } from '../problem.ts';
import { modelFiles, readVocabulary, type TokenizerOptions } from './tokenizer.ts';

/**
 * Those of our tokenizer packages whose template takes tools. In 3.7.2 that of gemma3 and of llama3
 * passes over them, and deepseek_v3's takes none either: what their runtimes do is not in a template.
 */
export const TEMPLATES = ['qwen3'] as const;

/** What a model is given before anything is asked: one empty message, with and without the tools. */
export interface Rendered {
  /** `qwen3` */
  template: string;
  /** `tokens/qwen3/chat-template@1` */
  method: string;
  /** Of the whole prompt with the tools, special tokens included. */
  prompt_tokens: number;
  /** Of the same prompt without them. */
  empty_tokens: number;
}

export interface ChatTemplate {
  name: string;
  /** The prompt as text. Tools are given as `{type: "function", function: {…}}`, as templates expect. */
  render(tools: readonly Record<string, unknown>[]): string;
  /** Counts a prompt: here, special tokens are special. */
  count(prompt: string): number;
}

const Config = z.looseObject({
  chat_template: z.string(),
  bos_token: z.string().nullish(),
  eos_token: z.string().nullish(),
});

/** Throws Problem `template.*`, `tokenizer.*` or `package.*`. */
export async function loadTemplate(name: string, options: TokenizerOptions): Promise<ChatTemplate> {
  if (!TEMPLATES.some((one) => one === name)) {
    throw new Problem('template.unknown', `no chat template that takes tools is called ${name}`, {
      mend: `There are: ${TEMPLATES.join(', ')}.`,
    });
  }
  const files = await modelFiles(name, options);
  const { vocabulary, special } = readVocabulary(files);
  const config = Config.safeParse(files.config);
  if (!config.success) {
    throw new Problem('template.missing', 'it comes without a chat template', {
      at: files.package,
      mend: 'Report it: the package is pinned, so this should not happen.',
      cause: config.error,
    });
  }
  const { chat_template, bos_token, eos_token } = config.data;
  const template = new Template(chat_template);
  const whole = new Map([...(vocabulary.whole ?? []), ...special]);
  const { count } = createTokenizer({ ...vocabulary, whole }, name);
  const render: ChatTemplate['render'] = (tools) =>
    template.render({
      messages: [{ role: 'user', content: '' }],
      // Templates ask whether there are any; an empty list is none.
      tools: tools.length === 0 ? null : tools,
      add_generation_prompt: true,
      bos_token: bos_token ?? '',
      eos_token: eos_token ?? '',
    });
  return { name, render, count };
}

/** The prompt that begins every conversation with `tools`, in tokens. */
export function countRendered(
  { name, render, count }: ChatTemplate,
  tools: readonly { server: string; tools: readonly Tool[] }[],
): Rendered {
  const sent = tools.flatMap((one) =>
    shapeTools(one.tools, 'openai', one.server).map((tool) => tool.sent),
  );
  return {
    template: name,
    method: `tokens/${name}/chat-template@1`,
    prompt_tokens: count(render(sent)),
    empty_tokens: count(render([])),
  };
}
