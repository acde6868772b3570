import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parseServers } from '../../src/articles/servers.ts';
import { jobId, parseClients, parseSettings, planJobs } from '../../src/wire/clients.ts';
import { launch } from '../../src/wire/launch.ts';

const content = (name: string) =>
  readFileSync(new URL(`../../content/${name}.yaml`, import.meta.url), 'utf8');
const servers = parseServers(content('servers')).map(({ name }) => name);
const clients = parseClients(content('clients'), servers);

test('the content is valid: clients, variants and settings that name each other', () => {
  assert.deepEqual(
    clients.clients.map(({ name }) => name),
    ['claude-code', 'codex', 'opencode', 'gemini-cli'],
  );
  assert.ok(parseSettings(content('settings'), clients).length > 0);
});

test('every client has a baseline and a run with no server, and differs in one thing from it', () => {
  for (const { name, variants } of clients.clients) {
    const named = (wanted: string) => variants.find((variant) => variant.name === wanted);
    assert.deepEqual(named('baseline')?.env, {}, name);
    assert.deepEqual(named('servers-0')?.servers, [], name);
  }
});

const YAML = `baseline_servers: [memory]
clients:
  - name: codex
    package: "@openai/codex"
    versions: [1.2.3, 1.2.4]
    executable: a/b.js
    licence: MIT
    variants:
      - name: baseline
      - name: all
        servers: all
`;

test('a fault is told with its place', () => {
  for (const [from, to, at, message] of [
    ['[memory]', '[memories]', '1:20', /content\/servers.yaml has no memories/],
    ['1.2.4', '^1.2.4', '5:23', /exact version/],
    ['name: all', 'name: baseline', '10:15', /two are named baseline/],
    ['servers: all', 'servers: [memory, x]', '11:27', /has no x/],
    ['a/b.js', '../b.js', '6:17', /within node_modules/],
    ['servers: all', 'colour: red', '11:17', /colour/],
    ['name: codex', 'name: unheard-of', '3:11', /codex/],
  ] as const) {
    assert.throws(
      () => parseClients(YAML.replace(from, to), ['memory']),
      ({ at: place, message: said }: { at: string; message: string }) => {
        assert.equal(place, `content/clients.yaml:${at}`, said);
        assert.match(said, message);
        return true;
      },
    );
  }
});

test('runs are chosen by client, version, variant or all three; what names nothing is a problem', () => {
  const small = parseClients(YAML, ['memory', 'files']);
  const ids = (...only: string[]) => planJobs(small, ['files', 'memory'], only).map(jobId);
  assert.equal(ids().length, 4);
  assert.deepEqual(ids('codex@1.2.3'), ['codex@1.2.3/baseline', 'codex@1.2.3/all']);
  assert.deepEqual(ids('codex/all'), ['codex@1.2.3/all', 'codex@1.2.4/all']);
  assert.deepEqual(ids('codex@1.2.4/all'), ['codex@1.2.4/all']);
  assert.throws(() => ids('codex@1.2'), { code: 'wire.no-client' });
  const all = planJobs(small, ['files', 'memory'], ['codex@1.2.4/all']);
  assert.deepEqual(all[0]?.servers, ['files', 'memory']);
});

test('each client is told of its servers, and its environment holds nothing of this one', () => {
  const server = { name: 'memory', command: '/node', args: ['a "quoted" b'], env: { KEY: 'x' } };
  process.env['CANARY'] = 'CANARY';
  for (const { name } of clients.clients) {
    const made = launch(name, {
      ...{ url: 'http://127.0.0.1:4100', home: '/h', work: '/w', servers: [server] },
      variant: { args: ['--more'], env: { MORE: '1', PATH: '/p' }, always_load: false },
    });
    const [[path, text] = ['', '']] = Object.entries(made.files);
    assert.match(path, /^\/[hw]\//);
    assert.ok(text.includes(JSON.stringify('a "quoted" b')) && text.includes('KEY'), name);
    assert.ok(made.args.includes('--more') && made.args.includes('say ok'), name);
    assert.equal(made.env['MORE'], '1');
    assert.equal(made.env['PATH'], '/p', 'the variant wins');
    assert.equal(made.env['HTTPS_PROXY'], 'http://127.0.0.1:4100');
    assert.doesNotMatch(JSON.stringify(made), /CANARY/);
  }
});
