/** `accept`, `resolve` and `erase` as commands, over queues as they should and should not be. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { verifyLedger } from '../../src/disk/ledger.ts';
import { folderQueue } from '../../src/intake/folder.ts';
import { bodyHash, type Kind, readPost } from '../../src/intake/post.ts';
import { commitment } from '../../src/ledger/commitment.ts';
import type { Project } from '../articles/fixture.ts';
import { recorded } from '../articles/recorded.ts';
import { STAMP } from '../ledger/drafts.ts';

const SLUG = 'what-fixtures-cost';
const OBJECTION = { actor: 'a reader', objection: 'It is not so.', surface: 'S3' };
const CLAIM = {
  ...{ slug: SLUG, text: 'It says so.', tier: 'anecdotal', source_ids: ['post'] },
  ...{ who_claims: 'the owner', rationale: 'As it stands there.', section: null },
};

async function made(t: TestContext): Promise<Project> {
  const project = await recorded();
  t.after(() => project.remove());
  return project;
}

/** Runs a verb in a project; `env` on top of one that names nobody and no queue. */
function run({ root }: Project, verb: string, args: string[], env: Record<string, string> = {}) {
  const path = fileURLToPath(new URL(`../../scripts/${verb}.ts`, import.meta.url));
  const { WEIGHBRIDGE_ACTOR: _, INTAKE_DIR: __, ...rest } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, [path, ...args], {
    ...{ cwd: root, encoding: 'utf8' },
    env: { ...rest, ...env },
  });
  return { status, stdout, stderr };
}

/** Puts posts into the project's queue; their ids are 1, 2, 3 in 32 digits. */
async function post({ root }: Project, ...posts: [Kind, object][]): Promise<string[]> {
  const queue = folderQueue(join(root, '.intake'));
  const ids = [];
  for (const [at, [kind, value]] of posts.entries()) {
    const read = readPost(kind, kind === 'objection' ? SLUG : null, value);
    assert.ok('body' in read, JSON.stringify(read));
    const salt = new Uint8Array(32).fill(at + 1);
    const id = (at + 1).toString(16).padStart(32, '0');
    const arrival = {
      ...{ ...read, id, salt: Buffer.from(salt).toString('hex'), received_at: STAMP.ts },
      commit: commitment(salt, new TextEncoder().encode(read.body)),
      ...{ body_sha256: bodyHash(read.body), keyed: kind === 'claim' },
    };
    await queue.put(arrival, null);
    ids.push(id);
  }
  await queue.close();
  return ids;
}
const entries = ({ root }: Project) => readFileSync(join(root, 'ledger/entries/000.jsonl'), 'utf8');

test('what can’t be taken is named at the end, and what comes after it is taken', async (t) => {
  const project = await made(t);
  const [bad, good] = await post(
    project,
    ['claim', { ...CLAIM, text: 'It came to 31 tokens.' }],
    ['objection', OBJECTION],
    ['claim', CLAIM],
  );
  const claims = join(project.root, `content/articles/${SLUG}/claims.yaml`);
  const before = readFileSync(claims, 'utf8');
  const { status, stdout, stderr } = run(project, 'accept', ['--all']);
  assert.equal(status, 1, stderr);
  assert.match(
    stdout,
    new RegExp(`${good} accepted: entry #\\d+\\n[\\s\\S]*0003 accepted: entry #`),
  );
  assert.match(stderr, new RegExp(`1 of 3 could not be taken, and wait still:\\n${bad} {2}post`));
  assert.match(stderr, /\[accept\.edit\]/);
  assert.ok(readFileSync(claims, 'utf8').startsWith(before));
  assert.ok(!readFileSync(claims, 'utf8').includes('31 tokens'));
  assert.match(run(project, 'accept', []).stdout, new RegExp(`^${bad} {2}claim`));
  assert.ok(verifyLedger(join(project.root, 'ledger')).ok);
});

test('a look makes no queue, and says of what is none that it is none', async (t) => {
  const project = await made(t);
  const at = join(project.root, 'typo');
  const none = run(project, 'accept', ['--queue', at]);
  assert.deepEqual([none.status, none.stdout, existsSync(at)], [1, '', false]);
  assert.match(none.stderr, /typo\/queue\.sqlite: there is no queue of posts \[queue\.none\]/);
  assert.equal(run(project, 'accept', []).status, 1);
  mkdirSync(at);
  writeFileSync(join(at, 'queue.sqlite'), '');
  const empty = run(project, 'accept', ['--queue', at, '--all']);
  assert.deepEqual([empty.status, empty.stdout], [1, '']);
  assert.match(empty.stderr, /the file is empty, so that it is no queue of posts \[queue\.none\]/);
  assert.deepEqual(
    [readdirSync(at), readFileSync(join(at, 'queue.sqlite')).length],
    [['queue.sqlite'], 0],
  );
  const other = new DatabaseSync(join(at, 'queue.sqlite'));
  other.exec('CREATE TABLE x (y)');
  other.close();
  const foreign = run(project, 'accept', ['--queue', at]);
  assert.equal(foreign.status, 1);
  assert.match(foreign.stderr, /another database \[queue\.none\]/);
  await post(project);
  assert.deepEqual(run(project, 'accept', []), {
    status: 0,
    stdout: 'Nothing waits.\n',
    stderr: '',
  });
});

