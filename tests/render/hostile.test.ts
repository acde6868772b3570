/**
 * What a server, a registry or a page elsewhere may have written, through every form that shows it: it
 * comes out as text, in each form's own sense.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Parser } from 'htmlparser2';
import { markdownToMdast } from 'satteri';
import { parse } from 'yaml';
import type { ArticleRecord } from '../../src/articles/record.ts';
import { loadSite } from '../../src/load.ts';
import { renderFeed } from '../../src/render/feed.ts';
import { renderFigureCsv, renderFigureJson } from '../../src/render/figure.ts';
import { renderArticleJson } from '../../src/render/json.ts';
import { renderLinkedData } from '../../src/render/linked-data.ts';
import { renderLlms } from '../../src/render/llms.ts';
import { renderArticleMarkdown } from '../../src/render/markdown.ts';
import { transcribe } from '../../src/render/page.ts';
import { printable } from '../../src/render/printable.ts';
import { renderSkill } from '../../src/render/skill.ts';
import { visible } from '../../src/render/visible.ts';
import { type Project, STAMP } from '../articles/fixture.ts';
import { recorded } from '../articles/recorded.ts';
import { SITE } from './golden.ts';

const WORD = 'w'.repeat(50_000);
const HOSTILE: Record<string, string> = {
  html: '<img src=x onerror=alert(1)><b>bold</b>',
  script: '</script></textarea><script>alert(1)</script>',
  'a link in markdown':
    '[click](javascript:alert(1)) ![i](https://evil.test/x) <https://evil.test>',
  'structure of markdown': '# head\n\n---\n- item\n> quote\n```\nfence\n| a | b |',
  bidi: 'safe\u202eevil\u202c \u2066x\u2069 \u200f',
  ansi: '\u001b[31mred\u001b]0;title\u0007\u009b1m',
  tags: 'plain\u{e0041}\u{e0042}',
  'a formula': '=HYPERLINK("https://evil.test")',
  'front matter': 'x\n---\nname: other\n---',
  'an entity': '&lt;script&gt; &#x202e;',
  'one word of 50 kB': WORD,
};
const UNSEEN = /[^\P{Cc}\n\t]|[\u200e\u200f\u202a-\u202e\u2066-\u2069]|[\u{e0000}-\u{e007f}]/u;

let made: Project;
let record: ArticleRecord;
before(async () => {
  made = await recorded();
  record = (await loadSite({ root: made.root })).articles[0]!;
});
after(() => made.remove());

/** The record with that text wherever somebody else's may stand. */
const holding = (text: string): ArticleRecord => ({
  ...record,
  failures: record.failures.map((failure) => ({ ...failure, message: text })),
  sources: record.sources.map((source) => ({
    ...{ ...source, title: text, author: text, quote: text, summary: text },
  })),
  figures: record.figures.map((figure) => ({ ...figure, label: text })),
  claims: record.claims.map((claim) => ({ ...claim, why: text, rationale: text, claimedBy: text })),
  captures: record.captures.map((capture) => ({ ...capture, server: text })),
});

interface Node {
  type: string;
  url?: string;
  value?: string;
  children?: Node[];
}
function nodes(node: Node): Node[] {
  return [node, ...(node.children ?? []).flatMap(nodes)];
}
/** No markup came of it: no HTML, no image, no link but one that reads as it leads. */
function assertPlain(markdown: string, what: string): void {
  for (const { type, url = '', children } of nodes(markdownToMdast(markdown) as Node)) {
    assert.ok(type !== 'html' && type !== 'image' && type !== 'imageReference', `${what}: ${type}`);
    // This reader makes links of bare addresses, escaped or not; such a one hides nothing.
    const bare = children?.length === 1 && children[0]?.value === url;
    if (!bare) assert.doesNotMatch(url, /^javascript:|evil\.test/, what);
  }
  assert.doesNotMatch(markdown, UNSEEN, what);
}

for (const [what, text] of Object.entries(HOSTILE)) {
  test(`${what} is text in markdown, and leaves its structure as it was`, () => {
    const shape = (of: ArticleRecord) =>
      nodes(markdownToMdast(renderArticleMarkdown(of, SITE)) as Node).filter(({ type }) =>
        ['heading', 'table', 'tableRow', 'code', 'thematicBreak'].includes(type),
      ).length;
    const hostile = holding(text);
    assertPlain(renderArticleMarkdown(hostile, SITE), what);
    assert.equal(shape(hostile), shape(holding('harmless')));
  });

  test(`${what} is text in a page’s transcript, in llms.txt and in a skill`, () => {
    const escaped = text.replace(/[&<>]/g, (c) => `&#${c.charCodeAt(0)};`);
    const page = `<main><p>${escaped}</p><pre><code>${escaped}</code></pre><table><tr><td>${escaped}</td></tr></table></main>`;
    assertPlain(
      transcribe(page, (href) => href),
      what,
    );
    for (const list of renderLlms(
      [{ path: '/a/x/', title: text, description: text }],
      SITE,
    ).values()) {
      assertPlain(list, what);
      assert.equal(list.match(/^# /gm)?.length, 1);
    }
    const skill = renderSkill(
      { ...record, skill: { ...record.skill, description: text.slice(0, 1_000) } },
      SITE,
    );
    const [, front = '', body = ''] = /^---\n(.*?)\n---\n(.*)$/s.exec(skill) ?? [];
    assert.deepEqual(Object.keys(parse(front)), ['name', 'description', 'license', 'metadata']);
    assertPlain(body, what);
  });

  test(`${what} is data in JSON and linked data, a cell in CSV, and text in a feed`, () => {
    const hostile = holding(text);
    assert.ok(
      JSON.stringify(JSON.parse(renderArticleJson(hostile, SITE))).includes(JSON.stringify(text)),
    );
    const figure = { ...hostile.figures[0]!, label: text };
    assert.equal(JSON.parse(renderFigureJson(hostile, figure, SITE)).label, text);
    assert.doesNotMatch(
      renderLinkedData({ ...hostile, title: text, summary: text }, SITE),
      /[<>&]/,
    );
    assert.doesNotMatch(renderFigureCsv(hostile, figure, SITE), /(?:^|,)"?[=+@]/m);
    const at = record.entries[0]!;
    const about = { title: 't', path: '/articles.xml', page: '/', updated: STAMP.ts };
    const feed = renderFeed({ ...about, entries: [{ at, title: text, path: '/', text }] }, SITE);
    const names: string[] = [];
    const parser = new Parser({ onopentag: (name) => names.push(name) }, { xmlMode: true });
    parser.end(feed);
    assert.deepEqual([...new Set(names)].sort(), [
      ...['author', 'content', 'entry', 'feed', 'id', 'link', 'name', 'title', 'updated'],
    ]);
    assert.doesNotMatch(feed, UNSEEN);
  });

  test(`${what} is seen for what it is on a page and in a terminal`, () => {
    assert.doesNotMatch(visible(text), UNSEEN);
    assert.doesNotMatch(printable(text), UNSEEN);
    assert.equal(visible('père 👩‍👩‍👧 اَلْعَرَبِيَّةُ\n\tx'), 'père 👩‍👩‍👧 اَلْعَرَبِيَّةُ\n\tx');
  });
}
