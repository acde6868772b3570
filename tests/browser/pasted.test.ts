/** What is made of what a reader pastes, without a browser. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Pasted, weighPasted } from '../../src/browser/pasted.ts';
import { markTools } from '../../src/measure/diff.ts';
import type { Lock } from '../../src/measure/gate.ts';
import { o200k } from '../../src/measure/o200k.ts';
import type { BillReport, ServerReport } from '../../src/measure/report.ts';
import { tokensMethod, weigh } from '../../src/measure/weigh.ts';

const as = { shape: 'anthropic', server: 'mine', tokenizer: o200k() } as const;
const paste = (value: unknown): Pasted =>
  weighPasted(typeof value === 'string' ? value : JSON.stringify(value), as);
const TOOLS = [
  { name: 'add', description: 'Adds.', inputSchema: { type: 'object' } },
  { name: 'look\u202e', inputSchema: { type: 'object', properties: { a: { type: 'string' } } } },
];
const weight = weigh(TOOLS, as);

/** The weighed servers, or a failure that shows what it was taken for. */
function servers(pasted: Pasted) {
  assert.equal(pasted.kind, 'weighed', JSON.stringify(pasted));
  return pasted.kind === 'weighed' ? pasted.servers : [];
}

test('a list weighs the same in each of its forms, and as the command line has it', () => {
  const response = { jsonrpc: '2.0', id: 1, result: { tools: TOOLS } };
  const pages = TOOLS.map((tool) => JSON.stringify({ ...response, result: { tools: [tool] } }));
  for (const form of [
    TOOLS,
    { tools: TOOLS },
    response,
    `${pages.join('\n')}\n`,
    pages.join('\r\n'),
  ]) {
    const [own] = servers(paste(form));
    assert.equal(own?.upfront, weight.tokens.total);
    assert.equal(own?.deferred, weight.tokens.name);
    assert.equal(own?.tools, 2);
  }
  assert.equal(servers(weighPasted(`\ufeff${JSON.stringify(TOOLS)}`, as)).length, 1);
});

test('a lock file gives its counts, and names alone are counted anew', () => {
  const lock: Lock = {
    lock_version: 1,
    method: tokensMethod(weight),
    servers: [{ server: 'mine', tokens: weight.tokens.total, tools: markTools(TOOLS, as) }],
  };
  const [own] = servers(paste(lock));
  assert.equal(own?.upfront, weight.tokens.total);
  assert.equal(own?.deferred, weight.tokens.name);
  assert.equal(paste({ ...lock, lock_version: 2 }).kind, 'fault');
});

test('reports of one server and of a client’s bill are read, and one on skills is told apart', () => {
  const server: ServerReport = {
    ...{ kind: 'server', server: 'mine', protocol: null, warnings: [] },
    ...weight,
  };
  assert.equal(servers(paste(server))[0]?.upfront, weight.tokens.total);
  const bill: BillReport = {
    ...{ kind: 'bill', file: 'f', client: 'c', shape: 'anthropic', tokenizer: 'o200k_base' },
    method: 'm@1',
    servers: [
      {
        ...{ server: 'a', protocol: { requested: 'r', negotiated: 'n' }, tools: 1, tokens: 9 },
        ...{ bytes: 1, name_tokens: 2, schema_tokens: 1, largest: null, list_ms: 1, warnings: [] },
      },
    ],
    ...{ failed: [], left_out: [], collisions: [], warnings: [] },
    totals: { tools: 1, bytes: 1, upfront: 9, deferred: 2 },
  };
  assert.deepEqual(servers(paste(bill)), [
    { server: 'a', tools: 1, upfront: 9, deferred: 2, perTool: [] },
  ]);
  for (const [given, says] of [
    [{ ...bill, totals: {} }, /no report of weigh: totals/],
    [{ kind: 'skills' }, /no report of weigh/],
  ] as const) {
    const pasted = paste(given);
    assert.match(pasted.kind === 'fault' ? pasted.message : '', says);
  }
});

test('a client’s configuration is known by its servers’ names, and none of its values comes back', () => {
  const secret = { command: 'npx', env: { TOKEN: 'hunter2' } };
  for (const form of [
    { mcpServers: { a: secret, b: secret } },
    { servers: { a: secret, b: secret } },
    { mcp: { servers: { a: secret, b: secret } } },
    { mcp: { a: secret, b: secret } },
    { projects: { '/home/x': { mcpServers: { a: secret, b: secret } } } },
    `// of an editor\n{ "servers": { "a": ${JSON.stringify(secret)}, "b": {}, } }`,
    `[mcp_servers.a]\ncommand = "npx"\n[mcp_servers.b]\n[mcp_servers.b.env]\nTOKEN = "hunter2"\n`,
  ]) {
    const pasted = paste(form);
    assert.deepEqual(pasted, { kind: 'config', servers: ['a', 'b'] });
  }
});

test('what is not JSON is pointed at by line and column', () => {
  for (const [text, line, column] of [
    ['{"tools": [\n  {"name": "a",}\n]}', 2, 16],
    ['[1, 2', 1, 6],
    ['{"a": 1}\n{"b": tru}', 2, 7],
    ["[\n\n  'x']", 3, 3],
    ['[{"name": "a\nb"}]', 1, 11],
  ] as const) {
    const pasted = paste(text);
    assert.equal(pasted.kind, 'fault', text);
    if (pasted.kind !== 'fault') continue;
    assert.match(pasted.message, /^it is not JSON: /);
    assert.deepEqual([pasted.at?.line, pasted.at?.column], [line, column], text);
    assert.match(pasted.at?.text ?? '', /▸/);
  }
});

test('JSON that is no list of tools says what it lacks', () => {
  for (const [given, says] of [
    ['', /nothing in it/],
    [{ a: 1 }, /holds no list of tools/],
    [[], /is empty/],
    [[{ nom: 'x' }], /tool 1 has no name/],
    [[{ name: 'x', input_schema: {} }], /input_schema/],
    ['[[[[', /not JSON/],
  ] as const) {
    const pasted = paste(given);
    assert.match(pasted.kind === 'fault' ? pasted.message : pasted.kind, says);
  }
});

test('names come back legible, whatever they hold', () => {
  const pasted = paste(TOOLS);
  assert.match(JSON.stringify(pasted), /look\\\\u\{202e\}/);
  assert.doesNotMatch(JSON.stringify(pasted), /\u202e/);
});
