/**
 * ArticleRecord -> markdown for readers without a browser. Pure; the answer comes first, every
 * component becomes plain markdown, and whatever was captured or quoted is text, never markup.
 */
import type { BlockContent, Link, Nodes, PhrasingContent, Root, RootContent } from 'mdast';
import { parseBody, useOf } from '../articles/mdx.ts';
import type {
  ArticleRecord,
  FigureRecord,
  Parts,
  Receipt,
  SourceRecord,
} from '../articles/record.ts';
import { Problem } from '../problem.ts';
import type { SiteAddress } from '../site.ts';
import { claimAnchor, figureAnchor, sourceAnchor } from './anchor.ts';
import { forms } from './forms.ts';
import { grid, heading, link, list, markdownOf, paragraph, text } from './mdast.ts';
import { rowsOf, symptomMarkdown } from './symptoms.ts';

/** The whole article. Throws Problem `render.component` for what has no markdown form. */
export function renderArticleMarkdown(record: ArticleRecord, site: SiteAddress): string {
  const root: Root = { type: 'root', children: new Writer(record, site).article() };
  return markdownOf(root);
}

class Writer {
  readonly #record: ArticleRecord;
  readonly #site: SiteAddress;
  readonly #figures: ReadonlyMap<string, FigureRecord>;

  constructor(record: ArticleRecord, site: SiteAddress) {
    this.#record = record;
    this.#site = site;
    this.#figures = new Map(record.figures.map((figure) => [figure.id, figure]));
  }

