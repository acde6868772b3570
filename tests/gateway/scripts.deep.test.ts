import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openLedger } from '../../src/disk/ledger.ts';
import { ACCOUNT, GATEWAY, row, standInCloudflare, TOKEN } from './stand-in-cloudflare.ts';

const scripts = join(import.meta.dirname, '../../scripts');
const real = join(import.meta.dirname, 'real');
const folder = mkdtempSync(join(tmpdir(), 'gateway-script-'));
after(() => rmSync(folder, { recursive: true }));

function run(script: string, args: string[], env: Record<string, string> = {}, cwd = folder) {
  const child = spawn(process.execPath, [join(scripts, script), ...args], {
    cwd,
    env: { PATH: process.env['PATH'], HOME: folder, ...env },
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  return new Promise<{ code: number | null; stdout: string; stderr: string }>((done) =>
    child.once('close', (code) => done({ code, stdout, stderr })),
  );
}

function house(name: string): string {
  const root = join(folder, name);
  mkdirSync(join(root, 'ledger'), { recursive: true });
  writeFileSync(join(root, 'ledger/origin'), 'test.example/log\n');
  return root;
}

test('a gateway’s log is recorded once, found unchanged, and tells nothing but its rows', async (t) => {
  const server = await standInCloudflare(() => [row(1), row(2), row(2)]);
  t.after(() => server.close());
  const root = house('records');
  const args = [
    '--source',
    'cloudflare',
    '--name',
    'work',
    '--until',
    '2026-07-27',
    '--settle',
    '0',
  ];
  const dry = await run(
    'gateway.ts',
    [...args, '--dry-run', '--json', '--out', 'rows.jsonl'],
    server.env,
    root,
  );
  assert.equal(dry.code, 0, dry.stderr);
  const first = await run('gateway.ts', args, server.env, root);
  assert.equal(first.code, 0, first.stderr);
  assert.match(first.stdout, /2 rows, 2026-07-26T00:00:01\.000Z to/);
  assert.match(first.stdout, /1 row came again/);
  assert.match(first.stdout, /Recorded log:cloudflare\/work, captured/);
  assert.match((await run('gateway.ts', args, server.env, root)).stdout, /unchanged/);
  const ledger = openLedger(join(root, 'ledger'));
  assert.equal(ledger.entries.length, 2, 'the dry run recorded nothing');
  const { body } = ledger.fold.logs.get('cloudflare/work')!.captured!.entry;
  const bytes = ledger.blob(body.blob.sha256);
  assert.equal(Buffer.from(bytes).toString(), dry.stdout, 'the dry run showed what was recorded');
  assert.equal(readFileSync(join(root, 'rows.jsonl'), 'utf8'), dry.stdout);
  assert.equal(dry.stdout.trimEnd().split('\n').length, 3, 'a head and two rows');
  const stored = readdirSync(join(root, 'ledger'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join();
  for (const secret of [
    TOKEN,
    ACCOUNT,
    GATEWAY,
    'someone@example.com',
    server.env['CLOUDFLARE_BASE_URL']!,
  ]) {
    assert.ok(!`${stored}${first.stdout}${first.stderr}`.includes(secret), secret);
  }
});

test('a session is shown without a ledger, and what it was read from stands nowhere', async () => {
  const dry = await run('gateway.ts', ['--source', 'claude-code', '--dir', real, '--dry-run']);
  assert.equal(dry.code, 0, dry.stderr);
  assert.match(dry.stdout, /claude-opus-4-8 +2 +40,624 +40,000 +600 +10 +\? +\?/);
  assert.match(dry.stdout, /Dry run; would have recorded log:claude-code\/own, captured/);
  assert.ok(!existsSync(join(folder, 'ledger')));
  assert.ok(!dry.stdout.includes(real));
});

test('wrong usage ends with 2, what can’t be read with 1 and records nothing', async () => {
  const root = house('refuses');
  const cases: [string[], number, RegExp][] = [
    [[], 2, /--source takes one of cloudflare, litellm, claude-code, otlp/],
    [['--source', 'otlp'], 2, /wants --file or --dir/],
    [['--source', 'litellm', '--file', 'x'], 2, /do not go with/],
    [['--source', 'otlp', '--file', 'x', '--name', 'A b'], 2, /--name takes/],
    [['--source', 'otlp', '--file', 'x', '--since', 'yesterday'], 2, /--since takes/],
    [
      ['--source', 'cloudflare'],
      1,
      /CLOUDFLARE_API_TOKEN and CLOUDFLARE_ACCOUNT_ID and CLOUDFLARE_GATEWAY_ID not set/,
    ],
    [['--source', 'otlp', '--file', 'nowhere.json'], 1, /gateway\.unreadable/],
    [
      ['--source', 'claude-code', '--dir', '.'],
      1,
      /no row with usage was found \[gateway\.empty\]/,
    ],
  ];
  const results = await Promise.all(cases.map(([args]) => run('gateway.ts', args, {}, root)));
  results.forEach(({ code, stderr }, i) => {
    assert.equal(code, cases[i]![1], stderr);
    assert.match(stderr, cases[i]![2]);
  });
  assert.equal(openLedger(join(root, 'ledger')).entries.length, 0);
});

test('usage-diff tells a difference in words and as JSON, and compares only like with like', async () => {
  const answer = (name: string, model: string, read: number) => {
    const usage = {
      input_tokens: 12,
      cache_read_input_tokens: read,
      cache_creation_input_tokens: 0,
      output_tokens: 5,
    };
    writeFileSync(join(folder, name), JSON.stringify({ id: name, model, usage }));
  };
  answer('a.json', 'm-1', 0);
  answer('b.json', 'm-1', 12_000);
  answer('c.json', 'm-2', 0);
  const [words, data, refused, forced, wrong, missing] = await Promise.all([
    run('usage-diff.ts', ['a.json', 'b.json', '--price', '4,0.2,5,20']),
    run('usage-diff.ts', ['a.json', 'b.json', '--json']),
    run('usage-diff.ts', ['a.json', 'c.json']),
    run('usage-diff.ts', ['a.json', 'c.json', '--force']),
    run('usage-diff.ts', ['a.json']),
    run('usage-diff.ts', ['a.json', 'd.json']),
  ]);
  assert.equal(words.code, 0, words.stderr);
  assert.match(words.stdout, /input +12 +12,012 +\+12,000/);
  assert.match(words.stdout, /at your prices, USD +0\.0001480 +0\.0025480 +\+0\.0024000/);
  assert.match(
    words.stdout,
    /B used 12,000 input tokens more than A, and read 12,000 more from the cache\./,
  );
  assert.match(words.stdout, /Only this settles a bill/);
  const report = JSON.parse(data.stdout) as { difference: unknown; a: { from: string } };
  assert.deepEqual(report.difference, {
    input_total: 12_000,
    input_cached: 12_000,
    cache_write: 0,
    output: 0,
    cost: null,
    tools: null,
  });
  assert.deepEqual([refused.code, refused.stdout], [3, '']);
  assert.match(
    refused.stderr,
    /m-1 and m-2 \[usage\.unlike\]\n {2}Compare like with like, or say --force\./,
  );
  assert.match(
    forced.stdout,
    /Compared although their models are not known to be the same: m-1 and m-2\./,
  );
  assert.deepEqual([wrong.code, missing.code], [2, 1]);
});
