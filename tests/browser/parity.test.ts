import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Nodes } from 'mdast';
import { markdownToMdast } from 'satteri';
import { DIST } from '../../src/build.ts';
import { forms } from '../../src/render/forms.ts';
import { slugs, visit } from './site.ts';

interface Shown {
  figures: string[];
  claims: string[];
  /** Each table as its rows, a row as its cells' text. */
  tables: string[][][];
}

const PAGE = /^(?:claim|source|symptom|table)-/;

/** What a reader of the markdown finds: figures by their rows, claims by their headings. */
function inMarkdown(text: string): Shown & { linked: string[] } {
  const shown = { figures: [], claims: [], tables: [], linked: [] } as Shown & { linked: string[] };
  let section = '';
  let tables: string[][][] = [];
  const visitNode = (node: Nodes): void => {
    if (node.type === 'heading' && node.depth === 2) section = textOf(node);
    const claim =
      node.type === 'heading' && node.depth === 3 ? /^Claim (\S+)$/.exec(textOf(node)) : null;
    if (claim?.[1] !== undefined) shown.claims.push(claim[1]);
    if (node.type === 'link' && node.url.startsWith('#') && !PAGE.test(node.url.slice(1))) {
      shown.linked.push(decodeURIComponent(node.url.slice(1)));
    }
    if (node.type === 'table') {
      const rows = node.children.slice(1).map((row) => row.children.map(textOf));
      if (section === 'Figures') shown.figures.push(...rows.map(([id = '']) => id));
      else if (section !== 'Captures') tables = [...tables, rows];
    }
    if ('children' in node) for (const child of node.children) visitNode(child);
  };
  visitNode(markdownToMdast(text) as Nodes);
  return { ...shown, tables };
}

function textOf(node: Nodes): string {
  if ('value' in node) return node.value;
  return 'children' in node ? node.children.map(textOf).join('') : '';
}

for (const slug of slugs) {
  test(`${slug}: page and markdown show the same figures, claims and table rows`, () =>
    visit(forms(slug).page, {}, async (page) => {
      const onPage: Shown = await page.evaluate(() => {
        const ids = (selector: string) =>
          [...document.querySelectorAll(selector)].map(({ id }) => id);
        return {
          figures: ids('.ticket'),
          claims: ids('.claim').map((id) => id.replace(/^claim-/, '')),
          tables: [...document.querySelectorAll('main table')].map((table) =>
            [...table.querySelectorAll('tbody tr')].map((row) =>
              [...row.children].map(({ textContent }) => textContent ?? ''),
            ),
          ),
        };
      });
      const markdown = inMarkdown(readFileSync(`${DIST}${forms(slug).markdown}`, 'utf8'));
      const sorted = (ids: string[]) => [...ids].sort();
      assert.ok(onPage.figures.length > 0 && onPage.claims.length > 0);
      assert.deepEqual(sorted(onPage.figures), sorted(markdown.figures), 'figures');
      assert.deepEqual(sorted(onPage.claims), sorted(markdown.claims), 'claims');
      assert.deepEqual(onPage.tables, markdown.tables, 'tables');

      const linked = await page
        .locator('main .fig')
        .evaluateAll((all) => all.map((one) => one.getAttribute('href')?.slice(1) ?? ''));
      assert.deepEqual(
        [...new Set(linked)].sort(),
        [...new Set(markdown.linked)].sort(),
        'figures that the text shows',
      );
    }));
}
