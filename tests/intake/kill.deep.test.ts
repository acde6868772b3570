/** A server is killed outright while it takes posts: no receipt that it gave may be lost, nor doubled. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { append } from '../../src/disk/append.ts';
import { openLedger, verifyLedger } from '../../src/disk/ledger.ts';
import { enter, waiting } from '../../src/intake/decide.ts';
import { remoteQueue } from '../../src/intake/remote.ts';
import { folder, ledgerFolder } from '../disk/folder.ts';
import { STAMP } from '../ledger/drafts.ts';
import { SLUG } from './contract.ts';
import { type Process, startEdge, writeSite } from './edge.ts';
import { hammer } from './hammer.ts';

const PATH = `/api/articles/${SLUG}/objections`;
const CONNECTIONS = 64;
const POSTS = 10_000;
const KILLS = 5;

async function startStation(site: string, queue: string): Promise<Process> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'station.ts'), site, queue], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return {
    port: Number(line),
    kill: async () => {
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    },
  };
}

async function outlives(t: TestContext, start: (site: string, queue: string) => Promise<Process>) {
  const [site, dir] = [writeSite(folder(t)), folder(t)];
  /** Actors whose post was not answered yet; one that was cut off is sent again, as a client would. */
  const open = Array.from({ length: POSTS }, (_, i) => `actor ${i}`);
  const receipts = new Map<string, string>();
  let kills = 0;
  while (open.length > 0) {
    const running = await start(site, dir);
    const due = kills < KILLS ? POSTS / (KILLS + 1) : Number.POSITIVE_INFINITY;
    const waiting = open.splice(0);
    let sent = 0;
    let killed: Promise<void> | null = null;
    const posts = await hammer(running.port, PATH, CONNECTIONS, () => {
      if (++sent > due) killed ??= running.kill();
      return killed === null ? (waiting.shift() ?? null) : null;
    });
    if (killed === null) await running.kill();
    else kills++;
    await killed;
    open.push(...waiting);
    for (const { actor, id, status } of posts) {
      assert.ok(id !== null || status === null || status >= 500, `${actor}: ${status}`);
      if (id === null) open.push(actor);
      else receipts.set(actor, id);
    }
  }
  assert.deepEqual([kills, receipts.size], [KILLS, POSTS]);
  const running = await start(site, dir);
  const kept = await waiting(remoteQueue(`http://127.0.0.1:${running.port}`, 'key'));
  await running.kill();
  const actorOf = (body: string | null) => (JSON.parse(body ?? '{}') as { actor: string }).actor;
  assert.deepEqual(
    kept.map(({ id, body }) => `${actorOf(body)} ${id}`).sort(),
    [...receipts].map(([actor, id]) => `${actor} ${id}`).sort(),
  );
  // And what was taken can be taken in: a part of it, in one append, which verifies.
  const ledger = ledgerFolder(t);
  await append(ledger, STAMP, (batch) => {
    for (const one of kept.slice(0, 300)) enter(batch, one, null);
  });
  assert.deepEqual([openLedger(ledger).fold.objections.size, verifyLedger(ledger).ok], [300, true]);
}

const what = `every receipt outlives ${KILLS} kills during ${POSTS} posts from ${CONNECTIONS} connections, exactly once`;
test(`on one machine ${what}`, (t) => outlives(t, startStation));
test(`on workerd ${what}`, (t) =>
  outlives(t, (site, state) =>
    startEdge(site, state, { TERMINAL_KEY: 'key', INTAKE_PER_MINUTE: 'Infinity' }),
  ));
