/** `npm run record` and `npm run lint:numbers` as commands: what they print, and how they end. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { leaveInInbox } from '../../src/disk/inbox.ts';
import { captured, FILES, type Project, payload, project } from '../articles/fixture.ts';

let made: Project;
before(async () => {
  made = await project();
});
after(() => made.remove());

const run = (script: string, ...args: string[]) => {
  const path = fileURLToPath(new URL(`../../scripts/${script}.ts`, import.meta.url));
  const env = { ...process.env, WEIGHBRIDGE_ACTOR: 'the-test' };
  const { status, stdout, stderr } = spawnSync(process.execPath, [path, ...args], {
    cwd: made.root,
    env,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
};
const entries = () => readFileSync(join(made.root, 'ledger/entries/000.jsonl'), 'utf8');
const INDEX = 'articles/what-fixtures-cost/index.mdx';

test('record explains itself and refuses what it does not know', () => {
  assert.match(run('record', '--help').stdout, /^usage: weighbridge record/);
  const wrong = run('record', '--dryrun');
  assert.equal(wrong.status, 2);
  assert.match(wrong.stderr, /--dryrun[\s\S]*usage/);
  assert.match(run('lint-numbers', '--help').stdout, /^usage: weighbridge lint-numbers/);
  assert.equal(run('lint-numbers', '--all').status, 2);
});

test('a problem ends record with 1, says where, and leaves the ledger as it was', () => {
  const was = entries();
  made.edit(INDEX, 'Both list', 'All 31 list');
  const { status, stderr } = run('record');
  const lint = run('lint-numbers');
  made.write(INDEX, FILES[INDEX]!);
  assert.equal(status, 1);
  assert.match(stderr, /index\.mdx:15:5: "31" is bound to no figure/);
  assert.match(stderr, /Nothing was recorded: 1 to mend\./);
  assert.equal(entries(), was);
  assert.equal(lint.status, 1);
  assert.match(lint.stderr, /index\.mdx:15:5: "31"[\s\S]*nearest is [\s\S]*\[number\.unbound\]/);
  assert.deepEqual(run('lint-numbers').status, 0);
});

test('a day that has not come yet is not recorded, and its place is told', () => {
  const was = entries();
  const sources = 'articles/what-fixtures-cost/sources.yaml';
  made.edit(sources, '2026-08-17', '9999-12-31');
  const { status, stderr } = run('record');
  made.write(sources, FILES[sources]!);
  assert.equal(status, 1);
  assert.match(stderr, /sources\.yaml:6:14: 9999-12-31 has not come yet \[day\.ahead\]/);
  assert.equal(entries(), was);
});

test('a dry run names what it would add and adds nothing; a real one adds it under its actor', () => {
  const was = entries();
  const dry = run('record', '--dry-run');
  assert.equal(dry.status, 0);
  assert.match(
    dry.stdout,
    /^would add source\.put post is new\n[\s\S]*Would record 4 entries\.\n$/,
  );
  assert.equal(entries(), was);
  assert.match(run('record').stdout, /claim\.put total is new\n[\s\S]*Recorded 4 entries\.\n$/);
  assert.match(entries(), /"actor":"the-test"/);
  const again = run('record');
  assert.deepEqual([again.status, again.stderr], [0, '']);
  assert.equal(again.stdout, 'Nothing to record: the ledger holds what content says.\n');
});

test('the result of an older chain is recorded once, by its counts, and another file is refused', () => {
  const digest = (...parts: unknown[]) => hash('sha256', parts.join('|'));
  const row = { seq: 0, ts: 't', model: 'm', role: 'r', action: 'a', payload: { claim_id: 'c1' } };
  const text = 'No word of this is kept.';
  const contribution = {
    ...row,
    ...{ prev_hash: 'genesis', rationale: text },
    hash: digest('genesis', 0, 't', 'm', 'r', 'a', '{"claim_id":"c1"}', text),
  };
  const claims = [{ id: 'c1' }, { id: 'c2' }];
  const file = join(made.root, 'old.json');
  writeFileSync(file, JSON.stringify({ slug: 'old', contributions: [contribution], claims }));
  const was = entries();
  assert.match(
    run('record', '--legacy', file, '--dry-run').stdout,
    /^would add import\.legacy old/,
  );
  assert.equal(entries(), was);
  assert.match(
    run('record', '--legacy', file).stdout,
    /^import\.legacy old is new\nrecords: 1 of 1 hash and link; of 2 claims on the page 1 as shown, 0 with other content, 1 not at all\n$/,
  );
  assert.match(run('record', '--legacy', file).stdout, /^Nothing to record/);
  assert.doesNotMatch(entries(), /No word of this/);
  const refused = run('record', '--legacy', join(made.root, 'ledger/origin'));
  assert.equal(refused.status, 1);
  assert.match(refused.stderr, /\[legacy\.form\]/);
});

test('record takes in what waits in the inbox before it looks at content, and once', () => {
  const { stdout: before } = run('record');
  assert.match(before, /^Nothing to record/);
  const bytes = payload([{ name: 'one', inputSchema: { type: 'object' } }]);
  const blob = { sha256: hash('sha256', bytes), bytes: bytes.length };
  const inbox = join(made.root, 'ledger/inbox');
  leaveInInbox(join(made.root, 'ledger'), [{ body: captured('small', blob, 1), payload: bytes }]);
  const was = entries();
  const dry = run('record', '--dry-run').stdout;
  assert.match(
    dry,
    /^would add capture\.add small@1\.0\.0 captured, from the inbox\nwould add claim\.put total supersedes #\d+\n/,
  );
  assert.deepEqual([entries(), readdirSync(inbox).length], [was, 2]);
  assert.match(run('record').stdout, /^capture\.add small[\s\S]*claim\.put total supersedes/);
  assert.deepEqual(readdirSync(inbox), []);
  assert.match(run('record').stdout, /^Nothing to record/);
});
