import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { append } from '../../src/disk/append.ts';
import { clearInbox, leaveInInbox, readInbox, type Waiting } from '../../src/disk/inbox.ts';
import { openLedger, verifyLedger } from '../../src/disk/ledger.ts';
import { notYetRecorded, recordCaptures } from '../../src/probe/refresh.ts';
import { capture, failed, STAMP } from '../ledger/drafts.ts';
import { ledgerFolder } from './folder.ts';

const PAYLOAD = '{"jsonrpc":"2.0","id":1001,"result":{"tools":[]}}\n';
/** A capture as it comes from a server; the run tells one week's from another's. */
function came(server: string, run: string, text = PAYLOAD): Waiting {
  const payload = Buffer.from(text);
  const blob = { sha256: hash('sha256', payload), bytes: payload.length };
  const { body } = capture({ server, run, blob });
  assert.ok(body.kind === 'tools_list');
  return { body, payload };
}
const [MONDAY, TUESDAY] = ['2026-01-05T00:00:00.000Z', '2026-01-06T00:00:00.000Z'];
const files = (dir: string) => readdirSync(join(dir, 'inbox')).sort();

async function takeIn(dir: string): Promise<string[]> {
  const waiting = readInbox(dir);
  const captures = notYetRecorded(waiting, openLedger(dir).entries);
  const added = await append(dir, STAMP, (batch) => void recordCaptures(batch, captures));
  clearInbox(dir, waiting);
  return added.map(({ entry }) => {
    assert.ok(entry.type === 'capture.add' && entry.body.kind === 'tools_list');
    return `${entry.body.run.slice(8, 10)} ${entry.body.server} ${entry.body.outcome}`;
  });
}

test('the inboxes of two branches merge without conflict and are recorded once, in a fixed order', async (t) => {
  const dir = ledgerFolder(t);
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], {
      cwd: dir,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env['PATH'], HOME: dir, GIT_CONFIG_NOSYSTEM: '1' },
    });
  const commit = (message: string) => {
    git('add', '-A');
    git('commit', '-qm', message);
  };
  git('init', '-q', '-b', 'main');
  commit('a log');
  const { body: down } = failed('down');
  assert.ok(down.kind === 'tools_list');
  git('checkout', '-qb', 'tuesday');
  leaveInInbox(dir, [came('notion', TUESDAY), came('alpha', TUESDAY)]);
  commit('tuesday');
  git('checkout', '-q', 'main');
  git('checkout', '-qb', 'monday');
  leaveInInbox(dir, [came('notion', MONDAY), { body: { ...down, run: MONDAY }, payload: null }]);
  commit('monday');
  git('checkout', '-q', 'main');
  git('merge', '-q', 'tuesday');
  git('merge', '-q', '--no-edit', 'monday');
  assert.equal(files(dir).length, 5, 'four captures, and the payload that three share');

  assert.deepEqual(await takeIn(dir), [
    '05 down failed',
    '05 notion captured',
    '06 alpha captured',
    '06 notion unchanged',
  ]);
  assert.deepEqual(files(dir), []);
  assert.deepEqual(verifyLedger(dir).problems, []);
  leaveInInbox(dir, [came('notion', MONDAY)]);
  assert.deepEqual(await takeIn(dir), [], 'what came back by another merge is not taken in again');
  assert.deepEqual(files(dir), []);
});

test('what came in while recording stays, with the payload that it shares', (t) => {
  const dir = ledgerFolder(t);
  const [first, second] = [came('notion', MONDAY), came('notion', TUESDAY)];
  leaveInInbox(dir, [first, second]);
  clearInbox(dir, [first]);
  assert.deepEqual(
    readInbox(dir).map(({ body }) => body.run),
    [TUESDAY],
  );
});

test('an inbox that was meddled with is refused, file by file', (t) => {
  const refused = (
    change: (inbox: string, json: string, payload: string) => void,
    left = came('notion', MONDAY),
  ) => {
    const dir = ledgerFolder(t);
    leaveInInbox(dir, [left]);
    const json = files(dir).find((name) => name.endsWith('.json'))!;
    const payload = files(dir).find((name) => name.endsWith('.payload'))!;
    change(join(dir, 'inbox'), json, payload);
    try {
      readInbox(dir);
    } catch (error) {
      return (error as { code: string }).code;
    }
    return null;
  };
  const put = (inbox: string, text: string) =>
    writeFileSync(join(inbox, `${hash('sha256', text)}.json`), text);
  assert.equal(
    refused(() => {}),
    null,
  );
  assert.equal(
    refused((inbox, json) => writeFileSync(join(inbox, json), '{}')),
    'inbox.name',
  );
  assert.equal(
    refused((inbox) => writeFileSync(join(inbox, 'notes.txt'), '')),
    'inbox.name',
  );
  assert.equal(
    refused((inbox) => put(inbox, '{}')),
    'inbox.form',
  );
  assert.equal(
    refused((inbox) => put(inbox, '{"b":1,"a":2}')),
    'inbox.form',
  );
  assert.equal(
    refused((inbox, _, payload) => renameSync(join(inbox, payload), join(inbox, '.gone'))),
    'inbox.payload',
  );
  const key = `sk-ant-api03-${'Zq7Rk2Vw9XbT4mLs8YdJ'.repeat(3)}`;
  const secret = `{"jsonrpc":"2.0","id":1001,"result":{"tools":[],"key":"${key}"}}\n`;
  assert.equal(
    refused(() => {}, came('notion', MONDAY, secret)),
    'inbox.secret',
  );
});
