/** Content against a ledger on disk: what `record` adds, and what it refuses. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { describe, reconcile } from '../../src/articles/reconcile.ts';
import { append } from '../../src/disk/append.ts';
import { openLedger, verifyLedger } from '../../src/disk/ledger.ts';
import { redactBlob } from '../../src/disk/withdraw.ts';
import { Batch } from '../../src/ledger/batch.ts';
import { histories } from '../../src/ledger/history.ts';
import { holdSite, load, loadSite } from '../../src/load.ts';
import { captured, type Project, payload, project, STAMP } from './fixture.ts';

const made: Project[] = [];
after(() => {
  for (const one of made) one.remove();
});
async function fresh(change?: Record<string, string | null>): Promise<Project> {
  const one = await project(change);
  made.push(one);
  return one;
}
/** Records as scripts/record.ts does; gives back the words and the codes of problems. */
async function record(root: string): Promise<{ words: string[]; codes: string[] }> {
  const loaded = await load({ root });
  const before = loaded.ledger.fold;
  const problems = [...loaded.problems, ...reconcile(new Batch(before, STAMP), loaded)];
  if (problems.length > 0) return { words: [], codes: problems.map(({ code }) => code) };
  const added = await append(`${root}/ledger`, STAMP, (batch) => {
    reconcile(batch, loaded);
  });
  return { words: added.map((one) => describe(one, before)), codes: [] };
}
const A = 'articles/what-fixtures-cost';

test('a first record adds sources, claims and the article, and a second adds nothing', async () => {
  const { root } = await fresh();
  const site = await loadSite({ root });
  assert.deepEqual(site.problems.map(String), []);
  assert.equal(site.unrecorded.length, 4);
  assert.equal(site.articles[0]!.receipt, null);
  assert.deepEqual(await record(root), {
    words: [
      'source.put post is new',
      'claim.put total is new',
      'claim.put theirs is new',
      'article.put what-fixtures-cost is new',
    ],
    codes: [],
  });
  assert.deepEqual(await record(root), { words: [], codes: [] });
  assert.deepEqual(verifyLedger(`${root}/ledger`).problems, []);
  const after = (await loadSite({ root })).articles[0]!;
  assert.equal(after.receipt?.seq, 6);
  assert.equal(after.revisions, 1);
  assert.deepEqual(after.unrecorded, []);
  assert.ok(after.claims.every(({ receipt }) => receipt !== null));
  const cited = after.figures.find(({ id }) => id === 'sources.post.tokens')!;
  assert.deepEqual(cited.inputs, [after.sources[0]!.receipt!.leaf]);
  assert.equal(cited.status, 'externally_attested');
});

test('a changed claim supersedes itself and the article, and nothing else', async () => {
  const { root, edit } = await fresh();
  await record(root);
  edit(`${A}/claims.yaml`, 'Somebody counted', 'Somebody else counted');
  assert.deepEqual((await record(root)).words, [
    'claim.put theirs supersedes #5',
    'article.put what-fixtures-cost supersedes #6',
  ]);
  assert.equal((await loadSite({ root })).articles[0]!.revisions, 2);
});

test('a changed source carries the claims that rest on it along', async () => {
  const { root, edit } = await fresh();
  await record(root);
  edit(`${A}/sources.yaml`, 'A made-up post', 'A post made up');
  assert.deepEqual((await record(root)).words, [
    'source.put post supersedes #3',
    'claim.put theirs supersedes #5',
    'article.put what-fixtures-cost supersedes #6',
  ]);
});

test('prose alone changes the article alone', async () => {
  const { root, edit } = await fresh();
  await record(root);
  edit(`${A}/index.mdx`, 'Both list', 'They both list');
  assert.deepEqual((await record(root)).words, ['article.put what-fixtures-cost supersedes #6']);
});

