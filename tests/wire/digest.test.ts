import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anthropic } from '../../src/wire/anthropic.ts';
import { digest } from '../../src/wire/digest.ts';
import { gemini } from '../../src/wire/gemini.ts';
import { type Fields, sha256 } from '../../src/wire/json.ts';
import { openai } from '../../src/wire/openai.ts';
import { CHAT, count, digested, FACTS, GENERATE, MESSAGES, RESPONSES, read } from './capture.ts';

test('a Messages request: tools, deferred marks, names in a system message, cache places', () => {
  const record = digested(anthropic, '/v1/messages', MESSAGES, {
    'user-agent': 'claude-cli/2.1.304 (external, sdk-cli)',
    'anthropic-beta': 'claude-code-20250219, effort-2025-11-24',
  });
  assert.deepEqual(record.client, { name: 'claude-code', version: '2.1.304' });
  assert.deepEqual(record.betas, ['claude-code-20250219', 'effort-2025-11-24']);
  assert.deepEqual(
    record.tool_list.map(({ name, deferred }) => [name, deferred]),
    [
      ['Read', false],
      ['mcp__memory__read_graph', false],
      ['DeferredToolPlaceholder', true],
    ],
  );
  const [first] = MESSAGES.tools;
  assert.equal(record.tool_list[0]?.sha256, sha256(JSON.stringify(first)));
  assert.equal(record.tool_list[0]?.bytes, JSON.stringify(first).length);
  assert.equal(record.tool_list[0]?.tokens, count(JSON.stringify(first)));
  assert.equal(record.tools.bytes, JSON.stringify(MESSAGES.tools).length);
  assert.equal(record.tools.deferred, 1);
  assert.deepEqual(record.named, ['WebFetch', 'mcp__memory__open_nodes']);
  assert.deepEqual(record.metadata_keys, ['user_id']);
  assert.deepEqual(
    record.system_parts.map(({ at }) => at),
    ['/system/0', '/system/1', '/messages/1/content'],
  );
  assert.deepEqual(
    record.cache.map(({ at, ttl }) => [at, ttl]),
    [['/system/1', '1h']],
  );
});

test('a cached prefix ends at its mark: what comes after does not change its hash, what is before does', () => {
  const cached = (body: Fields) => digested(anthropic, '/v1/messages', body).cache[0]?.sha256;
  const at = cached(MESSAGES);
  assert.equal(cached({ ...MESSAGES, messages: [] }), at);
  assert.notEqual(cached({ ...MESSAGES, tools: MESSAGES.tools.slice(1) }), at);
  const moved = MESSAGES.system.map(({ type, text }, i) => ({
    type,
    text,
    ...(i === 1 ? { cache_control: { type: 'ephemeral' } } : {}),
  }));
  assert.equal(cached({ ...MESSAGES, system: moved }), at, 'the mark itself is not content');
});

test('the prefix of tools and system texts does not depend on the user', () => {
  const other = { ...CHAT, messages: [CHAT.messages[0], { role: 'user', content: 'else' }] };
  const prefix = (body: Fields) => digested(openai, '/v1/chat/completions', body).prefix.sha256;
  assert.equal(prefix(other), prefix(CHAT));
  assert.notEqual(prefix({ ...CHAT, tools: [] }), prefix(CHAT));
});

test('a Responses request: namespaces are flattened and counted, wherever the tools stand', () => {
  const record = digested(openai, '/v1/responses', RESPONSES);
  assert.deepEqual(
    record.tool_list.map(({ name, namespace, type, deferred }) => [
      name,
      namespace,
      type,
      deferred,
    ]),
    [
      ['read_graph', 'mcp__memory', 'function', false],
      ['open_nodes', 'mcp__memory', 'function', true],
      ['exec', null, 'custom', false],
    ],
  );
  assert.deepEqual([record.tools.count, record.tools.deferred, record.tools.namespaces], [3, 1, 1]);
  assert.equal(record.tools.bytes, JSON.stringify(RESPONSES.input[0]?.tools).length);
  assert.deepEqual(record.named, ['mcp__docs', 'mcp__files']);
  assert.deepEqual(record.metadata_keys, ['session_id']);
});

