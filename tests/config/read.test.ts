import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { type ReadOptions, readConfig } from '../../src/config/read.ts';
import { type ConfiguredServer, duplicateNames } from '../../src/config/server.ts';
import { Problem } from '../../src/problem.ts';

const SECRET = 's3cr3t-value';
const env = { TOKEN: SECRET, EMPTY: '' };

function read(text: string | object, options: Partial<ReadOptions> = {}) {
  const source = typeof text === 'string' ? text : JSON.stringify(text, null, 2);
  const config = readConfig(source, { file: '.mcp.json', env, ...options });
  assert.ok(!inspect(config, { depth: 9 }).includes(SECRET), 'a value came out');
  assert.ok(!JSON.stringify(config).includes(SECRET), 'a value came out');
  return config;
}

const server = (entry: unknown, options: Partial<ReadOptions> = {}): ConfiguredServer =>
  read({ mcpServers: { one: entry } }, options).servers[0]!;
const codes = (problems: Problem[]) => problems.map(({ code }) => code);

/** The problem that reading has to throw. */
function thrown(text: string, file = '.mcp.json'): Problem {
  try {
    readConfig(text, { file, env });
  } catch (error) {
    assert.ok(error instanceof Problem, String(error));
    assert.ok(!error.toString().includes(SECRET));
    return error;
  }
  return assert.fail('nothing was thrown');
}

test('.mcp.json of Claude Code: three transports, and variables filled in where nobody sees them', () => {
  const { client, servers, problems } = read({
    mcpServers: {
      local: {
        command: 'npx',
        args: ['-y', 'some-server', `--token=\${TOKEN}`, `\${MODE:-read}`],
        env: { KEY: `\${TOKEN}`, PLAIN: 'x', PORT: 80 },
      },
      remote: {
        type: 'http',
        url: `https://me:pw@example.com/mcp?key=\${TOKEN}`,
        headers: { Authorization: `Bearer \${TOKEN}` },
      },
      old: { type: 'sse', url: 'https://example.com/sse' },
      guessed: { url: 'https://example.com/v1/sse' },
    },
  });
  assert.equal(client, 'claude-code');
  assert.deepEqual(problems, []);
  assert.deepEqual(
    servers.map(({ name, transport, at }) => [name, transport, at]),
    [
      ['local', 'stdio', '.mcp.json:3:5'],
      ['remote', 'http', '.mcp.json:17:5'],
      ['old', 'sse', '.mcp.json:24:5'],
      ['guessed', 'sse', '.mcp.json:28:5'],
    ],
  );
  const [local, remote] = servers;
  assert.deepEqual(local?.args, ['-y', 'some-server', `--token=\${TOKEN}`, `\${MODE:-read}`]);
  assert.deepEqual(local?.env, ['KEY', 'PLAIN', 'PORT']);
  assert.deepEqual(local?.launch?.open(), {
    transport: 'stdio',
    command: 'npx',
    args: ['-y', 'some-server', `--token=${SECRET}`, 'read'],
    env: { KEY: SECRET, PLAIN: 'x', PORT: '80' },
    cwd: null,
  });
  assert.deepEqual(
    [remote?.url, remote?.headers],
    ['https://…@example.com/mcp?…', ['Authorization']],
  );
  assert.deepEqual(remote?.launch?.open(), {
    transport: 'http',
    url: `https://me:pw@example.com/mcp?key=${SECRET}`,
    headers: { Authorization: `Bearer ${SECRET}` },
  });
});

test('~/.claude.json: servers of the user and of each project, and those switched off there', () => {
  const { client, servers, problems } = read(
    {
      numStartups: 3,
      mcpServers: { everywhere: { command: 'a' } },
      projects: {
        '/home/ann/one': {
          mcpServers: { everywhere: { command: 'b' }, off: { command: 'c' } },
          disabledMcpServers: ['off'],
        },
        '/home/ann/two': { mcpServers: { other: { command: 'd' } } },
        '/home/ann/three': { mcpServers: { other: { command: 'e' } }, history: [] },
      },
    },
    { file: 'settings' },
  );
  assert.equal(client, 'claude-code');
  assert.deepEqual(
    servers.map(({ name, scope, disabled }) => [name, scope, disabled]),
    [
      ['everywhere', '', false],
      ['everywhere', '/home/ann/one', false],
      ['off', '/home/ann/one', true],
      ['other', '/home/ann/two', false],
      ['other', '/home/ann/three', false],
    ],
  );
  assert.deepEqual(codes(problems), ['config.duplicate-name'], 'two projects do not meet');
});

