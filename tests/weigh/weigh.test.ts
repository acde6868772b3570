import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { BillReport, Report, ServerReport, SkillsReport } from '../../src/measure/report.ts';
import { renderReport } from '../../src/render/report.ts';
import { readArguments } from '../../src/weigh/asked.ts';
import { weighAsked } from '../../src/weigh/weigh.ts';
import { serveHttp } from '../servers/http-serve.ts';

const root = join(import.meta.dirname, '../..');
const cwd = mkdtempSync(join(tmpdir(), 'weigh-'));
after(() => rmSync(cwd, { recursive: true, force: true }));
const fixture = (name: string) => [process.execPath, join(root, `tests/servers/${name}.ts`)];

/** Weighs as the command does, and holds what comes to the published shape. */
async function weigh(args: string[], env: Record<string, string> = {}): Promise<Report> {
  const asked = readArguments(args) ?? assert.fail('help was asked for');
  const report = await weighAsked(asked, {
    cwd,
    env: { PATH: process.env['PATH'] ?? '', ...env },
    cacheDir: join(root, '.cache/npm'),
    signal: new AbortController().signal,
    onServers: () => {},
    onServer: () => {},
  });
  assert.deepEqual(Report.parse(JSON.parse(JSON.stringify(report))), report);
  return report;
}
const server = async (...given: Parameters<typeof weigh>) =>
  ServerReport.parse(await weigh(...given));
const bill = async (...given: Parameters<typeof weigh>) => BillReport.parse(await weigh(...given));

function write(path: string, content: unknown): string {
  mkdirSync(dirname(join(cwd, path)), { recursive: true });
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  writeFileSync(join(cwd, path), text);
  return path;
}

const TOOLS = [
  { name: 'tare', description: 'Sets to zero', inputSchema: { type: 'object' } },
  { name: 'read', description: 'Reads', inputSchema: { type: 'object', properties: {} } },
];

test('weighs a list alike in every form of file, and names the server after it', async () => {
  const line = JSON.stringify({ jsonrpc: '2.0', id: 1, result: { tools: TOOLS } });
  const pages = TOOLS.map((tool) => JSON.stringify({ id: 1, result: { tools: [tool] } }));
  const files = [TOOLS, { tools: TOOLS }, line, `${pages.join('\n')}\n`, pages.join('\r\n')];
  for (const [i, content] of files.entries()) {
    const {
      server: name,
      tools,
      tokens,
      protocol,
    } = await server(['--file', write(`list${i}.json`, content)]);
    assert.deepEqual([name, tools, protocol], [`list${i}`, 2, null]);
    assert.equal(
      tokens.total,
      (await server(['--file', 'list0.json', '--name', name])).tokens.total,
    );
  }
});

test('refuses what is empty, by its name, before anything is started', () => {
  const empty = [
    [[''], 'COMMAND'],
    [['--', ''], 'COMMAND'],
    [['--url', ''], '--url'],
    [['--url', 'http://x', '--header-env', 'A=B', '--header-env', ''], '--header-env'],
    ...['file', 'config', 'skills'].map((name) => [[`--${name}`, ''], `--${name}`] as const),
    ...['name', 'slim', 'baseline', 'tokenizer', 'timeout', 'max-tokens'].map(
      (name) => [[`--${name}=`, 'x'], `--${name}`] as const,
    ),
  ] as const;
  for (const [args, what] of empty) {
    const message = `${what} is empty`;
    assert.throws(() => readArguments([...args]), { code: 'usage', message });
  }
  assert.throws(() => readArguments(['--timeout', '0', 'x']), {
    code: 'usage',
    message: '--timeout takes a number of seconds above 0 and up to 2000000, not 0',
  });
});

test('says what a file is that holds no list of tools', async () => {
  for (const [content, code, message] of [
    ['{', 'file.no-tools', /not JSON/],
    [{ prompts: [] }, 'file.no-tools', /no list of tools/],
    [[{ title: 'x' }], 'file.no-tools', /tool 1 has no name/],
    [[{ name: 'x', input_schema: {} }], 'file.no-tools', /input_schema/],
    [[{ type: 'function', name: 'x', parameters: {} }], 'file.no-tools', /parameters/],
  ] as const) {
    await assert.rejects(weigh(['--file', write('bad.json', content)]), {
      code,
      message,
      at: 'bad.json',
    });
  }
  await assert.rejects(weigh(['--file', 'none.json']), { code: 'file.unreadable' });
  const deep = `[{"name":"x","inputSchema":${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}}]`;
  await assert.rejects(weigh(['--file', write('deep.json', deep)]), {
    code: 'file.unweighable',
    at: 'deep.json',
  });
});

