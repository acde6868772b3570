import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { compareCaptures } from '../../src/articles/history.ts';
import { parseReleases, parseServers } from '../../src/articles/servers.ts';
import { append } from '../../src/disk/append.ts';
import { openLedger } from '../../src/disk/ledger.ts';
import { loadSite } from '../../src/load.ts';
import { captured, FAILED, payload, project, STAMP } from './fixture.ts';

const YAML = `- { name: small, package: fixture-small, version: 1.0.0, licence: MIT, as_of: 2026-01-02, releases: [0.1.0, 0.2.0, 0.3.0] }
- { name: past, package: fixture-past, version: 1.0.0, licence: MIT, as_of: 2026-01-02, releases: [0.1.0], history_only: true }
`;
const tool = (name: string) => ({ name, inputSchema: { type: 'object' } });

/** A ledger that holds some of them: one release failed, one was never tried. */
async function history() {
  const at = await project({ 'servers.yaml': YAML });
  const of = (version: string) => (body: ReturnType<typeof captured>) => ({
    ...body,
    package: { ...body.package, version },
  });
  await append(join(at.root, 'ledger'), STAMP, (batch) => {
    const add = (server: string, version: string, tools: unknown[]) => {
      const body = of(version)(captured(server, batch.blob(payload(tools)), tools.length));
      batch.add({ type: 'capture.add', article: null, body });
    };
    add('small', '0.1.0', [tool('add'), tool('gone')]);
    const failed = of('0.2.0')({ ...FAILED, server: 'small' });
    batch.add({ type: 'capture.add', article: null, body: failed });
    add('past', '1.0.0', [tool('only')]);
  });
  return at;
}

test('captured releases are compared over one that failed, which is told, and one never tried', async () => {
  const { root, remove } = await history();
  const { fold, blob } = openLedger(join(root, 'ledger'));
  let read = 0;
  const counting = (sha256: string) => {
    read++;
    return blob(sha256);
  };
  const once = () => compareCaptures(fold, counting, parseReleases(YAML));
  const { histories, captures } = once();
  const [small, past] = histories;
  assert.deepEqual(
    small?.releases.map(({ version, tools }) => [version, tools]),
    [
      ['0.1.0', 2],
      ['1.0.0', 2],
    ],
  );
  assert.deepEqual(
    small?.releases[1]?.difference?.changes.map(({ tool, change }) => [tool, change]),
    [
      ['add', 'grew'],
      ['say', 'added'],
      ['gone', 'removed'],
    ],
  );
  assert.deepEqual(
    small?.failures.map(({ version, code, captured }) => [version, code, captured]),
    [['0.2.0', 'timeout', false]],
  );
  assert.deepEqual([past?.name, past?.releases.length], ['past', 1]);
  for (const release of histories.flatMap(({ releases }) => releases)) {
    assert.equal(captures.get(release.leaf)?.version, release.version);
  }
  assert.deepEqual([read, once().histories], [3, histories]);
  assert.equal(read, 3, 'a payload was measured twice');
  remove();
});

test('the site has the histories and figures to show, and those servers count among none of now', async () => {
  const { root, edit, remove } = await history();
  edit('articles/what-fixtures-cost/index.mdx', '{servers.all.count}', '{releases.small.count}');
  edit(
    'articles/what-fixtures-cost/index.mdx',
    '## Elsewhere',
    'It grew by <Fig id="releases.small.1.0.0.tokens_change"/>, of <Fig id="releases.past.1.0.0.tokens"/>.\n\n## Elsewhere',
  );
  edit(
    'articles/what-fixtures-cost/figures.ts',
    "servers.copies.tokens')!",
    "servers.small.tokens')!",
  );
  const { servers, histories, articles, problems } = await loadSite({ root });
  assert.deepEqual(problems.map(String), []);
  assert.deepEqual(
    servers.map(({ name }) => name),
    parseServers(YAML).map(({ name }) => name),
  );
  assert.deepEqual(
    histories.map(({ name }) => name),
    ['small', 'past'],
  );
  const [article] = articles;
  const shown = article?.figures.find(({ id }) => id === 'releases.small.1.0.0.tokens_change');
  assert.equal(shown?.inputs.length, 2);
  const versions = article?.captures.map(({ server, version }) => `${server}@${version}`);
  assert.deepEqual(versions, ['small@1.0.0', 'small@0.1.0', 'past@1.0.0']);
  remove();
});
