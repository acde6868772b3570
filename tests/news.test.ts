/** What a refresh brings, in words, without recording it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openLedger } from '../src/disk/ledger.ts';
import { Batch } from '../src/ledger/batch.ts';
import { type News, news } from '../src/news.ts';
import { recordCaptures } from '../src/probe/refresh.ts';
import { newsReport } from '../src/render/news.ts';
import { captured, FAILED, payload, project, STAMP } from './articles/fixture.ts';
import { recorded } from './articles/recorded.ts';

test('a refresh is told tool by tool, with the claims that would say something else', async (t) => {
  const { root, remove, edit } = await recorded();
  t.after(remove);
  const dir = `${root}/ledger`;
  const ledger = openLedger(dir);
  const bring = async (tools: unknown[]): Promise<News> => {
    const batch = new Batch(ledger.fold, STAMP);
    const bytes = payload(tools);
    recordCaptures(batch, [
      { body: captured('small', batch.blob(bytes), tools.length), payload: bytes },
      { body: FAILED, payload: null },
    ]);
    return news(root, ledger, batch);
  };
  const SAY = {
    name: 'say',
    description: 'Says | *something* <b>bold</b>.',
    inputSchema: { type: 'object' },
  };
  const ADD = { name: 'add', description: 'Adds two numbers.', inputSchema: { type: 'object' } };

  const same = await bring([ADD, SAY]);
  assert.deepEqual([same.unchanged, same.arrivals, same.claims], [['small@1.0.0'], [], []]);
  assert.match(
    newsReport(same),
    /2 releases asked: 0 with another list, 1 unchanged, 1 failed\.[\s\S]*Every claim says what it said\./,
  );
  assert.match(newsReport(same), /- \*\*silent@1\.0\.0\*\*: `/);

  const other = await bring([
    SAY,
    { ...ADD, description: `${ADD.description} ${'More of it. '.repeat(9)}` },
    { ...ADD, name: 'a`b **@all**\u001b[2J' },
  ]);
  const [arrival] = other.arrivals;
  assert.equal(arrival?.before?.release, 'small@1.0.0');
  assert.deepEqual(
    arrival?.difference?.changes.map(({ tool, change }) => [tool.slice(0, 3), change]),
    [
      ['add', 'grew'],
      ['a`b', 'added'],
    ],
  );
  const text = newsReport(other);
  assert.match(
    text,
    /- \*\*small@1\.0\.0\*\* grew by \d+ tokens, \d+\.\d%: from \d+ to \d+; 2 to 3 tools\n/,
  );
  assert.match(text, /\n {2}- `add` grew by \d+ tokens, /);
  assert.match(text, /\n {2}- `` a`b \*\*@all\*\*\\u\{1b\}\[2J `` was added: \d+ tokens\n/);
  assert.match(text, /the tools stand in another order/);
  const [claim] = other.claims;
  assert.equal(claim?.id, 'total');
  assert.match(
    text,
    new RegExp(`claim total \\(#${claim?.seq}\\)\n {2}- was: .*\n {2}- would be: `),
  );
  assert.doesNotMatch(text, /Every claim/);
  assert.equal(openLedger(dir).fold.size, ledger.fold.size, 'nothing was recorded');

  const emptied = await bring([]);
  edit('articles/what-fixtures-cost/index.mdx', 'Both list', 'All 31 list');
  const broken = await bring([ADD]);
  assert.match(newsReport(broken), /must be mended[\s\S]*number\.unbound/);
  assert.match(newsReport(emptied), /`say` was removed: \d+ tokens/);
});

test('a first capture of a release is held against the release before it', async (t) => {
  const { root, remove, edit } = await project();
  t.after(remove);
  edit(
    'servers.yaml',
    'fixture-small, version: 1.0.0',
    'fixture-small, version: 1.1.0, releases: [1.0.0]',
  );
  const ledger = openLedger(`${root}/ledger`);
  const batch = new Batch(ledger.fold, STAMP);
  const bytes = payload([{ name: 'add', inputSchema: { type: 'object' } }]);
  const body = captured('small', batch.blob(bytes), 1);
  const next = { ...body, package: { ...body.package, version: '1.1.0' } };
  recordCaptures(batch, [{ body: next, payload: bytes }]);
  const text = newsReport(await news(root, ledger, batch));
  assert.match(text, /\*\*small@1\.1\.0\*\* against small@1\.0\.0 shrank by \d+ tokens/);
});