test('a pipe without a writer and a device without an end are refused, not waited for', {
  skip: process.platform === 'win32',
}, async () => {
  execFileSync('mkfifo', [join(cwd, 'pipe')]);
  const list = write('list.json', TOOLS);
  for (const [args, code] of [
    [['--file', 'pipe'], 'file.unreadable'],
    [['--file', '/dev/zero'], 'file.unreadable'],
    [['--config', 'pipe'], 'config.unreadable'],
    [['--file', list, '--baseline', 'pipe'], 'lock.unreadable'],
  ] as const) {
    await assert.rejects(weigh([...args]), { code, message: 'it is a pipe or a device' });
  }
});

test('weighs over HTTP with a header from the environment, and the same as over stdio', async () => {
  await using http = await serveHttp();
  const args = ['--url', http.url, '--header-env', 'Authorization=AUTH', '--name', 's'];
  const overHttp = await server(args, { AUTH: 'Bearer s3cr3t-t0ken' });
  const overStdio = await server(['--name', 's', ...fixture('good')]);
  assert.deepEqual(overHttp.perTool, overStdio.perTool);
  assert.ok(!JSON.stringify(overHttp).includes('s3cr3t'));
  await assert.rejects(weigh(args), { code: 'header.not-set' });
});

test('asks a server that wants no handshake by the revision that has none', async () => {
  const { protocol, tools } = await server(fixture('later-era'));
  assert.equal(protocol?.negotiated, '2026-07-28');
  assert.ok(tools > 0);
});

test('counts in several tokenizers, and the memory of a layout', async () => {
  write('tools.json', TOOLS);
  const args = ['--file', 'tools.json', '--tokenizer', 'o200k_base,cl100k_base'];
  const { tokenizers, memory, tokens } = await server([
    ...args,
    '--kv',
    'layers=16,heads=4,dim=256,bytes=2,step=256',
  ]);
  assert.deepEqual(
    tokenizers?.map(({ tokenizer, method }) => [tokenizer, method]),
    [
      ['o200k_base', 'tokens/o200k_base/anthropic/compact@1'],
      ['cl100k_base', 'tokens/cl100k_base/anthropic/compact@1'],
    ],
  );
  assert.equal(memory?.bytes_per_token, 65_536);
  assert.equal(memory?.reserved_bytes, 256 * 65_536);
  assert.equal(memory?.tokens, tokens.total);
  assert.match(
    renderReport(await server([...args, '--kv', 'qwen3.8-27b'])),
    /16\.0 MiB reserved for/,
  );
});

test('a lock file lets through what it allows, and says tool by tool what changed', async () => {
  const file = write('gate.json', TOOLS);
  const gate = async (...more: string[]) => {
    const report = await server(['--file', file, '--baseline', 'weigh.lock.json', ...more]);
    return { ...(report.gate ?? assert.fail('no gate')), text: renderReport(report) };
  };
  await assert.rejects(gate(), { code: 'lock.missing', mend: /--write/ });
  assert.equal((await gate('--write')).written, true);
  const same = await gate('--frozen');
  assert.ok(same.ok);
  assert.match(same.text, /\n {2}nothing changed\n/);

  const [tare, read] = TOOLS;
  write(file, [
    { ...tare, description: 'Sets to seven' },
    { ...read, description: 'Reads it all' },
  ]);
  const grown = await gate();
  assert.deepEqual(grown.broken, [{ rule: 'max-growth', found: 2, allowed: 0 }]);
  assert.match(grown.text, /gate: tare changed without growing: \d+ tokens\n/);
  assert.match(grown.text, /gate: read grew: \d+ → \d+ tokens \(\+2\)\n/);
  assert.match(grown.text, /REFUSED: it grew by 2 tokens, and 0 are allowed \[max-growth\]\n/);
  assert.ok((await gate('--max-growth', '2')).ok);
  assert.ok(!(await gate('--max-growth', '1%')).ok);
  const before = readFileSync(join(cwd, 'weigh.lock.json'), 'utf8');
  assert.deepEqual((await gate('--write', '--max-tokens', '5')).written, false);
  assert.equal(readFileSync(join(cwd, 'weigh.lock.json'), 'utf8'), before);
  assert.ok((await gate('--write')).written);
  assert.ok((await gate('--frozen')).ok);

  await assert.rejects(gate('--shape', 'openai'), { code: 'lock.method' });
  write('weigh.lock.json', { lock_version: 99 });
  await assert.rejects(gate(), {
    code: 'lock.unreadable',
    message: /version 99 .* 1 is understood/,
  });
  await assert.rejects(gate('--write'), { code: 'lock.unreadable' });
});

