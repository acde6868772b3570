/** A capture server for tests, and requests like those that clients send. */
import { after } from 'node:test';
import { o200k } from '../../src/measure/o200k.ts';
import type { Api, Reading } from '../../src/wire/api.ts';
import {
  digest,
  type Facts,
  type RequestDigest,
  RequestDigest as Schema,
} from '../../src/wire/digest.ts';
import type { Fault } from '../../src/wire/fault.ts';
import type { Fields } from '../../src/wire/json.ts';
import { startWire } from '../../src/wire/server.ts';

export const count = (text: string) => o200k().count(text);

/** Starts one that closes with the test file; `next` waits for the next request's digest. */
export async function capture(fault: Fault | null = null) {
  const came: RequestDigest[] = [];
  const waiting: (() => void)[] = [];
  const wire = await startWire({
    listen: { port: 0 },
    fault,
    count,
    onRequest: (digest) => {
      came.push(Schema.parse(digest));
      waiting.shift()?.();
    },
  });
  after(() => wire.close());
  const next = async (): Promise<RequestDigest> => {
    if (came.length === 0) await new Promise<void>((done) => waiting.push(done));
    const digest = came.shift();
    if (digest === undefined) throw new Error('woken without a request');
    return digest;
  };
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    fetch(wire.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
    } as RequestInit);
  return { wire, next, post, port: wire.port ?? 0 };
}

const schema = { type: 'object', properties: { path: { type: 'string' } } };

export const MESSAGES = {
  model: 'claude-opus-5-5',
  stream: true,
  metadata: { user_id: 'somebody' },
  tools: [
    { name: 'Read', description: 'Reads', input_schema: schema },
    { name: 'mcp__memory__read_graph', description: 'Reads it', input_schema: schema },
    { name: 'DeferredToolPlaceholder', input_schema: {}, defer_loading: true },
  ],
  system: [
    { type: 'text', text: 'You are a test.' },
    { type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral', ttl: '1h' } },
  ],
  messages: [
    { role: 'user', content: [{ type: 'text', text: 'say ok' }] },
    {
      role: 'system',
      content:
        'The following deferred tools are now available via ToolSearch:\nWebFetch\nmcp__memory__open_nodes\n\nAnd\nso on',
    },
  ],
};

export const RESPONSES = {
  model: 'gpt-5.5',
  stream: true,
  instructions: 'You are a test.',
  input: [
    {
      type: 'additional_tools',
      tools: [
        {
          type: 'namespace',
          name: 'mcp__memory',
          description: 'Memory',
          tools: [
            { type: 'function', name: 'read_graph', parameters: schema },
            { type: 'function', name: 'open_nodes', parameters: schema, defer_loading: true },
          ],
        },
        { type: 'custom', name: 'exec', description: 'Runs' },
      ],
    },
    {
      role: 'developer',
      content: [
        {
          type: 'input_text',
          text: 'Deferred tool namespaces:\n- mcp__docs: Use this: it is good\n- mcp__files\n\n- no_more',
        },
      ],
    },
    { role: 'user', content: [{ type: 'input_text', text: 'say ok' }] },
  ],
  client_metadata: { session_id: 'x' },
};

export const CHAT = {
  model: 'org/model',
  stream: true,
  stream_options: { include_usage: true },
  messages: [
    { role: 'system', content: 'You are a test.' },
    { role: 'user', content: 'say ok' },
  ],
  tools: [{ type: 'function', function: { name: 'memory_read_graph', parameters: schema } }],
};

export const GENERATE = {
  systemInstruction: { parts: [{ text: 'You are a test.' }] },
  contents: [{ role: 'user', parts: [{ text: 'say ok' }] }],
  tools: [
    {
      functionDeclarations: [{ name: 'read_file', parametersJsonSchema: schema }, { name: 'glob' }],
    },
    { googleSearch: {} },
  ],
};

export const FACTS: Facts = {
  api: null,
  endpoint: null,
  turn: true,
  method: 'POST',
  http: '1.1',
  status: 200,
  fault: null,
  unread: null,
  outside: null,
  body_bytes: 0,
  decoded_bytes: 0,
  encoding: 'identity',
  headers: {},
};

export function read(api: Api, path: string, body: Fields): Reading {
  const reading = api.route('POST', path, {})?.read?.(body, path);
  if (reading == null) throw new Error(`nothing reads ${path}`);
  return reading;
}

/** The digest of a request with this body. */
export function digested(api: Api, path: string, body: Fields, headers: Facts['headers'] = {}) {
  return Schema.parse(digest({ ...FACTS, headers }, read(api, path, body), count));
}
