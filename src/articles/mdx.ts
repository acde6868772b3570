/**
 * Parses MDX and markdown bodies to mdast and says what they bind: components, sections, prose.
 * Pure; it accepts only what every representation can render, and names the place of the rest.
 */
import Slugger from 'github-slugger';
import type { Heading, Nodes } from 'mdast';
import { markdownToMdast, mdxToMdast } from 'satteri';
import { Problem } from '../problem.ts';
import { type Prose, place } from './prose.ts';
import type { Section } from './record.ts';

/** The components that prose may use, and whether each stands in a line or on a line of its own. */
export const COMPONENTS = {
  Fig: 'inline',
  Cite: 'inline',
  Claim: 'block',
  DataTable: 'block',
  Symptoms: 'block',
  Sum: 'block',
} as const;
export type Component = keyof typeof COMPONENTS;

export interface Use {
  component: Component;
  id: string;
  /** Id of the heading that it stands under; empty before the first. */
  section: string;
  /** `file:line:column`. */
  at: string;
}

export interface Body {
  /** False where it could not be parsed, so that nothing can be said to be missing from it. */
  read: boolean;
  tree: Nodes;
  uses: Use[];
  /** Headings in order, with the ids that Astro gives them. */
  sections: Section[];
  prose: Prose[];
  problems: Problem[];
}

/** Smart punctuation would make quoted evidence differ from the bytes that were hashed. */
const FEATURES = { smartPunctuation: false, frontmatter: false };

/** Front matter's range in a file, less its fences; null when the file has none. */
export function frontMatter(source: string): { start: number; end: number; body: number } | null {
  const match = /^---\r?\n([\s\S]*?)^---[ \t]*(?:\r?\n|$)/m.exec(source);
  if (match === null || match.index !== 0) return null;
  const start = source.indexOf('\n') + 1;
  return { start, end: start + match[1]!.length, body: match[0].length };
}

/** The component that an MDX element is, or null. */
export function useOf(node: Nodes): { component: Component; id: string } | null {
  if (node.type !== 'mdxJsxFlowElement' && node.type !== 'mdxJsxTextElement') return null;
  const [attribute, ...more] = node.attributes;
  const known = node.name !== null && Object.hasOwn(COMPONENTS, node.name);
  if (!known || more.length > 0 || node.children.length > 0) return null;
  if (attribute?.type !== 'mdxJsxAttribute' || attribute.name !== 'id') return null;
  if (typeof attribute.value !== 'string') return null;
  return { component: node.name as Component, id: attribute.value };
}

/**
 * Reads a body. `from` is the offset at which it begins in the source: what stands before it (front
 * matter) is blanked, so that every position is one of the whole file. Problems: `mdx.syntax`,
 * `mdx.component`, `mdx.expression`, `mdx.esm`, `mdx.heading`, `number.reason`.
 */
export function parseBody(
  file: string,
  source: string,
  from = 0,
  kind: 'mdx' | 'markdown' = 'mdx',
): Body {
  const body: Body = {
    read: false,
    tree: { type: 'root', children: [] },
    uses: [],
    sections: [],
    prose: [],
    problems: [],
  };
  const blanked = source.slice(0, from).replace(/[^\r\n]/g, ' ') + source.slice(from);
  try {
    const parse = kind === 'mdx' ? mdxToMdast : markdownToMdast;
    body.tree = parse(blanked, { features: FEATURES });
    body.read = true;
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    const [, where, what] = /^(\d+:\d+): ([\s\S]*?)(?: \([\w:-]+\))?$/.exec(message) ?? [];
    body.problems.push(
      new Problem('mdx.syntax', what ?? message, {
        at: where === undefined ? file : `${file}:${where}`,
        mend: 'Mend the MDX there; text that looks like a tag or a brace wants a backslash or code.',
        cause,
      }),
    );
    return body;
  }
  new Reader(file, source, kind, body).children(body.tree);
  return body;
}

class Reader {
  readonly #file: string;
  readonly #source: string;
  readonly #slots: boolean;
  readonly #body: Body;
  readonly #slugger = new Slugger();

  constructor(file: string, source: string, kind: 'mdx' | 'markdown', body: Body) {
    this.#file = file;
    this.#source = source;
    this.#slots = kind === 'markdown';
    this.#body = body;
  }

  children(parent: Nodes, heading = false): void {
    if (!('children' in parent)) return;
    let last: Prose | null = null;
    for (const [index, node] of parent.children.entries()) {
      const first = heading && index === 0;
      if (node.type === 'text') {
        last = this.#text(node, node.value, first);
        continue;
      }
      if (node.type === 'mdxTextExpression' || node.type === 'mdxFlowExpression') {
        this.#expression(node, node.value, last, heading);
      } else this.#node(node, heading);
      last = null;
    }
  }

