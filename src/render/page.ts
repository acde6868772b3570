/**
 * A built page -> what lists say of it, and its text as markdown where it has no renderer of its own.
 * Pure. It says what the page says and no more; what stands on a page as text is never markup here.
 */
import type {
  BlockContent,
  ListItem,
  PhrasingContent,
  RootContent,
  TableCell,
  TableRow,
} from 'mdast';
import { htmlToHast } from 'satteri';
import { grid, markdownOf, text } from './mdast.ts';
import { visible } from './visible.ts';

/** What the head of a page says. */
export interface Head {
  title: string;
  description: string;
}

const ENTITY: Readonly<Record<string, string>> = {
  '&#34;': '"',
  '&#39;': "'",
  '&lt;': '<',
  '&gt;': '>',
  '&amp;': '&',
};
/** Astro escapes these five, and nothing else. */
const plain = (escaped: string) => escaped.replace(/&(?:#34|#39|lt|gt|amp);/g, (c) => ENTITY[c]!);

/** Null where it has no title. `name` is the site's, which titles end with. */
export function headOf(html: string, name: string): Head | null {
  const head = html.slice(0, html.indexOf('</head>'));
  const title = /<title>([^<]*)<\/title>/.exec(head)?.[1];
  if (title === undefined) return null;
  const description = /<meta name="description" content="([^"]*)"/.exec(head)?.[1] ?? '';
  const ending = ` · ${name}`;
  const whole = plain(title);
  return {
    title: whole.endsWith(ending) ? whole.slice(0, -ending.length) : whole,
    description: plain(description),
  };
}

interface Node {
  type: string;
  tagName?: string;
  value?: string;
  properties?: Record<string, unknown>;
  children?: Node[];
}

/** What is of use on a screen only. */
const LEFT_OUT = new Set(['script', 'style', 'template', 'form', 'button', 'nav', 'svg', 'hr']);
const PHRASING = new Set([
  ...['a', 'abbr', 'b', 'br', 'cite', 'code', 'del', 'em', 'i', 'img', 'ins', 'kbd', 'small'],
  ...['span', 'strong', 'sub', 'sup', 'time', 'wbr', 'label'],
]);

/** The main part of a page as markdown. `address` makes a link of the page one that leads there from anywhere. */
export function transcribe(html: string, address: (href: string) => string): string {
  const main = mainOf(html);
  return markdownOf({ type: 'root', children: main === null ? [] : blocks(main, address) });
}

/** The main part alone is parsed: text can't hold its tags, since Astro escapes it. */
function mainOf(html: string): Node | null {
  const [main = ''] = /<main[\s>].*<\/main>/s.exec(html) ?? [];
  return find(htmlToHast(main) as Node, 'main');
}

function find(node: Node, tag: string): Node | null {
  if (node.tagName === tag) return node;
  for (const child of node.children ?? []) {
    const found = find(child, tag);
    if (found !== null) return found;
  }
  return null;
}

type Address = (href: string) => string;

/** What stands in an element as blocks; words between blocks are a paragraph. */
function blocks({ children = [] }: Node, address: Address): RootContent[] {
  const made: RootContent[] = [];
  let words: Node[] = [];
  const flush = () => {
    const inside = phrasing(words, address);
    if (inside.length > 0) made.push({ type: 'paragraph', children: inside });
    words = [];
  };
  for (const child of children) {
    if (child.type === 'text' || (child.tagName !== undefined && PHRASING.has(child.tagName))) {
      words.push(child);
      continue;
    }
    flush();
    if (child.type === 'element') made.push(...block(child, address));
  }
  flush();
  return made;
}

