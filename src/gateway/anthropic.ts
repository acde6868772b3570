/** Usage as Anthropic's Messages API reports it, in a response or in a client's record of one. Pure. */
import { fields } from '../wire/json.ts';
import { countOf, excluding, type Row, saidOf } from './row.ts';

type Counts = Pick<Row, 'input_total' | 'input_cached' | 'cache_write' | 'output' | 'said'>;

/** Null where it has no input_tokens at all. */
export function readUsage(value: unknown): Counts | null {
  const usage = fields(value);
  if (!('input_tokens' in usage)) return null;
  const cached = countOf(usage['cache_read_input_tokens']);
  const written = countOf(usage['cache_creation_input_tokens']);
  return {
    input_total: excluding(countOf(usage['input_tokens']), cached, written),
    input_cached: cached,
    cache_write: written,
    output: countOf(usage['output_tokens']),
    said: saidOf(usage, [
      'input_tokens',
      'cache_creation_input_tokens',
      'cache_read_input_tokens',
      'output_tokens',
    ]),
  };
}