test('a queue that can’t be told takes back nothing of what the ledger says', async (t) => {
  const project = await made(t);
  const [id = ''] = await post(project, ['objection', OBJECTION]);
  assert.equal(run(project, 'accept', [id]).status, 0);
  writeFileSync(join(project.root, '.intake/queue.sqlite'), 'no database at all'.repeat(100));
  const answered = run(project, 'resolve', [id, '--with', 'It is so.']);
  assert.equal(answered.status, 1);
  const seq = entries(project).trimEnd().split('\n').length - 1;
  const said = (what: string, at: number) =>
    new RegExp(
      `${what} in the ledger \\(entry #${at}\\); the queue could not be told: .+queue\\.untold`,
    );
  assert.match(answered.stderr, said('answered', seq));
  const erased = run(project, 'erase', [id]);
  assert.deepEqual([erased.status, erased.stdout], [1, '']);
  assert.match(erased.stderr, said('erased', seq + 1));
  assert.ok(!existsSync(join(project.root, `ledger/objections/${id}.json`)));
  // Again, with the queue moved aside: no second entry.
  const again = run(project, 'erase', [id], { INTAKE_DIR: join(project.root, 'elsewhere') });
  assert.equal(again.status, 0, again.stderr);
  assert.match(again.stdout, new RegExp(`entry #${seq + 1} says so`));
});

test('whom nobody could read, or who would break a line, is not recorded', async (t) => {
  const project = await made(t);
  const [id = ''] = await post(project, ['objection', OBJECTION]);
  const before = entries(project);
  for (const [actor, why] of [
    ['a\nb', /a tab or the end of a line/],
    ['a\tb', /a tab or the end of a line/],
    ['a\u001b[31mb', /U\+001B/],
    ['a\u202eb', /U\+202E/],
    ['a\u200bb', /U\+200B/],
    [' a', /space around it/],
    ['a ', /space around it/],
    ['a'.repeat(101), /more than 100 characters/],
  ] as const) {
    const { status, stderr } = run(project, 'accept', [id], { WEIGHBRIDGE_ACTOR: actor });
    assert.equal(status, 1, stderr);
    assert.match(stderr, why);
    assert.match(stderr, /\[actor\.bad\]/);
  }
  for (const args of [
    ['accept', id, '--decline', '--reason', 'a\u202eb'],
    ['erase', id, '--reason', 'a\u0007b'],
    ['resolve', id, '--with', 'a\u2066b'],
    ['redact', 'a'.repeat(64), '--reason', 'a\u001bb'],
  ]) {
    const { status, stderr } = run(project, args[0]!, args.slice(1));
    assert.equal(status, 2, stderr);
    assert.match(stderr, /^--(?:reason|with) holds U\+[0-9A-F]{4}, which readers would not see\n/);
  }
  assert.equal(entries(project), before);
  assert.equal(run(project, 'accept', [id], { WEIGHBRIDGE_ACTOR: '' }).status, 0);
  assert.match(entries(project).trimEnd().split('\n').at(-1)!, /"actor":"weighbridge"/);
  const name = 'é'.normalize('NFD') + 'a'.repeat(99);
  const told = run(project, 'resolve', [id, '--with', 'One.\r\n\r\nTwo.'], {
    WEIGHBRIDGE_ACTOR: name,
  });
  assert.equal(told.status, 0, told.stderr);
  const last = JSON.parse(entries(project).trimEnd().split('\n').at(-1)!);
  assert.deepEqual([last.actor, last.body.answer], [`é${'a'.repeat(99)}`, 'One.\n\nTwo.']);
});

test('to decline nothing is a wrong use', async (t) => {
  const project = await made(t);
  await post(project, ['objection', OBJECTION]);
  const { status, stdout, stderr } = run(project, 'accept', ['--decline', '--reason', 'x']);
  assert.deepEqual([status, stdout], [2, '']);
  assert.match(stderr, /^--decline wants the ID of a post/);
});