function block(node: Node, address: Address): RootContent[] {
  const { tagName = '', children = [] } = node;
  if (LEFT_OUT.has(tagName)) return [];
  const heading = /^h([1-6])$/.exec(tagName);
  if (heading !== null) {
    const depth = Number(heading[1]) as 1 | 2 | 3 | 4 | 5 | 6;
    return [{ type: 'heading', depth, children: phrasing(children, address) }];
  }
  switch (tagName) {
    case 'ul':
    case 'ol': {
      const items = children.filter((child) => child.tagName === 'li');
      return some(items, (children) => ({
        ...{ type: 'list', ordered: tagName === 'ol', spread: false },
        children: children.map((item) => listItem(blocks(item, address))),
      }));
    }
    case 'dl':
      return some(pairs(node), (all) => ({
        ...{ type: 'list', ordered: false, spread: false },
        children: all.map(({ term, means }) => {
          const [first, ...more] = means.flatMap((one) => blocks(one, address));
          const name: PhrasingContent = { type: 'strong', children: phrasing([term], address) };
          return first?.type === 'paragraph'
            ? listItem([
                {
                  type: 'paragraph',
                  children: [name, { type: 'text', value: ': ' }, ...first.children],
                },
                ...more,
              ])
            : listItem([
                { type: 'paragraph', children: [name] },
                ...(first ? [first, ...more] : []),
              ]);
        }),
      }));
    case 'pre':
      return [{ type: 'code', value: visible(textOf(node).replace(/\n$/, '')) }];
    case 'blockquote':
      return [{ type: 'blockquote', children: blocks(node, address) as BlockContent[] }];
    case 'table':
      return table(node, address);
    case 'div':
      return has(node, 'bars') ? chart(node) : blocks(node, address);
    default:
      return blocks(node, address);
  }
}

const listItem = (children: RootContent[]): ListItem => ({
  type: 'listItem',
  spread: false,
  children: children as BlockContent[],
});

/** Nothing for a list without items, which markdown has no way to write. */
function some<T>(items: readonly T[], make: (items: readonly T[]) => RootContent): RootContent[] {
  return items.length === 0 ? [] : [make(items)];
}

/** The terms of a list of definitions, each with what follows it; they may stand in a `div` each. */
function pairs(node: Node): { term: Node; means: Node[] }[] {
  const found: { term: Node; means: Node[] }[] = [];
  const read = (child: Node): void => {
    if (child.tagName === 'dt') found.push({ term: child, means: [] });
    else if (child.tagName === 'dd') found.at(-1)?.means.push(child);
    else child.children?.forEach(read);
  };
  node.children?.forEach(read);
  return found;
}

function table(node: Node, address: Address): RootContent[] {
  const rows: Node[] = [];
  const collect = (child: Node): void => {
    if (child.tagName === 'tr') rows.push(child);
    else child.children?.forEach(collect);
  };
  collect(node);
  const caption = find(node, 'caption');
  const cells = (row: Node) =>
    (row.children ?? []).filter(({ tagName }) => tagName === 'th' || tagName === 'td');
  const right = (cell: Node) =>
    (cell.properties?.['className'] as string[] | undefined)?.includes('align-right') === true;
  return [
    ...(caption === null
      ? []
      : [
          {
            type: 'paragraph' as const,
            children: [{ type: 'strong' as const, children: phrasing([caption], address) }],
          },
        ]),
    ...some(rows, (all) => ({
      type: 'table',
      align: cells(all[0]!).map((cell) => (right(cell) ? 'right' : null)),
      children: all.map(
        (row): TableRow => ({
          type: 'tableRow',
          children: cells(row).map(
            (cell): TableCell => ({
              type: 'tableCell',
              children: inline(phrasing([cell], address)),
            }),
          ),
        }),
      ),
    })),
  ];
}

/** A chart of src/render/bars.ts as a table: what each row is called, its parts by the legend, the whole. */
function chart(node: Node): RootContent[] {
  const { children = [], properties = {} } = node;
  const drawn = children.filter(({ tagName }) => tagName === 'svg');
  const rows = drawn.map((svg) => {
    const label = children[children.indexOf(svg) - 1];
    const titles = (svg.children ?? []).flatMap((rect) => find(rect, 'title') ?? []);
    const parts = titles.map((title) => /^(.*) (\S+)$/.exec(textOf(title)) ?? []);
    return {
      label: label ? textOf(label) : '',
      parts: parts.map(([, name = '', value = '']) => ({ name, value })),
      whole: textOf(find(svg, 'text') ?? { type: 'text', value: '' }),
    };
  });
  const names = rows[0]?.parts.map(({ name }) => name) ?? [];
  const head = [
    String(properties['dataRows'] ?? ''),
    ...names.map((name) => `${name.charAt(0).toUpperCase()}${name.slice(1)}`),
    String(properties['dataWhole'] ?? ''),
  ];
  return some(rows, (all) =>
    grid(
      head.map((name) => [text(name)]),
      all.map(({ label, parts, whole }) =>
        [label, ...parts.map(({ value }) => value), whole].map((cell) => [text(cell)]),
      ),
      head.map((_, i) => i > 0),
    ),
  );
}

