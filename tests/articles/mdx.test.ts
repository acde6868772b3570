/** Section ids: those that this project checks claims against are those that Astro puts into the page. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type SatteriAstroData, satteriHeadingIdsPlugin } from '@astrojs/markdown-satteri';
import { mdxToJs } from 'satteri';
import { frontMatter, parseBody } from '../../src/articles/mdx.ts';

test('sections have the ids and headings that Astro gives them', async () => {
  const source = `---
title: x
---

## What ten servers cost

## What *ten* servers \`cost\`, & why: "so" — it's

### Ünïcode, 日本語 & [a link](http://x)

## What ten servers cost

## ~~Gone~~ a -- b

## snake_case and \\{braces\\}
`;
  const from = frontMatter(source)!.body;
  const astro: SatteriAstroData = {
    frontmatter: {},
    headings: [],
    localImagePaths: new Set(),
    remoteImagePaths: new Set(),
  };
  await mdxToJs(source.slice(from), {
    features: { smartPunctuation: false },
    hastPlugins: [satteriHeadingIdsPlugin()],
    data: { astro },
  });
  const { sections, problems } = parseBody('x.mdx', source, from);
  assert.deepEqual(problems, []);
  assert.deepEqual(
    sections,
    astro.headings.map(({ slug, text }) => ({ id: slug, heading: text })),
  );
  assert.equal(sections[3]!.id, 'what-ten-servers-cost-1');
});

test('front matter is found under both line endings, and only at the top', () => {
  for (const end of ['\n', '\r\n']) {
    const source = ['---', 'title: x', '---', 'Body'].join(end);
    const range = frontMatter(source)!;
    assert.equal(source.slice(range.start, range.end).trim(), 'title: x');
    assert.equal(source.slice(range.body), 'Body');
  }
  assert.equal(frontMatter('\n---\ntitle: x\n---\n'), null);
  assert.equal(frontMatter('---\ntitle: x\n'), null);
});