  #node(node: Nodes, heading: boolean): void {
    switch (node.type) {
      case 'code':
      case 'inlineCode':
        return;
      // Somebody else's words, and words that name an address.
      case 'blockquote':
      case 'link':
      case 'linkReference':
        this.#unbound(node);
        if ('title' in node && typeof node.title === 'string') this.#text(node, node.title, false);
        return;
      case 'definition':
        if (node.title) this.#text(node, node.title, false);
        return;
      case 'image':
      case 'imageReference':
        if (heading) this.#headingProblem(node);
        this.#text(node, node.alt ?? '', false);
        if ('title' in node && node.title) this.#text(node, node.title, false);
        return;
      case 'html':
        this.#report(
          node,
          'mdx.component',
          'raw HTML has no markdown form',
          'Write it as markdown.',
        );
        return;
      case 'mdxjsEsm':
        this.#report(
          node,
          'mdx.esm',
          'an article imports and exports nothing',
          'Put code into figures.ts; the components are there without an import.',
        );
        return;
      case 'mdxJsxFlowElement':
      case 'mdxJsxTextElement':
        if (heading) this.#headingProblem(node);
        else this.#element(node);
        return;
      case 'heading':
        this.#heading(node);
        return;
      default:
        this.children(node, heading);
    }
  }

  /** Components in a quote or a link are still bound; its text is not linted. */
  #unbound(node: Nodes): void {
    const kept = this.#body.prose.length;
    this.children(node);
    this.#body.prose.length = kept;
  }

  #text(node: Nodes, text: string, heading: boolean): Prose {
    const prose: Prose = {
      file: this.#file,
      source: this.#source,
      start: node.position?.start.offset ?? 0,
      end: node.position?.end.offset ?? this.#source.length,
      text,
      slots: this.#slots,
      heading,
    };
    this.#body.prose.push(prose);
    return prose;
  }

  #heading(node: Heading): void {
    if (node.depth === 1) {
      this.#report(
        node,
        'mdx.heading',
        'a heading of the first level is the title alone',
        'Begin the article’s own headings at ##.',
      );
    }
    const heading = textOf(node);
    this.#body.sections.push({ id: this.#slugger.slug(heading), heading });
    this.children(node, true);
  }

  #element(node: Nodes & { name: string | null }): void {
    const use = useOf(node);
    const name = node.name ?? 'a fragment';
    if (use === null) {
      this.#report(
        node,
        'mdx.component',
        node.name !== null && Object.hasOwn(COMPONENTS, node.name)
          ? `<${name}> takes an id of plain text and nothing else`
          : `<${name}> is not a component of articles`,
        `Use ${Object.keys(COMPONENTS)
          .map((known) => `<${known} id="…"/>`)
          .join(', ')}.`,
      );
      return;
    }
    if (COMPONENTS[use.component] === 'block' && node.type === 'mdxJsxTextElement') {
      this.#report(
        node,
        'mdx.component',
        `<${name}> stands inside a line`,
        'Give it a line of its own, with empty lines around it.',
      );
    }
    const section = this.#body.sections.at(-1)?.id ?? '';
    this.#body.uses.push({ ...use, section, at: this.#at(node) });
  }

  #expression(node: Nodes, value: string, before: Prose | null, heading: boolean): void {
    const comment = /^\s*\/\*((?:(?!\*\/)[\s\S])*)\*\/\s*$/.exec(value);
    if (heading) this.#headingProblem(node);
    else if (comment === null) {
      this.#report(
        node,
        'mdx.expression',
        `{${value}} is code in prose`,
        'Show a number with <Fig id="…"/>; write a brace as \\{.',
      );
    } else {
      const reason = /^\s*number:\s*(.*)$/s.exec(comment[1]!);
      if (reason === null) return;
      if (before === null || reason[1]!.trim() === '') {
        this.#report(
          node,
          'number.reason',
          before === null ? 'the comment stands behind no text' : 'the comment gives no reason',
          'Put {/* number: why it is not a figure */} right behind the text with the number.',
        );
      } else before.excused = true;
    }
  }

  #headingProblem(node: Nodes): void {
    this.#report(
      node,
      'mdx.heading',
      'a heading holds text only, since its id is made of it',
      'Move this into the paragraph below.',
    );
  }

  #report(node: Nodes, code: string, message: string, mend: string): void {
    this.#body.problems.push(new Problem(code, message, { at: this.#at(node), mend }));
  }

  #at(node: Nodes): string {
    return place(this.#file, this.#source, node.position?.start.offset ?? 0);
  }
}

/** Text content, as Astro takes it for heading ids. */
function textOf(node: Nodes): string {
  if (node.type === 'text' || node.type === 'inlineCode') return node.value;
  if (!('children' in node)) return '';
  return node.children.map(textOf).join('');
}