test('a new payload supersedes every claim that it changes', async () => {
  const { root } = await fresh();
  await record(root);
  await append(`${root}/ledger`, STAMP, (batch) => {
    const tools = [
      { name: 'other', description: 'Another list.', inputSchema: { type: 'object' } },
    ];
    batch.add({
      type: 'capture.add',
      article: null,
      body: captured('small', batch.blob(payload(tools)), 1),
    });
  });
  assert.deepEqual((await record(root)).words, [
    'claim.put total supersedes #4',
    'article.put what-fixtures-cost supersedes #6',
  ]);
});

test('a retracted claim leaves the page and stays in the ledger, and may be put again', async () => {
  const { root, edit, write } = await fresh();
  await record(root);
  const mark = '  rationale: Cited as it stands.\n';
  edit(
    `${A}/claims.yaml`,
    mark,
    `${mark}  retracted: { reason: wrong, note: It was miscounted. }\n`,
  );
  assert.deepEqual((await record(root)).codes, ['claim.retracted']);
  edit(`${A}/index.mdx`, '<Claim id="theirs"/>', 'Nothing else.');
  assert.deepEqual((await record(root)).words, [
    'claim.retract theirs withdraws #5 (wrong)',
    'article.put what-fixtures-cost supersedes #6',
  ]);
  assert.deepEqual(await record(root), { words: [], codes: [] });
  edit(`${A}/claims.yaml`, '  retracted: { reason: wrong, note: It was miscounted. }\n', '');
  edit(`${A}/index.mdx`, 'Nothing else.', '<Claim id="theirs"/>');
  assert.deepEqual((await record(root)).words, [
    'claim.put theirs supersedes #5',
    'article.put what-fixtures-cost supersedes #8',
  ]);
  write('articles/.hidden', 'a dotfile is no article');
  assert.deepEqual(await record(root), { words: [], codes: [] });
});

test('a claim is judged otherwise only with a reason that names what it changes', async () => {
  const { root, edit } = await fresh();
  await record(root);
  edit(`${A}/claims.yaml`, 'tier: anecdotal', 'tier: human');
  assert.deepEqual(await record(root), { words: [], codes: ['claim.reassessed'] });
  const why = (from: number) => `  changed: { from: ${from}, why: Somebody counted it again. }\n`;
  const mark = '  rationale: Cited as it stands.\n';
  edit(`${A}/claims.yaml`, mark, mark + why(4));
  assert.deepEqual((await record(root)).codes, ['claim.reassessed'], 'that was of another entry');
  edit(`${A}/claims.yaml`, why(4), why(5));
  assert.deepEqual((await record(root)).words, [
    'claim.put theirs supersedes #5 (tier anecdotal to human): Somebody counted it again.',
    'article.put what-fixtures-cost supersedes #6',
  ]);
  assert.deepEqual(await record(root), { words: [], codes: [] });
  edit(`${A}/claims.yaml`, 'Somebody counted {', 'Somebody else counted {');
  assert.deepEqual(
    (await record(root)).words[0],
    'claim.put theirs supersedes #7',
    'a reason is not taken for that of a later change',
  );
  const { entries } = openLedger(`${root}/ledger`);
  const life = histories(entries).get('what-fixtures-cost/theirs');
  const told = life?.map(({ seq, entry }) => [seq, entry.type, 'change' in entry.body]);
  assert.deepEqual(told, [
    [5, 'claim.put', false],
    [7, 'claim.put', true],
    [9, 'claim.put', false],
  ]);
});

