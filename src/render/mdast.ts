/** The parts that markdown is made of, and how they are written. Pure; text is never taken for markup. */
import type {
  Link,
  List,
  Paragraph,
  PhrasingContent,
  Root,
  RootContent,
  Table,
  TableCell,
  Text,
} from 'mdast';
import { gfmToMarkdown } from 'mdast-util-gfm';
import { toMarkdown } from 'mdast-util-to-markdown';
import { visible } from './visible.ts';

const EXTENSIONS = [gfmToMarkdown({ tablePipeAlign: false })];

/**
 * Text in which nothing can be taken for markup, wherever it stands: letters, digits that begin no
 * list, and punctuation that is followed by a space or stands within a word or a number.
 */
const PLAIN =
  /^(?:[ \p{L},;:]|\p{N}+(?![.)\p{N}]))(?:[\p{L}\p{N} ,;%’“”]|(?<=[\p{L}\p{N}])[-'](?=[\p{L}\p{N}])|(?<=\p{N})\.(?=\p{N})|[.:?](?= |$))*$/u;

/**
 * Like toMarkdown, but quick with text that needs no escape, which is nearly all text; and what can't
 * be seen in a text is written so that it can.
 */
export function markdownOf(root: Root): string {
  return toMarkdown(root, {
    extensions: EXTENSIONS,
    bullet: '-',
    rule: '-',
    emphasis: '_',
    handlers: {
      text: (node: Text, _parent, state, info) => {
        const value = visible(node.value);
        // A space at the edge of a line would be lost, so there it is for `safe` to spell out.
        const edge =
          (info.before === '\n' && value.startsWith(' ')) ||
          (info.after === '\n' && value.endsWith(' '));
        return !edge && PLAIN.test(value) ? value : state.safe(value, info);
      },
    },
  });
}

export function text(value: string): PhrasingContent {
  return { type: 'text', value };
}

export function link(url: string, label: string): Link {
  return { type: 'link', url, children: [{ type: 'text', value: label }] };
}

export function paragraph(...children: PhrasingContent[]): Paragraph {
  return { type: 'paragraph', children };
}

export function heading(depth: 1 | 2 | 3, value: string): RootContent {
  return { type: 'heading', depth, children: [text(value)] };
}

export function list(items: PhrasingContent[][]): List {
  return {
    type: 'list',
    ordered: false,
    spread: false,
    children: items.map((item) => ({
      type: 'listItem',
      spread: false,
      children: [paragraph(...item)],
    })),
  };
}

export function grid(
  head: PhrasingContent[][],
  rows: PhrasingContent[][][],
  numeric: boolean[],
): Table {
  const row = (cells: PhrasingContent[][]) => ({
    type: 'tableRow' as const,
    children: cells.map((children): TableCell => ({ type: 'tableCell', children })),
  });
  return {
    type: 'table',
    align: head.map((_, i) => (numeric[i] === true ? 'right' : null)),
    children: [row(head), ...rows.map(row)],
  };
}