/** A cell is one line. */
const inline = (all: PhrasingContent[]): PhrasingContent[] =>
  all.map((one) => (one.type === 'break' ? { type: 'text', value: ' ' } : one));

function phrasing(nodes: readonly Node[], address: Address): PhrasingContent[] {
  const made = nodes.flatMap((node, i) => [
    ...(apart(nodes[i - 1], node) ? [{ type: 'text' as const, value: ' ' }] : []),
    ...phrase(node, address),
  ]);
  // Neighbours that are words become one, so that spaces between them can be told.
  const joined: PhrasingContent[] = [];
  for (const one of made) {
    const before = joined.at(-1);
    if (one.type === 'text' && before?.type === 'text') before.value += one.value;
    else joined.push(one.type === 'text' ? { ...one } : one);
  }
  for (const one of joined) if (one.type === 'text') one.value = one.value.replace(/\s+/g, ' ');
  const [first, last] = [joined[0], joined.at(-1)];
  if (first?.type === 'text') first.value = first.value.trimStart();
  if (last?.type === 'text') last.value = last.value.trimEnd();
  return joined.filter((one) => one.type !== 'text' || one.value !== '');
}

function phrase(node: Node, address: Address): PhrasingContent[] {
  const { type, tagName = '', value = '', properties = {}, children = [] } = node;
  if (type === 'text') return [{ type: 'text', value }];
  if (type !== 'element' || LEFT_OUT.has(tagName)) return [];
  switch (tagName) {
    case 'br':
      return [{ type: 'break' }];
    case 'code':
    case 'kbd': {
      const code = visible(textOf(node)).replace(/\s+/g, ' ');
      return code === '' ? [] : [{ type: 'inlineCode', value: code }];
    }
    case 'a': {
      const href = properties['href'];
      const inside = phrasing(children, address);
      if (typeof href !== 'string' || inside.length === 0) return inside;
      return [{ type: 'link', url: address(href), children: inside as [] }];
    }
    case 'strong':
    case 'b':
      return wrap('strong', children, address);
    case 'em':
    case 'i':
      return wrap('emphasis', children, address);
    case 'del':
      return wrap('delete', children, address);
    default:
      return children.flatMap((child) => phrase(child, address));
  }
}

/** Elements with nothing between them are set apart by the style sheet, or are pieces of one code. */
const APART = new Set(['a', 'b', 'span', 'time', 'bdi', 'small']);
function apart(before: Node | undefined, after: Node): boolean {
  return APART.has(before?.tagName ?? '') && APART.has(after.tagName ?? '');
}

function has({ properties }: Node, name: string): boolean {
  return (properties?.['className'] as string[] | undefined)?.includes(name) === true;
}

function wrap(
  type: 'strong' | 'emphasis' | 'delete',
  children: readonly Node[],
  address: Address,
): PhrasingContent[] {
  const inside = phrasing(children, address);
  return inside.length === 0 ? [] : [{ type, children: inside }];
}

function textOf({ value, children = [] }: Node): string {
  return value ?? children.map(textOf).join('');
}

/** The words of a page's main part, without its tickets, charts, keys to them, hashes and columns of numbers. */
export function wordsOf(html: string): string {
  const main = mainOf(html);
  const words = (node: Node): string => {
    if (node.value !== undefined) return node.value;
    if (LEFT_OUT.has(node.tagName ?? '')) return ' ';
    if (['tickets', 'bars', 'key', 'mono'].some((name) => has(node, name))) return ' ';
    if (node.tagName === 'pre') return ` ${textOf(node)} `;
    if (node.tagName === 'code') return textOf(node);
    const children = node.children ?? [];
    const inside = children
      .map((child, i) => `${apart(children[i - 1], child) ? ' ' : ''}${words(child)}`)
      .join('');
    return PHRASING.has(node.tagName ?? '') ? inside : ` ${inside} `;
  };
  return main === null ? '' : words(main).replace(/\s+/g, ' ').trim();
}
