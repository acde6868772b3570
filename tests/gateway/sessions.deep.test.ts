import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { Collected } from '../../src/gateway/collected.ts';
import { filesBelow, readSessions } from '../../src/gateway/files.ts';
import { o200k } from '../../src/measure/o200k.ts';
import { installPackage } from '../../src/packages/install.ts';
import type { RequestDigest } from '../../src/wire/digest.ts';
import { launch } from '../../src/wire/launch.ts';
import { startWire } from '../../src/wire/server.ts';
import { assistant, shape } from './own-session.ts';

const folder = mkdtempSync(join(tmpdir(), 'sessions-'));
after(() => rmSync(folder, { recursive: true }));
const root = join(import.meta.dirname, '../..');

test('a session of 200 MB, cut in the middle of its last line, is read in the memory that a small one takes', (t) => {
  const write = (name: string, megabytes: number): string => {
    const path = join(folder, name);
    const fd = openSync(path, 'w');
    const text = 'a tool’s answer '.repeat(6400);
    let written = 0;
    for (let i = 0; written < megabytes * 1e6; i++) {
      const id = `msg_${Math.floor(i / 3)}`;
      const lines = [
        { type: 'user', message: { content: `${i} ${text}` } },
        assistant({ id, request: `req_${Math.floor(i / 3)}`, output: i }),
        ...(i % 50 === 0 ? [shape(`s${i}`, [{ name: 'a', description: text }])] : []),
      ];
      written += writeSync(fd, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    }
    writeSync(fd, JSON.stringify(assistant({})).slice(0, 200));
    closeSync(fd);
    return path;
  };
  const read = (path: string) => {
    const code = `
      import { Collected } from ${JSON.stringify(join(root, 'src/gateway/collected.ts'))};
      import { readSessions } from ${JSON.stringify(join(root, 'src/gateway/files.ts'))};
      const into = new Collected();
      await readSessions(into, [${JSON.stringify(path)}]);
      console.log(JSON.stringify([into.size, into.unread, process.resourceUsage().maxRSS / 1024]));`;
    const child = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
      encoding: 'utf8',
    });
    assert.equal(child.status, 0, child.stderr);
    return JSON.parse(child.stdout) as [rows: number, unread: number, mebibytes: number];
  };
  const [, , small] = read(write('small.jsonl', 10));
  const [rows, unread, large] = read(write('large.jsonl', 200));
  assert.ok(rows > 500, `${rows}`);
  assert.equal(unread, 1);
  t.diagnostic(`peak ${small.toFixed(0)} MiB at 10 MB, ${large.toFixed(0)} MiB at 200 MB`);
  assert.ok(large < small + 64, `${small} MiB at 10 MB, ${large} MiB at 200 MB`);
});

for (const version of ['2.1.165', '2.1.332']) {
  test(`a session that Claude Code ${version} writes here is read, with the tools that were on the wire`, async (t) => {
    const installed = await installPackage({
      ...{ name: '@anthropic-ai/claude-code', version, cacheDir: join(root, '.cache/npm') },
    });
    const executable = join(
      installed.dir.slice(0, -installed.name.length),
      `@anthropic-ai/claude-code-${process.platform}-${process.arch}/claude`,
    );
    const came: RequestDigest[] = [];
    const wire = await startWire({
      listen: { port: 0 },
      count: (text) => o200k().count(text),
      onRequest: (digest) => came.push(digest),
    });
    t.after(() => wire.close());
    const [home, work] = ['home', 'work'].map((name) => join(folder, version, name));
    assert.ok(home && work);
    for (const path of [home, work]) mkdirSync(path, { recursive: true });
    const made = launch('claude-code', {
      ...{ url: wire.url, home, work, servers: [] },
      variant: { args: [], env: {}, always_load: false },
    });
    for (const [path, text] of Object.entries(made.files)) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    }
    const child = spawn(executable, made.args, { cwd: work, env: made.env, stdio: 'ignore' });
    t.after(() => child.kill('SIGKILL'));
    assert.equal(await new Promise((done) => child.once('close', done)), 0);

    const files = await filesBelow(join(home, '.claude/projects'), ['.jsonl']);
    const into = new Collected();
    await readSessions(into, files);
    const [row, ...more] = into.rows();
    assert.deepEqual([more, into.unread], [[], 0]);
    // The stand-in says that nothing was read and one token written: numbers of no bill.
    assert.deepEqual(
      [row?.input_total, row?.input_cached, row?.cache_write, row?.output],
      [0, 0, 0, 1],
    );
    const sent = came.find(({ turn, status }) => turn && status === 200)?.tools;
    assert.ok(sent && sent.count > 5);
    // Only newer versions keep the shape of their requests.
    const { count, deferred, bytes } = sent;
    assert.deepEqual(row?.tools, version === '2.1.165' ? null : { count, deferred, bytes });
  });
}
