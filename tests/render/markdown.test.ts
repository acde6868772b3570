/** What the quick way of writing text must never change. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Root } from 'mdast';
import { gfmToMarkdown } from 'mdast-util-gfm';
import { toMarkdown } from 'mdast-util-to-markdown';
import { markdownOf } from '../../src/render/mdast.ts';

const text = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc
    .array(
      fc.constantFrom(
        'a',
        'w',
        'www.',
        'http://x.y',
        'a@b.c',
        '1',
        '1.',
        '- ',
        '+',
        '#',
        ' ',
        '|',
        "it's",
        'o200k_base',
        '*',
        '_',
        '`',
        '[',
        '](',
        '&amp;',
        '<b>',
        ':',
        '. ',
        '~',
        '\\',
        '!',
        '(',
        '=',
        '”',
        'é',
        ';',
        '%',
      ),
      { maxLength: 8 },
    )
    .map((pieces) => pieces.join('')),
);

test('text is written as the escaping library would write it, wherever it stands', () => {
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 3 }), (values) => {
      const children = values.flatMap((value, i) => [
        ...(i > 0
          ? [{ type: 'link' as const, url: '#x', children: [{ type: 'text' as const, value }] }]
          : []),
        { type: 'text' as const, value },
      ]);
      const cell = { type: 'tableCell' as const, children };
      const root: Root = {
        type: 'root',
        children: [
          { type: 'paragraph', children },
          { type: 'heading', depth: 2, children },
          { type: 'blockquote', children: [{ type: 'paragraph', children }] },
          {
            type: 'list',
            children: [{ type: 'listItem', children: [{ type: 'paragraph', children }] }],
          },
          {
            type: 'table',
            align: [null],
            children: [{ type: 'tableRow', children: [cell, cell] }],
          },
        ],
      };
      assert.equal(
        markdownOf(root),
        toMarkdown(root, {
          extensions: [gfmToMarkdown({ tablePipeAlign: false })],
          bullet: '-',
          rule: '-',
          emphasis: '_',
        }),
      );
    }),
    { numRuns: 2_000, seed: 145 },
  );
});