test('VS Code: mcp.json and settings.json, inputs, and the predefined variables', () => {
  const config = {
    inputs: [
      { id: 'key', type: 'promptString', password: true },
      { id: 'region', type: 'promptString', default: 'eu' },
    ],
    servers: {
      one: {
        type: 'stdio',
        command: `\${workspaceFolder}/run`,
        args: [`\${input:region}`, `\${userHome}`, `\${workspaceFolderBasename}`],
        env: { KEY: `\${input:key}`, GONE: null },
      },
    },
  };
  const options = { file: 'mcp.json', workspace: '/w/project', home: '/home/me' };
  const asked = read(config, options);
  assert.equal(asked.client, 'vscode');
  assert.deepEqual(codes(asked.servers[0]?.problems ?? []), ['config.missing-input']);
  assert.equal(asked.servers[0]?.launch, null);
  assert.equal(asked.servers[0]?.problems[0]?.at, 'mcp.json:24:9');

  for (const text of [config, { 'editor.fontSize': 12, mcp: config }]) {
    const { servers } = read(text, { ...options, inputs: { key: SECRET } });
    assert.deepEqual(servers[0]?.launch?.open(), {
      transport: 'stdio',
      command: '/w/project/run',
      args: ['eu', '/home/me', 'project'],
      env: { KEY: SECRET },
      cwd: null,
    });
  }
  assert.equal(read({ 'mcp.servers': { one: { command: 'x' } } }).servers.length, 1);
});

test('Cursor and Claude Desktop are known by their places', () => {
  const text = {
    mcpServers: { one: { url: 'https://x.example', headers: { A: `\${env:TOKEN}` } } },
  };
  const { client, servers } = read(text, { file: '/home/me/.cursor/mcp.json' });
  assert.equal(client, 'cursor');
  assert.deepEqual(servers[0]?.launch?.open(), {
    transport: 'http',
    url: 'https://x.example',
    headers: { A: SECRET },
  });
  assert.equal(read(text, { file: 'x/claude_desktop_config.json' }).client, 'claude-desktop');
  assert.equal(read(text, { file: 'any.json' }).client, 'unknown');
});

test('Codex: tables of TOML, variables by name, and no placeholders', () => {
  const { client, servers, problems } = read(
    `
model = "x"

[mcp_servers.local]
command = "npx"
args = ["-y", "pkg", "\${TOKEN}"]
env_vars = ["TOKEN", { name = "EMPTY" }]
enabled = false

[mcp_servers.local.env]
PLAIN = "x"

[mcp_servers."far away"]
url = "https://example.com/mcp"
bearer_token_env_var = "TOKEN"
http_headers = { X = "1" }
env_http_headers = { Y = "GONE" }
headers = { Z = "2" }
`,
    { file: 'config.toml' },
  );
  assert.deepEqual([client, problems], ['codex', []]);
  const [local, far] = servers;
  assert.equal(local?.disabled, true);
  assert.deepEqual(local?.launch?.open(), {
    transport: 'stdio',
    command: 'npx',
    args: ['-y', 'pkg', `\${TOKEN}`],
    env: { TOKEN: SECRET, EMPTY: '', PLAIN: 'x' },
    cwd: null,
  });
  assert.deepEqual([far?.name, far?.at], ['far away', 'config.toml:13:1']);
  assert.deepEqual(far?.headers, ['X', 'Y', 'Authorization']);
  assert.deepEqual(
    far?.problems.map(({ code, at }) => [code, at]),
    [
      ['config.not-read', 'config.toml:18:1'],
      ['config.missing-variable', 'config.toml:17:1'],
    ],
  );
});

test('comments and trailing commas are read, and named where the client would refuse them', () => {
  const text =
    '// mine\n{ "mcpServers": {\n  "one": { "command": "a", /* b */ "args": ["c",], },\n} }\n';
  const claude = read(text);
  assert.equal(claude.servers[0]?.args[0], 'c');
  assert.deepEqual(codes(claude.problems), ['config.not-strict-json']);
  assert.equal(claude.problems[0]?.at, '.mcp.json:1:1');
  assert.deepEqual(read(text, { file: '.cursor/mcp.json' }).problems, []);
  const comma = read('{"mcpServers":{"one":{"command":"a",}}}').problems[0];
  assert.deepEqual([comma?.code, comma?.at], ['config.not-strict-json', '.mcp.json:1:37']);
});

test('a server named twice in one map is named at its second place, and the last counts', () => {
  const { servers, problems } = read(
    '{ "mcpServers": {\n  "one": { "command": "a", "args": ["x"] },\n  "one": { "command": "b" }\n} }',
  );
  assert.deepEqual(
    servers.map(({ command, at }) => [command, at]),
    [['b', '.mcp.json:3:3']],
  );
  assert.deepEqual(
    problems.map(({ code, at }) => [code, at]),
    [['config.duplicate-name', '.mcp.json:3:3']],
  );
});

