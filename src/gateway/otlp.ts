/**
 * Rows of OTLP over HTTP with JSON: log records and spans that carry token counts, Claude Code's and
 * those that follow the GenAI conventions. Pure. Bodies of records, which may hold prompts, it passes by.
 */
import { type Fields, fields, list, text } from '../wire/json.ts';
import {
  costOf,
  countOf,
  excluding,
  idOf,
  including,
  modelOf,
  type Row,
  saidOf,
  timeOf,
} from './row.ts';

/** Whether it is an export of logs or traces. */
export function isExport(value: unknown): boolean {
  const body = fields(value);
  return 'resourceLogs' in body || 'resourceSpans' in body;
}

/** Every row of one export, in its order. */
export function readExport(value: unknown): Row[] {
  const { resourceLogs, resourceSpans } = fields(value);
  const logs = list(resourceLogs).flatMap((resource) =>
    list(fields(resource)['scopeLogs']).flatMap((scope) => list(fields(scope)['logRecords'])),
  );
  const spans = list(resourceSpans).flatMap((resource) =>
    list(fields(resource)['scopeSpans']).flatMap((scope) => list(fields(scope)['spans'])),
  );
  return [...logs, ...spans].flatMap((item) => {
    const record = fields(item);
    const attributes = attributesOf(record['attributes']);
    // What an agent or a tool did as a whole repeats what its requests used.
    const operation = text(attributes['gen_ai.operation.name']);
    if (operation !== null && /agent|tool|workflow/.test(operation)) return [];
    return rowOf(record, attributes) ?? [];
  });
}

function rowOf(record: Fields, attributes: Fields): Row | null {
  const counts =
    'gen_ai.usage.input_tokens' in attributes
      ? genAi(attributes)
      : 'input_tokens' in attributes && 'cache_read_tokens' in attributes
        ? claudeCode(attributes)
        : null;
  if (counts === null) return null;
  const at =
    record['startTimeUnixNano'] ?? record['timeUnixNano'] ?? record['observedTimeUnixNano'];
  return {
    // A request's event and its span name the same request, and are one row.
    id: idOf(attributes['request_id'] ?? attributes['gen_ai.response.id'] ?? record['spanId']),
    at: timeOf(attributes['event.timestamp'] ?? at),
    model: modelOf(
      attributes['model'] ??
        attributes['gen_ai.response.model'] ??
        attributes['gen_ai.request.model'],
    ),
    answered: attributes['success'] === false ? 'error' : 'model',
    tools: null,
    ...counts,
  };
}

type Counts = Pick<
  Row,
  'input_total' | 'input_cached' | 'cache_write' | 'output' | 'cost' | 'convention' | 'said'
>;

function claudeCode(attributes: Fields): Counts {
  const cached = countOf(attributes['cache_read_tokens']);
  const written = countOf(attributes['cache_creation_tokens']);
  return {
    input_total: excluding(countOf(attributes['input_tokens']), cached, written),
    input_cached: cached,
    cache_write: written,
    output: countOf(attributes['output_tokens']),
    cost: costOf(attributes['cost_usd']),
    convention: 'claude-code/otel',
    said: saidOf(attributes, [
      'input_tokens',
      'output_tokens',
      'cache_read_tokens',
      'cache_creation_tokens',
      'cost_usd',
    ]),
  };
}

function genAi(attributes: Fields): Counts {
  const names = {
    total: 'gen_ai.usage.input_tokens',
    output: 'gen_ai.usage.output_tokens',
    cached: 'gen_ai.usage.cache_read.input_tokens',
    // The conventions say creation; Claude Code says write.
    written: 'gen_ai.usage.cache_creation.input_tokens',
    write: 'gen_ai.usage.cache_write.input_tokens',
  };
  const cached = countOf(attributes[names.cached]);
  const written = countOf(attributes[names.written]) ?? countOf(attributes[names.write]);
  return {
    input_total: including(countOf(attributes[names.total]), cached, written),
    input_cached: cached,
    cache_write: written,
    output: countOf(attributes[names.output]),
    cost: null,
    convention: 'otel/gen-ai',
    said: saidOf(attributes, Object.values(names)),
  };
}

/** `[{key, value: {intValue: "12"}}]` as a plain object; values of other types are left out. */
function attributesOf(value: unknown): Fields {
  return Object.fromEntries(
    list(value).flatMap((item) => {
      const { key, value: given } = fields(item);
      const { stringValue, intValue, doubleValue, boolValue } = fields(given);
      const plain = stringValue ?? intValue ?? doubleValue ?? boolValue;
      return typeof key === 'string' && plain !== undefined ? [[key, plain]] : [];
    }),
  );
}
