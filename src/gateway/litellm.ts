/**
 * Rows of a LiteLLM proxy's spend log. Pure. It must never take `cache_hit`, which is of the proxy's
 * own cache of answers, for the provider's prompt cache.
 */
import { fields, list } from '../wire/json.ts';
import { costOf, countOf, idOf, including, modelOf, type Read, saidOf, timeOf } from './row.ts';

/** One page of `/spend/logs/v2`, or the bare array of the older endpoint. Null for what is neither. */
export function readPage(value: unknown): { rows: readonly unknown[]; last: boolean } | null {
  if (Array.isArray(value)) return { rows: list(value), last: true };
  const { data } = fields(value);
  return Array.isArray(data) ? { rows: list(data), last: false } : null;
}

/** What the proxy says went wrong: `{error: {message}}` or `{detail: …}`. */
export function readErrors(value: unknown): string | null {
  const { error, detail } = fields(value);
  const said = fields(error)['message'] ?? fields(detail)['error'] ?? detail ?? error;
  return typeof said === 'string' ? said : null;
}

/** Whether it has the members that every row has. */
export function isRow(value: unknown): boolean {
  const row = fields(value);
  return 'request_id' in row && 'prompt_tokens' in row && 'spend' in row;
}

export function readRow(value: unknown): Read {
  const row = fields(value);
  if (!('prompt_tokens' in row)) {
    return { unread: 'it has no prompt_tokens: a summary by day, perhaps' };
  }
  const metadata = fields(parsed(row['metadata']));
  const usage = fields(metadata['usage_object']);
  const details = fields(usage['prompt_tokens_details']);
  const cached = countOf(usage['cache_read_input_tokens']) ?? countOf(details['cached_tokens']);
  const written = countOf(usage['cache_creation_input_tokens']);
  const status = row['status'] ?? metadata['status'];
  const hit = `${String(row['cache_hit'])}`.toLowerCase() === 'true';
  return {
    row: {
      id: idOf(row['request_id']),
      at: timeOf(row['startTime']),
      model: modelOf(row['model']),
      answered: hit ? 'cache' : status === 'failure' ? 'error' : 'model',
      input_total: including(countOf(row['prompt_tokens']), cached, written),
      input_cached: cached,
      cache_write: written,
      output: countOf(row['completion_tokens']),
      cost: costOf(row['spend']),
      tools: null,
      convention: 'litellm/spend-log',
      said: {
        ...saidOf(row, ['prompt_tokens', 'completion_tokens', 'total_tokens', 'spend']),
        ...saidOf(usage, ['cache_read_input_tokens', 'cache_creation_input_tokens']),
        ...saidOf(details, ['cached_tokens']),
      },
    },
  };
}

/** JSON columns come as values or as text, by the version of the proxy. */
function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return null;
  }
}