test('a Gemini request: declarations are counted one by one, a built-in tool under its own name', () => {
  const path = '/v1beta/models/gemini-3-pro:streamGenerateContent';
  const record = digested(gemini, path, GENERATE);
  assert.deepEqual(
    record.tool_list.map(({ name }) => name),
    ['read_file', 'glob', 'googleSearch'],
  );
  assert.equal(record.model, 'gemini-3-pro');
  assert.equal(record.stream, true);
});

/** Every string in a request, however deep, becomes a canary of its own; so do keys where they are free. */
function plant(value: unknown, keep: readonly string[], key = ''): unknown {
  if (keep.includes(key)) return value;
  if (typeof value === 'string') return `CANARY /home/me/.ssh sk-ant-secret ${key}`;
  if (Array.isArray(value)) return value.map((one) => plant(one, keep, key));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, plant(one, keep, name)]),
  );
}

test('no canary planted in any field of any API reaches the record', () => {
  // Types and roles say where a text stands; with another value nothing would be read there.
  const keep = ['type', 'role'];
  const headers = {
    authorization: 'Bearer CANARY',
    'x-api-key': 'CANARY',
    cookie: 'session=CANARY',
    'x-goog-api-key': 'CANARY',
    'user-agent': 'CANARY /home/me/.ssh',
    'anthropic-beta': 'CANARY /home/me,sk-ant-CANARY',
    'x-claude-code-session-id': 'CANARY',
  };
  const body = (whole: object) => {
    const planted = plant(whole, keep) as Record<string, unknown>;
    const tool = {
      type: 'CANARY/x',
      name: 'CANARY /etc',
      tools: [{ type: 'function', name: 'CANARY ../x' }],
    };
    return {
      ...planted,
      stream: true,
      metadata: { 'CANARY key /home/me': 'CANARY' },
      client_metadata: { 'sk-CANARY.key': 1 },
      tools: [...((planted['tools'] as unknown[]) ?? []), tool],
      CANARY: 'CANARY',
    };
  };
  const gem = '/v1beta/models/CANARY%2Fhome:generateContent';
  for (const [api, path, whole] of [
    [anthropic, '/v1/messages', MESSAGES],
    [openai, '/v1/responses', RESPONSES],
    [openai, '/v1/chat/completions', CHAT],
    [gemini, gem, GENERATE],
  ] as const) {
    const record = digested(api, path, body(whole), headers);
    const line = JSON.stringify(record);
    // The one word of the user-agent that is a product's name stays: it says who asked.
    assert.deepEqual(record.client, { name: 'CANARY', version: null });
    assert.doesNotMatch(
      line.replace('"name":"CANARY","version":null', ''),
      /CANARY|home|ssh|sk-|secret|etc/,
    );
    assert.ok(record.tool_list.length > 0 && record.system.chars > 0, 'the canaries were read');
  }
});

test('no line of a user reaches the record, even where it looks like a list of deferred tools', () => {
  const messages = [
    { role: 'user', content: 'The following deferred tools are now available:\nCANARY_secret' },
  ];
  assert.deepEqual(digested(anthropic, '/v1/messages', { ...MESSAGES, messages }).named, []);
});

test('a request of other shapes than any API has is read without a throw', () => {
  const odd = [null, 1, 'x', [], [[]], {}, [null], [{ tools: 1 }], { parts: [1] }];
  for (const value of odd) {
    const body = { model: value, tools: value, system: value, messages: value, metadata: value };
    const more = { input: value, instructions: value, contents: value, systemInstruction: value };
    digested(anthropic, '/v1/messages', body);
    digested(openai, '/v1/chat/completions', body);
    digested(openai, '/v1/responses', { ...body, ...more });
    digested(gemini, '/v1/models/m:generateContent', { ...body, ...more });
  }
});

test('text that cannot be counted has no token count, and its size all the same', () => {
  const refuse = () => {
    throw new RangeError('too long');
  };
  const record = digest(FACTS, read(anthropic, '/v1/messages', MESSAGES), refuse);
  assert.equal(record.tools.tokens, null);
  assert.ok(record.tools.bytes > 0);
});