test('the same name in two files is told, unless one of them is switched off', () => {
  const one = server({ command: 'a' });
  const two = server({ command: 'b' }, { file: 'other.json' });
  const [problem] = duplicateNames([one, two]);
  assert.match(
    problem?.toString() ?? '',
    /^other\.json:3:5: one is also configured at \.mcp\.json:3:5/,
  );
  assert.deepEqual(duplicateNames([one, { ...two, disabled: true }]), []);
});

test('what is wrong with a server stands with it, with its place, and keeps it from being launched', () => {
  const cases: [entry: unknown, code: string, at: string, says: RegExp][] = [
    [{ command: 'a', args: [`\${GONE}`] }, 'config.missing-variable', '6:9', /GONE is not set/],
    [{ command: `\${GONE}` }, 'config.missing-variable', '4:7', /GONE/],
    [{ type: 'ws', url: 'ws://x' }, 'config.unknown-transport', '4:7', /"ws"/],
    [{ type: 'constructor' }, 'config.unknown-transport', '4:7', /"constructor"/],
    [{ type: 'http', command: 'a' }, 'config.missing-field', '3:5', /no url/],
    [{ args: [] }, 'config.missing-field', '3:5', /neither/],
    [{ command: '' }, 'config.missing-field', '3:5', /neither/],
    [{ command: 'a', url: 'https://x' }, 'config.ambiguous', '3:5', /both/],
    [{ command: ['a', 'b'] }, 'config.bad-field', '4:7', /command is not a text/],
    [{ command: 'a', args: 'b' }, 'config.bad-field', '5:7', /args is not a list/],
    [{ command: 'a', args: ['b', { c: SECRET }] }, 'config.bad-field', '7:9', /args\[1\]/],
    [{ command: 'a', env: { K: [SECRET] } }, 'config.bad-field', '6:9', /env\.K/],
    [{ command: 'a', env: [SECRET] }, 'config.bad-field', '5:7', /env is not an object/],
    ['npx a', 'config.bad-field', '3:5', /not an object/],
    [{ url: `ftp://x/${SECRET}`, type: 'http' }, 'config.bad-url', '4:7', /http/],
    [
      { url: 'https://x', headers: { A: `\${command:go}` } },
      'config.unknown-placeholder',
      '6:9',
      /command:/,
    ],
    [{ command: 'a', args: [`\${${SECRET} x}`] }, 'config.unknown-placeholder', '6:9', /kind$/],
  ];
  for (const [entry, code, at, says] of cases) {
    const { problems, launch } = readConfig(
      JSON.stringify({ mcpServers: { one: entry } }, null, 2),
      {
        file: 'f',
        env,
      },
    ).servers[0]!;
    const problem = problems.find((one) => one.code === code);
    assert.ok(problem !== undefined, `${code} for ${JSON.stringify(entry)}: ${codes(problems)}`);
    assert.equal(problem.at, `f:${at}`, code);
    assert.match(problem.message, says);
    assert.ok(problem.mend !== undefined && !problem.toString().includes(SECRET));
    assert.equal(launch, null, code);
  }
});

test('all problems of a server are told at once; what is only passed over does not stop it', () => {
  const many = server({
    command: `\${A}`,
    args: [`\${B}`, `\${EMPTY}`, `\${C:-}`],
    env: { D: `\${D}` },
  });
  assert.deepEqual(codes(many.problems), Array(3).fill('config.missing-variable'));
  const noted = server({ command: 'a', envFile: '.env' });
  assert.deepEqual(codes(noted.problems), ['config.not-read']);
  assert.ok(noted.launch !== null);
});

test('what is no configuration is told with its line and column, and without its text', () => {
  const cases: [text: string, file: string, code: string, at: string][] = [
    [`{\n  "a": "${SECRET}"\n  "b": 1\n}`, 'x.json', 'config.syntax', 'x.json:3:3'],
    [`{ "mcpServers": `, 'x.json', 'config.syntax', 'x.json:1:17'],
    [`[mcp_servers.a]\ncommand = "${SECRET}\n`, 'x.toml', 'config.syntax', 'x.toml:2:24'],
    [`[mcp_servers.a]\n[mcp_servers.a]\n`, 'x.toml', 'config.syntax', 'x.toml:2:2'],
    ['', 'x.json', 'config.unknown', 'x.json'],
    [`${SECRET}: yaml`, 'x.yaml', 'config.syntax', 'x.yaml:1:13'],
    ['{ "name": "some-package" }', 'package.json', 'config.unknown', 'package.json'],
    [`{"a":${'['.repeat(200_000)}`, 'x.json', 'config.syntax', 'x.json'],
  ];
  for (const [text, file, code, at] of cases) {
    const problem = thrown(text, file);
    assert.deepEqual([problem.code, problem.at], [code, at], problem.toString());
  }
});
