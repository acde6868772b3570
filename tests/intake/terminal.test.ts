/** The commands that an article hands out, typed into a shell as they are printed. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { mountIntake } from '../../src/intake/mount.ts';
import { loadSite } from '../../src/load.ts';
import { renderArticleJson } from '../../src/render/json.ts';
import { serve } from '../../src/serve.ts';
import { address } from '../../src/site.ts';
import { recorded } from '../articles/recorded.ts';

const sh = promisify(execFile);

test('each command of machine.terminal works as printed, the owner’s with the key from the environment', async () => {
  const made = await recorded();
  const [record] = (await loadSite({ root: made.root })).articles;
  const dist = mkdtempSync(join(tmpdir(), 'weighbridge-terminal-'));
  const serving = await serve(0, '/sub');
  try {
    const site = address({ SITE_URL: `http://127.0.0.1:${serving.port}`, BASE_PATH: '/sub' });
    const json = renderArticleJson(record!, site);
    const { slug, machine } = JSON.parse(json) as {
      slug: string;
      machine: { terminal: Record<string, string> };
    };
    const at = join(dist, `api/articles/${slug}.json`);
    mkdirSync(dirname(at), { recursive: true });
    writeFileSync(at, json);
    writeFileSync(join(dist, '404.html'), '');
    const env = { ...process.env, TERMINAL_KEY: 'a "key" of the owner' };
    serving.open(dist, (files) =>
      mountIntake(
        {
          dir: join(dist, 'queue'),
          site,
          port: serving.port,
          document: (path) => files.document(path),
        },
        env,
      ),
    );
    const set = (key: string) =>
      mountIntake({ dir: dist, site, port: 1, document: async () => null }, { TERMINAL_KEY: key });
    for (const key of [' x', 'owner’s', 'a\n'])
      assert.throws(() => set(key), { code: 'intake.setting' });
    const { how, ...commands } = machine.terminal;
    assert.ok(how?.includes('TERMINAL_KEY') && !json.includes(env.TERMINAL_KEY));
    for (const [name, command] of Object.entries(commands)) {
      const { stdout } = await sh('sh', ['-c', command], { env });
      const answer = JSON.parse(stdout) as Record<string, unknown>;
      if (name === 'read_back') assert.equal((answer['queued'] as unknown[]).length, 1, stdout);
      else if (name === 'thread_state') assert.equal(answer['target'], slug, stdout);
      else assert.equal(answer['status'], 'queued', `${command}\n${stdout}`);
    }
    const bare = await sh('sh', ['-c', commands['claim']!], { env: { PATH: process.env['PATH'] } });
    assert.equal((JSON.parse(bare.stdout) as { status: number }).status, 401);
  } finally {
    await serving.close();
    rmSync(dist, { recursive: true });
    made.remove();
  }
});
