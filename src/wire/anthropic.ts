/**
 * Anthropic's Messages API, as far as Claude Code needs it to finish a turn: messages (stream and
 * not), count_tokens, models and the two HEADs. Pure; it must never keep what it is given.
 */
import { type Answer, type Api, type CachePoint, events, json, type Reading } from './api.ts';
import { type Fields, fields, list, text } from './json.ts';

const empty: Answer = { status: 200, type: 'application/json', parts: [] };

export const anthropic: Api = {
  name: 'anthropic',
  route(method, path, headers) {
    const route = (endpoint: string, answer: () => Answer) =>
      ({ api: 'anthropic', endpoint, turn: false, read: null, answer }) as const;
    if (path === '/v1/messages' && method === 'POST') {
      return { api: 'anthropic', endpoint: 'messages', turn: true, read, answer };
    }
    if (path === '/v1/messages/count_tokens' && method === 'POST') {
      return {
        api: 'anthropic',
        endpoint: 'count_tokens',
        turn: false,
        read,
        // Four bytes a token, as the client itself guesses when there is no such endpoint; a
        // threshold such as `auto` has to see the size of what it asks about.
        answer: (_reading, _query, body) =>
          json({ input_tokens: Math.ceil(JSON.stringify(body).length / 4) }),
      };
    }
    // OpenAI has the same path; only Anthropic's clients send this header.
    if (path === '/v1/models' && method === 'GET' && 'anthropic-version' in headers) {
      const model = { type: 'model', id: 'weighbridge', display_name: 'Weighbridge' };
      return route('models', () =>
        json({ data: [model], has_more: false, first_id: model.id, last_id: model.id }),
      );
    }
    if (path === '/' && method === 'HEAD') return route('head', () => empty);
    if (path === '/api/hello' && (method === 'HEAD' || method === 'GET')) {
      return route('hello', () => empty);
    }
    return null;
  },
  error: (status, message) =>
    json({ type: 'error', error: { type: ERRORS[status] ?? 'api_error', message } }, status),
};

const ERRORS: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  404: 'not_found_error',
  413: 'request_too_large',
};

function read(body: Fields): Reading {
  const system =
    typeof body['system'] === 'string'
      ? [{ at: '/system', text: body['system'] }]
      : list(body['system']).map((part, i) => ({
          at: `/system/${i}`,
          text: text(fields(part)['text']) ?? '',
        }));
  // Newer clients put texts of their own among the messages too.
  list(body['messages']).forEach((message, i) => {
    const { role, content } = fields(message);
    if (role !== 'system') return;
    const at = `/messages/${i}/content`;
    if (typeof content === 'string') system.push({ at, text: content });
    list(content).forEach((part, j) => {
      system.push({ at: `${at}/${j}`, text: text(fields(part)['text']) ?? '' });
    });
  });
  const tools = list(body['tools']);
  return {
    model: text(body['model']),
    stream: body['stream'] === true,
    carriers: tools.length > 0 ? [tools] : [],
    tools: tools.map((sent) => {
      const tool = fields(sent);
      return {
        name: text(tool['name']) ?? '',
        namespace: null,
        type: text(tool['type']),
        deferred: tool['defer_loading'] === true,
        sent,
      };
    }),
    system,
    messages: list(body['messages']).length,
    cache: cachePoints(body),
    metadataKeys: Object.keys(fields(body['metadata'])),
  };
}

/** The marked places in the order in which the API caches: tools, system, messages. */
function cachePoints(body: Fields): CachePoint[] {
  const points: CachePoint[] = [];
  const seen: unknown[] = [];
  const visit = (value: unknown, at: string, extra: Fields = {}) => {
    if (typeof value !== 'object' || value === null) {
      seen.push({ ...extra, value });
      return;
    }
    const { cache_control: mark, ...rest } = value as Fields;
    seen.push({ ...extra, ...rest });
    if (mark === undefined || mark === null) return;
    points.push({ at, ttl: text(fields(mark)['ttl']), prefix: seen.slice() });
  };
  const visitAll = (value: unknown, at: string, extra?: Fields) => {
    if (Array.isArray(value))
      for (const [i, one] of value.entries()) visit(one, `${at}/${i}`, extra);
    else if (value !== undefined) visit(value, at, extra);
  };
  visitAll(body['tools'], '/tools');
  visitAll(body['system'], '/system');
  list(body['messages']).forEach((message, i) => {
    const { role, content } = fields(message);
    visitAll(content, `/messages/${i}/content`, { role });
  });
  return points;
}

function answer(reading: Reading | null): Answer {
  const usage = { input_tokens: 0, output_tokens: 1 };
  const message = {
    id: 'msg_weighbridge',
    type: 'message',
    role: 'assistant',
    model: reading?.model ?? 'weighbridge',
    content: [{ type: 'text', text: 'ok' }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage,
  };
  if (reading?.stream !== true) return json(message);
  const stream = [
    { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'ok' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage },
    { type: 'message_stop' },
  ];
  return events(stream.map((data) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`));
}