test('writes the list slim, as a list that can be weighed again', async () => {
  const part = { type: 'string', description: 'Of what is on the pan, in the unit that is shown' };
  const schema = { type: 'object', properties: { net: part, gross: part, tare: part } };
  const unused = { ...schema, $defs: { never: part } };
  write('whole.json', [
    { name: 'a', inputSchema: schema },
    { name: 'b', inputSchema: unused },
  ]);
  const report = await server(['--file', 'whole.json', '--slim', 'slim.json']);
  const { slim } = report;
  assert.ok(slim !== undefined && slim.after < slim.pruned && slim.pruned < slim.before);
  assert.deepEqual([slim.dropped, slim.hoisted, slim.newly_referring], [1, 2, ['a', 'b']]);
  assert.match(
    renderReport(report),
    /warning: a client that does not resolve \$ref .*: a, b \[slim-refs\]/,
  );
  const again = await server(['--file', 'slim.json', '--name', 'whole']);
  assert.equal(again.tokens.total, slim.after);
  assert.deepEqual(again.warnings, report.warnings);
});

test('adds up what a client is configured with, whatever of it fails, and shows no value', async () => {
  await using http = await serveHttp();
  const [command, script] = fixture('good');
  const leaky = `const say = 'bad key ' + process.env.KEY;
    console.error(say);
    console.log(JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code: -1, message: say } }));
    setInterval(() => {}, 1000);`;
  const file = write(
    '.mcp.json',
    `{ // comments and trailing commas are read
      "mcpServers": {
        "one": { "command": "${command}", "args": ["${script}"] },
        "two ü": { "type": "http", "url": "${http.url}", "headers": { "X-Key": "\${KEY}" } },
        "leaky": { "command": "${command}", "args": ["-e", ${JSON.stringify(leaky)}], "env": { "KEY": "\${KEY}" } },
        "gone": { "command": "no-such-command-here" },
        "unset": { "command": "x", "args": ["\${NOT_SET_HERE}"] },
        "odd": { "type": "carrier-pigeon", "url": "https://example.org" },
        "old": { "type": "sse", "url": "https://example.org/sse" },
        "off": { "command": "x", "disabled": true },
      },
    }`,
  );
  const report = await bill(['--config', file, '--jobs', '3'], { KEY: 's3cr3t-v4lue' });
  assert.deepEqual(
    report.servers.map(({ server: name, tools }) => [name, tools]),
    [
      ['two', 2],
      ['one', 2],
    ].sort(),
  );
  assert.deepEqual(
    report.failed.map(({ server: name, code }) => [name, code]),
    [
      ['gone', 'server.not-found'],
      ['leaky', 'server.error'],
      ['odd', 'config.unknown-transport'],
      ['old', 'server.old-transport'],
      ['unset', 'config.missing-variable'],
    ],
  );
  assert.deepEqual(
    report.left_out.map(({ server: name, why }) => [name, why]),
    [['off', 'switched off']],
  );
  assert.ok(report.collisions.every(({ kind, tools }) => kind === 'same' && tools.length === 2));
  assert.equal(report.collisions.length, 2);
  const { upfront, deferred, tools } = report.totals;
  assert.equal(
    upfront,
    report.servers.reduce((sum, { tokens }) => sum + tokens, 0),
  );
  assert.ok(deferred > 0 && deferred < upfront && tools === 4);
  const shown = renderReport(report) + JSON.stringify(report);
  assert.ok(!shown.includes('s3cr3t'), shown);
  assert.match(shown, /failed: leaky \(\.mcp\.json:5:9\): .*bad key \[KEY\] \[server\.error\]/);

  const written = weigh(['--config', file, '--baseline', 'bill.lock.json', '--write'], {
    KEY: 'x',
  });
  await assert.rejects(written, {
    code: 'lock.incomplete',
    message: /gone, leaky, odd, old, unset/,
  });
});

