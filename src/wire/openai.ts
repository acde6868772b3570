/**
 * OpenAI's Responses and Chat Completions APIs, as far as Codex, opencode and their like need them
 * to finish a turn. Pure; it must never keep what it is given.
 */
import {
  type Answer,
  type Api,
  events,
  json,
  type Reading,
  type SentTool,
  type SystemPart,
} from './api.ts';
import { type Fields, fields, list, text } from './json.ts';

export const openai: Api = {
  name: 'openai',
  route(method, path) {
    // Clients differ in whether their base URL ends in /v1.
    const at = path.replace(/^\/v1(?=\/)/, '');
    const base = { api: 'openai' } as const;
    if (method === 'POST' && at === '/responses') {
      return { ...base, endpoint: 'responses', turn: true, read: readResponses, answer: respond };
    }
    if (method === 'POST' && at === '/chat/completions') {
      return {
        ...base,
        endpoint: 'chat_completions',
        turn: true,
        read: readChat,
        answer: complete,
      };
    }
    if (method === 'GET' && at === '/models') {
      const data = [{ id: 'weighbridge', object: 'model', created: 0, owned_by: 'weighbridge' }];
      const answer = () => json({ object: 'list', data });
      return { ...base, endpoint: 'models', turn: false, read: null, answer };
    }
    return null;
  },
  error: (status, message) =>
    json(
      { error: { message, type: ERRORS[status] ?? 'server_error', param: null, code: null } },
      status,
    ),
};

const ERRORS: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  404: 'not_found_error',
  413: 'invalid_request_error',
};

/** Takes tools out of namespaces, however deep; both APIs name a function in their own way. */
function flatten(tools: unknown, namespace: string | null = null): SentTool[] {
  return list(tools).flatMap((sent): SentTool[] => {
    const tool = fields(sent);
    const own = fields(tool['function']);
    const type = text(tool['type']);
    // A tool that OpenAI runs itself, such as web_search, has no name but its type.
    const name = text(tool['name']) ?? text(own['name']) ?? type ?? '';
    if (Array.isArray(tool['tools'])) {
      return flatten(tool['tools'], namespace === null ? name : `${namespace}.${name}`);
    }
    const deferred = tool['defer_loading'] === true || own['defer_loading'] === true;
    return [{ name, namespace, type, deferred, sent }];
  });
}

/** The texts of a message's content, each with its place. */
function parts(content: unknown, at: string): SystemPart[] {
  if (typeof content === 'string') return [{ at, text: content }];
  return list(content).flatMap((part, i) => {
    const found = text(fields(part)['text']);
    return found === null ? [] : [{ at: `${at}/${i}`, text: found }];
  });
}

const isSystem = (role: unknown) => role === 'system' || role === 'developer';

function reading(
  body: Fields,
  carriers: readonly unknown[],
  turns: readonly unknown[],
  system: SystemPart[],
): Reading {
  return {
    model: text(body['model']),
    stream: body['stream'] === true,
    carriers,
    tools: carriers.flatMap((carrier) => flatten(carrier)),
    system,
    messages: turns.length,
    cache: [],
    metadataKeys: ['metadata', 'client_metadata'].flatMap((key) => Object.keys(fields(body[key]))),
  };
}

function readResponses(body: Fields): Reading {
  const input = list(body['input']);
  const system: SystemPart[] = [];
  if (typeof body['instructions'] === 'string') {
    system.push({ at: '/instructions', text: body['instructions'] });
  }
  input.forEach((item, i) => {
    const { role, content } = fields(item);
    if (isSystem(role)) system.push(...parts(content, `/input/${i}/content`));
  });
  // Codex sends the tools of some models as an item of the input, and none under `tools`.
  const carriers = [body['tools'], ...input.map((item) => fields(item)['tools'])].filter(
    (carrier) => list(carrier).length > 0,
  );
  return reading(body, carriers, input, system);
}

function readChat(body: Fields): Reading {
  const messages = list(body['messages']);
  const system = messages.flatMap((message, i) => {
    const { role, content } = fields(message);
    return isSystem(role) ? parts(content, `/messages/${i}/content`) : [];
  });
  const tools = list(body['tools']);
  return reading(body, tools.length > 0 ? [tools] : [], messages, system);
}

function respond(reading: Reading | null): Answer {
  const part = { type: 'output_text', text: 'ok', annotations: [] };
  const item = {
    type: 'message',
    id: 'msg_weighbridge',
    role: 'assistant',
    status: 'completed',
    content: [part],
  };
  const response = {
    id: 'resp_weighbridge',
    object: 'response',
    created_at: 0,
    status: 'completed',
    model: reading?.model ?? 'weighbridge',
    output: [item],
    usage: {
      input_tokens: 0,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 1,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 1,
    },
  };
  if (reading?.stream !== true) return json(response);
  const begun = { ...response, status: 'in_progress', output: [], usage: null };
  const place = { item_id: item.id, output_index: 0, content_index: 0 };
  const stream: { type: string; [field: string]: unknown }[] = [
    { type: 'response.created', response: begun },
    { type: 'response.in_progress', response: begun },
    {
      type: 'response.output_item.added',
      output_index: 0,
      item: { ...item, status: 'in_progress', content: [] },
    },
    { type: 'response.content_part.added', ...place, part: { ...part, text: '' } },
    { type: 'response.output_text.delta', ...place, delta: 'ok' },
    { type: 'response.output_text.done', ...place, text: 'ok' },
    { type: 'response.content_part.done', ...place, part },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response },
  ];
  return events(
    stream.map(
      (data, i) =>
        `event: ${data.type}\ndata: ${JSON.stringify({ ...data, sequence_number: i })}\n\n`,
    ),
  );
}

function complete(reading: Reading | null, _query: URLSearchParams, body: Fields): Answer {
  const base = { id: 'chatcmpl-weighbridge', created: 0, model: reading?.model ?? 'weighbridge' };
  const usage = { prompt_tokens: 0, completion_tokens: 1, total_tokens: 1 };
  if (reading?.stream !== true) {
    const message = { role: 'assistant', content: 'ok' };
    const choices = [{ index: 0, message, finish_reason: 'stop' }];
    return json({ ...base, object: 'chat.completion', choices, usage });
  }
  const chunk = (delta: Fields, finish_reason: string | null) => ({
    ...base,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason }],
  });
  const chunks: unknown[] = [chunk({ role: 'assistant', content: 'ok' }, null), chunk({}, 'stop')];
  if (fields(body['stream_options'])['include_usage'] === true) {
    chunks.push({ ...chunk({}, null), choices: [], usage });
  }
  return events([...chunks.map((data) => `data: ${JSON.stringify(data)}\n\n`), 'data: [DONE]\n\n']);
}