test('a redacted payload is not measured, because; claims that use it stop the build, and it verifies', async () => {
  const { root, edit } = await fresh();
  await record(root);
  const sha256 = (await loadSite({ root })).servers[1]!.sha256;
  const dir = `${root}/ledger`;
  assert.equal(await redactBlob(dir, STAMP, { sha256, reason: 'it holds a token' }), 7);
  assert.equal(await redactBlob(dir, STAMP, { sha256, reason: 'again' }), 7, 'and is done once');
  const { ok, redacted, problems } = verifyLedger(dir);
  assert.deepEqual([ok, redacted, problems], [true, 1, []]);

  edit(`${A}/index.mdx`, 'status: published', 'status: draft');
  const site = await loadSite({ root });
  const gone = site.failures.find(({ server }) => server === 'copies');
  assert.deepEqual(
    [gone?.code, gone?.message, gone?.receipt.seq],
    ['blob.redacted', 'its payload was redacted: it holds a token', 7],
  );
  edit(`${A}/index.mdx`, 'status: draft', 'status: published');
  edit(`${A}/figures.ts`, "'servers.copies.tokens'", "'servers.small.tokens'");
  edit(`${A}/claims.yaml`, '{copies_share} of them', '{servers.copies.tokens} of them');
  const { problems: refused } = await loadSite({ root });
  assert.deepEqual(
    refused.map(({ code }) => code),
    ['figure.redacted'],
  );
  assert.match(String(refused[0]), /not measured, because its payload was redacted.*#7/);

  await assert.rejects(
    append(dir, STAMP, (batch) => {
      const blob = { sha256, bytes: 1 };
      batch.add({ type: 'capture.add', article: null, body: captured('copies', blob, 3) });
    }),
    { code: 'ref.redacted' },
  );
  await assert.rejects(redactBlob(dir, STAMP, { sha256: 'f'.repeat(64), reason: 'x' }), {
    code: 'ref.blob',
  });
});

test('an article that still is what was redacted is refused', async () => {
  const { root, edit } = await fresh();
  await record(root);
  const { entries } = openLedger(`${root}/ledger`);
  const put = entries.at(-1)!.entry;
  assert.ok(put.type === 'article.put');
  const { sha256 } = put.body.files['index.mdx']!;
  await redactBlob(`${root}/ledger`, STAMP, { sha256, reason: 'it named somebody' });
  assert.deepEqual((await record(root)).codes, ['article.redacted']);
  edit(`${A}/index.mdx`, 'Both list', 'They list');
  assert.deepEqual((await record(root)).words, ['article.put what-fixtures-cost supersedes #6']);
});

test('a claim that vanishes without a retraction is refused and nothing is recorded', async () => {
  const { root, edit } = await fresh();
  await record(root);
  edit(`${A}/claims.yaml`, 'id: theirs', 'id: others');
  edit(`${A}/index.mdx`, '<Claim id="theirs"/>', '<Claim id="others"/>');
  const site = await loadSite({ root });
  assert.deepEqual(
    site.problems.map(({ code }) => code),
    ['claim.vanished'],
  );
  assert.match(site.problems[0]!.toString(), /claim theirs is recorded \(#5\)/);
  assert.deepEqual(await record(root), { words: [], codes: ['claim.vanished'] });
});

test('an article that is recorded can not be taken back to a draft', async () => {
  const { root, edit } = await fresh();
  await record(root);
  edit(`${A}/index.mdx`, 'status: published', 'status: draft');
  assert.deepEqual((await record(root)).codes, ['article.vanished']);
});

test('a draft is shown and not recorded', async () => {
  const { root, edit } = await fresh();
  edit(`${A}/index.mdx`, 'status: published', 'status: draft');
  const site = await loadSite({ root });
  assert.equal(site.articles[0]!.status, 'draft');
  assert.deepEqual([site.problems, site.unrecorded], [[], []]);
});

test('a server that failed is named with its reason', async () => {
  const { root } = await fresh();
  const { failures, servers } = await loadSite({ root });
  assert.deepEqual(
    failures.map(({ server, code, captured: before }) => ({ server, code, before })),
    [{ server: 'silent', code: 'timeout', before: false }],
  );
  assert.deepEqual(
    servers.map(({ name }) => name),
    ['small', 'copies'],
  );
});

test('a held site is what every load of its root gives, until it is let go', async () => {
  const { root, edit } = await fresh();
  const site = await loadSite({ root });
  await holdSite(root, site, async () => {
    edit(`${A}/index.mdx`, 'Both list', 'They both list');
    assert.equal(await loadSite({ root }), site);
    assert.notEqual(await loadSite({ root: (await fresh()).root }), site);
  });
  assert.match((await loadSite({ root })).articles[0]!.mdx, /They both list/);
});