test('counts what a client in this folder would see, and of two of one name the nearer', async () => {
  const [command = '', script = ''] = fixture('good');
  const good = { command, args: [script] };
  const file = write('.claude.json', {
    mcpServers: { one: { command: 'no-such-command-here' }, two: good },
    projects: {
      [cwd]: { mcpServers: { one: good } },
      '/elsewhere': { mcpServers: { three: good } },
    },
  });
  const report = await bill(['--config', file]);
  assert.deepEqual(report.failed, []);
  assert.deepEqual(report.servers.map(({ server: name }) => name).sort(), ['one', 'two']);
  assert.deepEqual(
    report.left_out.map(({ server: name, why }) => [name, why]),
    [
      ['one', 'another has its name'],
      ['three', 'for /elsewhere'],
    ],
  );
});

test('weighs skills: what stays in context, what is read on use, and which are none', async () => {
  write('skills/tare/SKILL.md', '---\nname: tare\ndescription: Sets to zero\n---\nPress it.\n');
  write('skills/deep/er/SKILL.md', '---\nname: er\ndescription: x\n---\nLong. Long. Long.\n');
  write('skills/bare/SKILL.md', '# No front matter\n');
  write('skills/node_modules/x/SKILL.md', '---\nname: x\ndescription: x\n---\n');
  symlinkSync(join(cwd, 'skills'), join(cwd, 'skills/loop'));
  const report = SkillsReport.parse(await weigh(['--skills', 'skills']));
  assert.deepEqual(
    report.skills.map(({ name, path }) => [name, path]),
    [
      ['tare', 'tare/SKILL.md'],
      ['er', 'deep/er/SKILL.md'],
    ],
  );
  assert.deepEqual(
    report.failed.map(({ path, code }) => [path, code]),
    [['bare/SKILL.md', 'skill.no-front-matter']],
  );
  const { resident, body } = report.totals;
  assert.equal(
    resident,
    report.skills.reduce((sum, skill) => sum + skill.resident, 0),
  );
  assert.match(
    renderReport(report),
    new RegExp(`resident {2}${resident} tokens.*\\n.*on use {4}${body} tokens`),
  );
  mkdirSync(join(cwd, 'empty'));
  await assert.rejects(weigh(['--skills', 'empty']), { code: 'skills.none' });
  await assert.rejects(weigh(['--skills', 'nowhere']), { code: 'skills.unreadable' });
});

test('refuses what cannot be meant before anything is started', () => {
  const wrong = [
    ['--url', 'http://x', 'command'],
    ['--file', 'a', '--config', 'b'],
    ['--header-env', 'A=B', 'command'],
    ['--write', 'command'],
    ['--frozen', 'command'],
    ['--max-growth', '5%', 'command'],
    ['--baseline', 'a', '--max-growth', '5 %', 'command'],
    ['--baseline', 'a', '--max-growth', '-1', 'command'],
    ['--baseline', 'a', '--max-growth', '1.5', 'command'],
    ['--max-tokens', '1e3', 'command'],
    ['--tokenizer', 'o200k_base,', 'command'],
    ['--template', 'llama3', 'command'],
    ['--kv', 'layers=16', 'command'],
    ['--kv', 'layers=0,heads=1,dim=1,bytes=1', 'command'],
    ['--kv', 'toString', 'command'],
    ['--config', 'a', '--slim', 'b'],
    ['--skills', 'a', '--max-tokens', '5'],
    ['--skills', 'a', '--tokenizer', 'qwen3,o200k_base'],
    ['--jobs', '0', '--config', 'a'],
  ];
  for (const args of wrong) {
    assert.throws(() => readArguments(args), { code: 'usage' }, args.join(' '));
  }
  assert.equal(readArguments(['--help', '--timeout', 'soon']), null);
  const { tokenizers } = readArguments(['--tokenizer', 'qwen3,qwen3', 'x']) ?? assert.fail();
  assert.deepEqual(tokenizers, ['qwen3']);
});
