/**
 * Rows of Cloudflare's AI Gateway, as its logs endpoint lists them. Pure. It must never take an
 * operator's metadata further than one number that is called `tools`.
 */
import { fields, list } from '../wire/json.ts';
import { costOf, countOf, idOf, including, modelOf, type Read, saidOf, timeOf } from './row.ts';

/** One page: `{success, result: […], result_info}`. Null for anything that is none. */
export function readPage(value: unknown): readonly unknown[] | null {
  const { success, result } = fields(value);
  return success === true && Array.isArray(result) ? list(result) : null;
}

/** What the API says went wrong: `{success: false, errors: [{code, message}]}`. */
export function readErrors(value: unknown): string | null {
  const said = list(fields(value)['errors']).flatMap((error) => {
    const { code, message } = fields(error);
    const text = typeof message === 'string' ? message : '';
    return typeof code === 'number' ? [`${text} (${code})`.trim()] : text === '' ? [] : [text];
  });
  return said.length === 0 ? null : said.join('; ');
}

/** Whether it has the members that every row has; so that a file of such rows is known. */
export function isRow(value: unknown): boolean {
  const row = fields(value);
  return 'tokens_in' in row && 'tokens_out' in row && 'provider' in row && 'cached' in row;
}

export function readRow(value: unknown): Read {
  const row = fields(value);
  if (!('tokens_in' in row)) return { unread: 'it has no tokens_in' };
  const usage = fields(row['usage_metadata']);
  const cached = countOf(usage['input_cached_tokens']);
  const tools = countOf(metadataOf(row['metadata'])['tools']);
  return {
    row: {
      id: idOf(row['id']),
      at: timeOf(row['created_at']),
      model: modelOf(row['model']),
      answered: row['cached'] === true ? 'cache' : row['success'] === false ? 'error' : 'model',
      input_total: including(countOf(row['tokens_in']), cached),
      input_cached: cached,
      cache_write: null,
      output: countOf(row['tokens_out']),
      cost: costOf(row['cost']),
      tools: tools === null ? null : { count: tools, deferred: null, bytes: null },
      convention: 'cloudflare/log',
      said: {
        ...saidOf(row, ['tokens_in', 'tokens_out', 'cost']),
        ...saidOf(usage, ['input_cached_tokens']),
      },
    },
  };
}

/** Documented as a string of JSON, and seen as an object. */
function metadataOf(value: unknown): ReturnType<typeof fields> {
  if (typeof value !== 'string') return fields(value);
  try {
    return fields(JSON.parse(value));
  } catch {
    return {};
  }
}
