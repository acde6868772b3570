/** Series: what is next to what, and what is refused. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { load, loadSite } from '../../src/load.ts';
import { FILES, project } from './fixture.ts';

const removals: (() => void)[] = [];
after(() => {
  for (const remove of removals) remove();
});

const OLD = 'articles/what-fixtures-cost/';
/** The fixture's article again, under other names and at other places. */
async function series(places: Record<string, { position: number; status?: string }>) {
  const files = Object.entries(places).flatMap(([slug, { position, status = 'published' }]) =>
    Object.entries(FILES)
      .filter(([path]) => path.startsWith(OLD))
      .map(([path, text]) => [
        path.replace(OLD, `articles/${slug}/`),
        text
          .replace('status: published', `status: ${status}`)
          .replace('tags:', `series: { name: Fixtures, position: ${position} }\ntags:`)
          .replace('title: What', `title: ${slug}: What`.replace(': What', ' or what')),
      ]),
  );
  const made = await project(Object.fromEntries(files) as Record<string, string>);
  removals.push(made.remove);
  return made.root;
}

test('articles stand by their positions, gaps closed, and drafts are no neighbours', async () => {
  const root = await series({
    one: { position: 9 },
    two: { position: 2 },
    three: { position: 4 },
    draft: { position: 3, status: 'draft' },
  });
  const { articles } = await loadSite({ root });
  const places = Object.fromEntries(
    articles.map(({ slug, series }) => [
      slug,
      series && [series.position, series.of, series.prev?.slug, series.next?.slug],
    ]),
  );
  assert.deepEqual(places, {
    one: [3, 3, 'three', undefined],
    two: [1, 3, undefined, 'three'],
    three: [2, 3, 'two', 'one'],
    draft: [2, 4, 'two', 'three'],
    'what-fixtures-cost': null,
  });
});

test('one place in a series is not given twice', async () => {
  const root = await series({ one: { position: 1 }, two: { position: 1 } });
  const { problems } = await load({ root });
  const [problem, ...others] = problems.filter(({ code }) => code === 'series.position');
  assert.deepEqual(others, []);
  assert.match(String(problem), /one is 1 of Fixtures already/);
  assert.match(String(problem), /two\/index\.mdx:\d+:\d+/);
});