  article(): RootContent[] {
    const { title, summaryParts, stats, notes, claims, sources, figures } = this.#record;
    return [
      heading(1, title),
      paragraph(...this.#parts(summaryParts)),
      ...some(stats, () => [
        list(stats.map(({ figure, label }) => [this.#figure(figure), text(` ${label}`)])),
      ]),
      ...this.#series(),
      ...this.#body(),
      ...some(notes, () => [heading(2, 'Notes'), list(notes.map((note) => this.#parts(note)))]),
      ...this.#failures(),
      ...some(claims, () => [
        heading(2, 'Claims'),
        ...claims.flatMap((claim) => this.#claim(claim)),
      ]),
      ...some(sources, () => [
        heading(2, 'Sources'),
        ...sources.flatMap((source) => this.#source(source)),
      ]),
      ...some(figures, () => [heading(2, 'Figures'), this.#figureTable()]),
      ...this.#captures(),
      ...this.#colophon(),
    ];
  }

  #series(): RootContent[] {
    const { series } = this.#record;
    if (series === null) return [];
    const to = (role: string, other: typeof series.next): PhrasingContent[] =>
      other === null
        ? []
        : [
            text(` ${role}: `),
            link(this.#site.url(forms(other.slug).markdown), other.title),
            text('.'),
          ];
    const { name, position, of, prev, next } = series;
    return [
      paragraph(
        text(`Part ${position} of ${of} of ${name}.`),
        ...to('Before it', prev),
        ...to('After it', next),
      ),
    ];
  }

  /** The prose, each component replaced. */
  #body(): RootContent[] {
    const { tree, problems } = parseBody(`/a/${this.#record.slug}/`, this.#record.mdx);
    if (problems[0] !== undefined) throw problems[0];
    return this.#children(tree) as RootContent[];
  }

  #children(parent: Nodes): Nodes[] {
    if (!('children' in parent)) return [];
    return parent.children.flatMap((child, i) => {
      const [before, comment] = [parent.children[i - 2], parent.children[i - 1]];
      // Where a comment went, one of the spaces around it goes too.
      const gap = comment?.type === 'mdxTextExpression' && before?.type === 'text';
      return child.type === 'text' && gap && / $/.test(before.value)
        ? [{ ...child, value: child.value.trimStart() }]
        : this.#node(child);
    });
  }

  #node(node: Nodes): Nodes[] {
    if (node.type === 'mdxTextExpression' || node.type === 'mdxFlowExpression') return [];
    const use = useOf(node);
    if (use === null) {
      if (node.type.startsWith('mdx')) {
        throw new Problem('render.component', `${node.type} has no markdown form`, {
          at: this.#record.slug,
          mend: 'Give it a renderer in src/render/markdown.ts.',
        });
      }
      const made = 'children' in node ? { ...node, children: this.#children(node) } : node;
      // An address is written as seen from the page, and this stands elsewhere.
      const page = this.#site.url(forms(this.#record.slug).page);
      const url = 'url' in node && !node.url.startsWith('#') ? new URL(node.url, page).href : null;
      return [(url === null ? made : { ...made, url }) as Nodes];
    }
    const inline: PhrasingContent[] | null =
      use.component === 'Fig'
        ? [this.#figure(use.id)]
        : use.component === 'Cite'
          ? [text('('), sourceLink(use.id), text(')')]
          : null;
    if (inline !== null) return node.type === 'mdxJsxFlowElement' ? [paragraph(...inline)] : inline;
    switch (use.component) {
      case 'Claim':
        return this.#claimInText(use.id);
      case 'Symptoms':
        return rowsOf([this.#record])
          .filter(({ symptom }) => symptom.table === use.id)
          .flatMap((row) => symptomMarkdown(row));
      default:
        return this.#table(use.id);
    }
  }

  #claimInText(id: string): Nodes[] {
    const claim = this.#record.claims.find((other) => other.id === id);
    if (claim === undefined) return [];
    return [
      paragraph(
        ...this.#parts(claim.parts),
        text(' ('),
        link(`#${claimAnchor(id)}`, `claim ${id}`),
        text(`: ${words(claim.status)})`),
      ),
    ];
  }

  #table(id: string): Nodes[] {
    const table = this.#record.tables[id];
    if (table === undefined) return [];
    const { caption, columns, rows } = table;
    return [
      paragraph({ type: 'strong', children: [text(`${caption}:`)] }),
      grid(
        columns.map(({ label }) => [text(label)]),
        rows.map(({ cells }) =>
          cells.map((cell) => [typeof cell === 'string' ? text(cell) : this.#figure(cell.figure)]),
        ),
        columns.map(({ numeric }) => numeric === true),
      ),
    ];
  }

  #parts(parts: Parts): PhrasingContent[] {
    return parts.map((part) => ('text' in part ? text(part.text) : this.#figure(part.figure)));
  }

  /** A number as a link to its line under Figures. */
  #figure(id: string): PhrasingContent {
    const figure = this.#figures.get(id);
    return figure === undefined ? text(`{${id}}`) : link(`#${figureAnchor(id)}`, figure.text);
  }

  #claim(claim: ArticleRecord['claims'][number]): RootContent[] {
    const sources = claim.sources.flatMap((id, i) => [
      ...(i > 0 ? [text(', ')] : []),
      sourceLink(id),
    ]);
    return [
      heading(3, `Claim ${claim.id}`),
      paragraph(...this.#parts(claim.parts)),
      list([
        [
          text(
            `Status: ${words(claim.status)}. Tier: ${claim.tier}. Claimed by ${claim.claimedBy}.`,
          ),
        ],
        ...some(sources, () => [[text('Sources: '), ...sources]]),
        [text(`Why it matters: ${claim.why}`)],
        [text(`Rationale: ${claim.rationale}`)],
        [text(receipt(claim.receipt))],
      ]),
    ];
  }

  #source(source: ArticleRecord['sources'][number]): RootContent[] {
    const from = [source.type.replaceAll('_', ' '), source.author, source.published];
    const quote: BlockContent[] =
      source.quote === null
        ? []
        : [
            {
              type: 'blockquote',
              children: source.quote
                .trim()
                .split(/\n{2,}/)
                .map((part) => paragraph(text(part))),
            },
          ];
    return [
      heading(3, `Source ${source.id}`),
      paragraph(
        link(source.url, source.title),
        text(` (${from.filter((part) => part !== null).join(', ')})`),
      ),
      ...quote,
      list([
        [text(source.summary)],
        ...some(quote, () => [[text(`Quote: ${quoteState(source)}`)]]),
        [text(receipt(source.receipt))],
      ]),
    ];
  }

  #figureTable(): RootContent {
    const { captures, sources, figures } = this.#record;
    const names = new Map([
      ...captures.map(({ leaf, server, seq }) => [leaf, `${server} #${seq}`] as const),
      ...sources.flatMap(({ id, receipt: at }) => (at === null ? [] : [[at.leaf, id] as const])),
    ]);
    return grid(
      ['Id', 'Value', 'Unit', 'What it is', 'Method', 'Status', 'Rests on'].map((label) => [
        text(label),
      ]),
      figures.map((figure) => [
        [{ type: 'inlineCode', value: figure.id }],
        [text(figure.decimal)],
        [text(figure.unit)],
        [text(figure.label)],
        [{ type: 'inlineCode', value: figure.method }],
        [text(figure.status.replaceAll('_', ' '))],
        [text(rest(figure.inputs, names))],
      ]),
      [false, true],
    );
  }

  #captures(): RootContent[] {
    const { captures } = this.#record;
    return some(captures, () => [
      heading(2, 'Captures'),
      grid(
        ['Entry', 'Server', 'Package', 'Revision', 'Tools', 'Bytes', 'SHA-256', 'Captured'].map(
          (label) => [text(label)],
        ),
        captures.map((capture) => [
          [text(`#${capture.seq}`)],
          [text(capture.server)],
          [text(`${capture.package} ${capture.version}`)],
          [text(capture.protocol ?? '')],
          [text(String(capture.tools ?? ''))],
          [text(String(capture.bytes))],
          [{ type: 'inlineCode', value: capture.sha256 }],
          [text(capture.ts)],
        ]),
        [false, false, false, false, true, true],
      ),
      ...this.#reruns(),
    ]);
  }

  #reruns(): RootContent[] {
    const again = this.#record.captures.flatMap(({ server, seq, rerun }) =>
      rerun === null ? [] : { server, seq, rerun },
    );
    return some(again, () => [
      paragraph(text('What rests on these can be run again, not recounted here:')),
      list(
        again.map(({ server, seq, rerun }) => [
          text(`${server} #${seq}: `),
          { type: 'inlineCode', value: rerun },
        ]),
      ),
    ]);
  }

  #failures(): RootContent[] {
    const { failures } = this.#record;
    return some(failures, () => [
      heading(2, 'Not measured'),
      list(
        failures.map(({ server, version, code, message, captured, receipt: at }) => [
          text(
            `${server} ${version} was not ${captured ? 'weighed again' : 'measured'}, because: ${message} (${code}, entry #${at.seq})`,
          ),
        ]),
      ),
    ]);
  }

  #colophon(): RootContent[] {
    const { slug, receipt: at, revisions } = this.#record;
    const { page, json, skill } = forms(slug);
    const times = revisions === 1 ? 'once' : `${revisions} times`;
    return [
      heading(2, 'Forms and receipt'),
      list([
        [text('Page: '), address(this.#site.url(page))],
        [text('JSON: '), address(this.#site.url(json))],
        [text('Skill: '), address(this.#site.url(skill))],
        [text(at === null ? receipt(at) : `${receipt(at)}; recorded ${times}`)],
      ]),
    ];
  }
}

const sourceLink = (id: string): Link => link(`#${sourceAnchor(id)}`, id);
const address = (url: string): Link => link(url, url);

/** Nothing where there is nothing to show. */
function some<T>(items: readonly unknown[], make: () => T[]): T[] {
  return items.length === 0 ? [] : make();
}

function words(status: readonly string[]): string {
  return status.map((word) => word.replaceAll('_', ' ')).join(', ');
}

function quoteState({ quoteStatus, checked }: SourceRecord): string {
  return checked === null ? quoteStatus : `${quoteStatus}, checked ${checked}`;
}

function receipt(at: Receipt | null): string {
  return at === null ? 'Not recorded yet' : `Entry #${at.seq}, leaf ${at.leaf}, ${at.ts}`;
}

/** What a figure rests on, by name; many captures are counted, the JSON has each. */
function rest(inputs: readonly string[], names: ReadonlyMap<string, string>): string {
  const shown = inputs.slice(0, 3).map((leaf) => names.get(leaf) ?? leaf);
  const more = inputs.length - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
