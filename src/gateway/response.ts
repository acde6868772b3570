/**
 * The usage of one answer of a model's API, or of what a client printed of one. Pure; the text of the
 * answer is not looked at.
 */
import { fields, list } from '../wire/json.ts';
import { readUsage } from './anthropic.ts';
import { costOf, countOf, idOf, including, modelOf, type Row, saidOf } from './row.ts';

/**
 * A row of an Anthropic message, an OpenAI completion or response, or what `claude -p --output-format
 * json` prints, of which only the cost and the models stand beside the same usage. Null for none of them.
 */
export function readResponse(value: unknown): Row | null {
  const body = fields(value);
  const usage = fields(body['usage']);
  const base = {
    id: idOf(body['id'] ?? body['uuid']),
    at: null,
    answered: 'model',
    cost: costOf(body['total_cost_usd']),
    tools: null,
  } as const;
  const models = Object.keys(fields(body['modelUsage']));
  const model = modelOf(body['model'] ?? (models.length === 1 ? models[0] : null));
  const details = fields(usage['prompt_tokens_details'] ?? usage['input_tokens_details']);
  if ('prompt_tokens' in usage || 'input_tokens_details' in usage) {
    const cached = countOf(details['cached_tokens']);
    const total = countOf(usage['prompt_tokens'] ?? usage['input_tokens']);
    return {
      ...base,
      model,
      input_total: including(total, cached),
      input_cached: cached,
      cache_write: null,
      output: countOf(usage['completion_tokens'] ?? usage['output_tokens']),
      convention: 'openai/usage',
      said: {
        ...saidOf(usage, ['prompt_tokens', 'completion_tokens', 'input_tokens', 'output_tokens']),
        ...saidOf(details, ['cached_tokens']),
      },
    };
  }
  const counts = readUsage(usage);
  return counts && { ...base, model, convention: 'anthropic/usage', ...counts };
}

/** The result line of `claude -p --output-format json`, which newer versions print among others. */
export function resultOf(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  return list(value).findLast((item) => fields(item)['type'] === 'result') ?? value;
}
