/**
 * Parsed content + weighed captures -> one ArticleRecord an article, with every reference checked.
 * Pure: it reads nothing and records nothing, and it collects all problems, not only the first.
 */
import { z } from 'zod';
import type { Status } from '../ledger/entry.ts';
import type { SOURCE_TYPES } from '../ledger/terms.ts';
import {
  type ArticleFigures,
  type Captures,
  type DeriveFigures,
  decimal,
  type Figure,
  type FigureStatus,
  format,
  type Table,
} from '../measure/figure.ts';
import { Problem } from '../problem.ts';
import { REDACTED } from './captures.ts';
import { STATUS_MEANS } from './evidence.ts';
import type { ReleaseHistory } from './history.ts';
import { type Candidate, lintNumbers } from './lint.ts';
import { COMPONENTS } from './mdx.ts';
import type { ParsedArticle, SourceContent } from './parse.ts';
import { type Prose, place, placeOfWord, placeThrown } from './prose.ts';
import type { ArticleRecord, CaptureRecord, FigureRecord, Parts } from './record.ts';
import { splitSlots } from './slot.ts';

/** What all articles share. */
export interface Shared {
  servers: Captures['servers'];
  histories: readonly ReleaseHistory[];
  requests: Captures['requests'];
  /** Built-in figures by id. */
  figures: ReadonlyMap<string, Figure>;
  captures: ReadonlyMap<string, CaptureRecord>;
  /** Every capture that the ledger ever took in and still holds, by leaf: where it stands. */
  taken: ReadonlyMap<string, number>;
  failures: ArticleRecord['failures'];
}

export interface Resolved {
  parsed: ParsedArticle;
  /**
   * Not yet settled: no receipts, no entries, in a series the place that it gives itself, and a cited
   * figure's input is `sourceInput(id)`, since a source has a leaf only once it is put.
   */
  record: ArticleRecord;
  problems: Problem[];
}

/** The column of a table that `<Sum/>` multiplies: tokens of one turn. */
export const TURN_TOKENS = 'tokens';

/** Stands for the leaf of an article's source until it is known. */
export const sourceInput = (id: string): string => `source:${id}`;

type SourceType = (typeof SOURCE_TYPES)[number];
const CITED: Record<SourceType, FigureStatus> = {
  publisher_documentation: 'specified',
  specification: 'specified',
  repository: 'specified',
  independent_measurement: 'externally_attested',
  github: 'externally_attested',
  hn: 'externally_attested',
  runtime_receipt: 'externally_attested',
};

/** Law 7: what a claim must rest on to carry a status. */
interface Basis {
  /** It shows a figure that rests on a capture. */
  captured: boolean;
  /** It shows a figure that was worked out from others. */
  derived: boolean;
  sources: ReadonlySet<SourceType>;
}
const BASES: Record<Status, (basis: Basis) => boolean> = {
  observed: ({ captured }) => captured,
  derived: ({ derived }) => derived,
  specified: ({ sources }) =>
    sources.has('publisher_documentation') || sources.has('specification'),
  implemented: ({ sources }) => sources.has('repository') || sources.has('github'),
  deployed: ({ captured, sources }) => captured || sources.has('runtime_receipt'),
  reproduced: ({ captured, sources }) => captured && sources.size > 0,
  externally_attested: ({ sources }) =>
    (['independent_measurement', 'github', 'hn'] as const).some((type) => sources.has(type)),
};

const OwnFigure = z.strictObject({
  value: z.number(),
  decimals: z.number().int().min(0).max(6),
  unit: z.string(),
  label: z.string().min(1),
  method: z.string().regex(/@\d+$/, 'a versioned method id'),
  status: z.enum(['observed', 'derived', 'specified', 'externally_attested']),
  inputs: z.array(z.string()).min(1),
});
const OwnTable = z.strictObject({
  caption: z.string().min(1),
  columns: z
    .array(z.strictObject({ key: z.string(), label: z.string(), numeric: z.boolean().optional() }))
    .min(1),
  rows: z.array(
    z.strictObject({
      key: z.string(),
      cells: z.array(z.union([z.string(), z.strictObject({ figure: z.string() })])),
    }),
  ),
});

/** Resolves one article. `derive` is its figures.ts: null when it has none, `broken` when it can't be run. */
export function resolveArticle(
  parsed: ParsedArticle,
  shared: Shared,
  derive: DeriveFigures | 'broken' | null,
): Resolved {
  return new Resolver(parsed, shared).run(derive);
}

class Resolver {
  readonly #parsed: ParsedArticle;
  readonly #shared: Shared;
  readonly #problems: Problem[] = [];
  readonly #figures: Map<string, Figure>;
  readonly #tables = new Map<string, Table>();
  readonly #shown = new Map<string, FigureRecord>();
  /** Figures and tables with a problem of their own, which is not told again where they are used. */
  readonly #broken = new Set<string>();
  /** Nothing of figures.ts is there, so that nothing of it can be called unknown. */
  #ownBroken = false;

  constructor(parsed: ParsedArticle, shared: Shared) {
    this.#parsed = parsed;
    this.#shared = shared;
    this.#figures = new Map(shared.figures);
  }

  run(derive: DeriveFigures | 'broken' | null): Resolved {
    const { front, slug, at, body, skill, sources, mdx } = this.#parsed;
    for (const source of sources) this.#cited(source);
    this.#ownBroken = derive === 'broken';
    const prose = typeof derive === 'function' ? this.#own(derive) : [];
    const summaryParts = this.#parts(front.summary, at.front('summary'));
    const notes = front.notes.map((note, i) => this.#parts(note, at.front('notes', i)));
    for (const [i, { figure }] of front.stats.entries()) {
      this.#show(figure, at.front('stats', i, 'figure'));
    }
    const claims = this.#claims();
    const tables = this.#uses();
    const symptoms = this.#symptoms();
    const skillBody = this.#skill(skill.markdown);
    const figures = [...this.#shown.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
    const inputs = new Set([
      ...figures.flatMap((figure) => figure.inputs),
      ...symptoms.flatMap(({ reproduced }) => reproduced?.captures.map(({ leaf }) => leaf) ?? []),
    ]);
    const record: ArticleRecord = {
      slug,
      title: front.title,
      summary: this.#text(summaryParts),
      summaryParts,
      tags: front.tags,
      series: front.series ? { ...front.series, of: 1, prev: null, next: null } : null,
      status: front.status,
      stats: front.stats,
      notes,
      sections: body.sections,
      mdx,
      figures,
      tables,
      claims,
      sources: sources.map((source) => ({
        id: source.id,
        type: source.type,
        url: source.url,
        title: source.title,
        author: source.author,
        published: source.published,
        quote: source.quote,
        quoteStatus: source.quote_status,
        checked: source.checked ?? null,
        summary: source.summary,
        receipt: null,
      })),
      symptoms,
      captures: [...this.#shared.captures.values()].filter(({ leaf }) => inputs.has(leaf)),
      failures: this.#shared.failures,
      skill: { description: skill.description, body: skillBody },
      receipt: null,
      revisions: 0,
      entries: [],
      attempts: [],
      unrecorded: [],
    };
    this.#problems.push(
      ...lintNumbers([...this.#parsed.prose, ...prose], front.constants, this.#candidates()),
    );
    return { parsed: this.#parsed, record, problems: this.#problems };
  }

  #report(code: string, message: string, at: string, mend: string, cause?: unknown): void {
    this.#problems.push(new Problem(code, message, { at, mend, cause }));
  }

  #isBroken(id: string): boolean {
    return this.#broken.has(id) || (this.#ownBroken && !id.includes('.'));
  }

  /** The figures of a source, read from its quote's own characters. */
  #cited(source: SourceContent): void {
    const i = this.#parsed.sources.indexOf(source);
    for (const [j, { name, characters, value, unit }] of source.figures.entries()) {
      const id = `sources.${source.id}.${name}`;
      this.#broken.add(id);
      const at = this.#parsed.at.sources(i, 'figures', j, 'characters');
      if (!quotes(source.quote ?? '', characters)) {
        this.#report(
          'source.characters',
          `"${characters}" does not stand in the quote of ${source.id}`,
          at,
          'Copy the characters from the quote, whole number and all.',
        );
        continue;
      }
      const read = readNumber(characters);
      if (read !== value) {
        this.#report(
          'source.value',
          `"${characters}" reads as ${read ?? 'no single number'}, not as ${value}`,
          at,
          'Give the value that the characters spell, without grouping.',
        );
        continue;
      }
      this.#broken.delete(id);
      this.#figures.set(id, {
        id,
        value: Number(value),
        decimals: value.split('.')[1]?.length ?? 0,
        unit,
        label: `${name.replaceAll(/[-_.]/g, ' ')}, as cited`,
        method: 'cited/quote@1',
        status: CITED[source.type],
        inputs: [sourceInput(source.id)],
      });
    }
  }

  /** Runs figures.ts; gives back the words of its tables and labels for the lint. */
  #own(derive: DeriveFigures): Prose[] {
    const file = `${this.#parsed.folder}/figures.ts`;
    let made: ArticleFigures;
    try {
      const { servers, histories, requests } = this.#shared;
      made = derive({ servers, histories, requests, figures: new Map(this.#figures) });
    } catch (cause) {
      const message = cause instanceof Error ? cause.message : String(cause);
      this.#report(
        'figures.threw',
        message,
        placeThrown(file, cause),
        'Mend the function that is its default.',
        cause,
      );
      this.#ownBroken = true;
      return [];
    }
    if (typeof made !== 'object' || made === null) {
      const gives = `it gives ${String(made)}`;
      this.#report('figures.invalid', gives, file, 'Return what DeriveFigures asks for.');
      this.#ownBroken = true;
      return [];
    }
    const source = this.#parsed.files['figures.ts']?.text ?? '';
    const words: string[] = [];
    const valid = <T>(
      [id, what]: [id: string, what: string],
      schema: z.ZodType<T>,
      value: unknown,
    ): T | null => {
      const checked = schema.safeParse(value);
      if (checked.success) return checked.data;
      const issues = checked.error.issues.map(
        ({ path, message }) => `${path.map(String).join('.')}: ${message}`,
      );
      this.#report(
        'figures.invalid',
        `${what}: ${issues.join('; ')}`,
        placeOfWord(file, source, id),
        'Return what DeriveFigures asks for.',
      );
      return null;
    };
    for (const [id, value] of Object.entries(made.figures ?? {})) {
      this.#broken.add(id);
      if (typeof value?.value === 'number' && !Number.isFinite(value.value)) {
        this.#report(
          'figure.not-finite',
          `${id} is ${value.value}`,
          placeOfWord(file, source, id),
          'Divide by nothing that may be zero, and take the missing case by itself.',
        );
        continue;
      }
      const figure = valid([id, id], OwnFigure, value);
      if (figure === null) continue;
      if (!/^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/.test(id)) {
        this.#report(
          'figures.invalid',
          `"${id}" is no name`,
          placeOfWord(file, source, id),
          'Name it in snake_case.',
        );
      }
      const stray = figure.inputs.filter((input) => !this.#isInput(input));
      if (stray.length > 0) {
        this.#report(
          'figure.inputs',
          `${id} rests on ${stray.join(', ')}, which is no capture and no source here`,
          placeOfWord(file, source, id),
          'Take inputs from the captures and figures that it is worked out from.',
        );
      }
      words.push(figure.label);
      this.#broken.delete(id);
      this.#figures.set(id, { id, ...figure });
    }
    for (const [id, value] of Object.entries(made.tables ?? {})) {
      this.#broken.add(id);
      const table = valid([id, `table ${id}`], OwnTable, value) as Table | null;
      if (table === null) continue;
      this.#broken.delete(id);
      const keys = new Set(table.rows.map(({ key }) => key));
      if (keys.size < table.rows.length) {
        this.#report(
          'table.rows',
          `two rows of ${id} share a key`,
          placeOfWord(file, source, id),
          'Give each its own.',
        );
      }
      for (const { key, cells } of table.rows) {
        if (cells.length === table.columns.length) continue;
        this.#report(
          'table.rows',
          `row ${key} of ${id} has ${cells.length} cells for ${table.columns.length} columns`,
          placeOfWord(file, source, id),
          'Give each column a cell.',
        );
      }
      words.push(
        table.caption,
        ...table.columns.map(({ label }) => label),
        ...table.rows.flatMap(({ cells }) => cells.filter((cell) => typeof cell === 'string')),
      );
      this.#tables.set(id, table);
    }
    return words.map((text): Prose => {
      const start = Math.max(source.indexOf(text), 0);
      return { file, source, start, end: source.length, text };
    });
  }

  #isInput(input: string): boolean {
    return (
      this.#shared.captures.has(input) ||
      this.#parsed.sources.some(({ id }) => sourceInput(id) === input)
    );
  }

  #candidates(): Candidate[] {
    return [...this.#figures.values()]
      .filter(({ value }) => Number.isFinite(value))
      .map((figure) => ({ id: figure.id, text: format(figure), value: figure.value }));
  }

  /** The figure of an id, noted as shown; null, with a Problem, when there is none. */
  #show(id: string, at: string): FigureRecord | null {
    const shown = this.#shown.get(id);
    if (shown !== undefined) return shown;
    const figure = this.#figures.get(id);
    if (figure === undefined) {
      if (this.#isBroken(id)) return null;
      const [kind, server] = id.split('.');
      const { servers, histories } = this.#shared;
      const weighed =
        kind === 'releases'
          ? histories.flatMap(({ name, releases }) => releases.map(() => name))
          : servers.map(({ name }) => name);
      const near = closest(id, this.#figures.keys());
      const gone = this.#shared.failures.find(
        (failure) => failure.server === server && failure.code === REDACTED,
      );
      if (gone !== undefined && !weighed.includes(gone.server)) {
        this.#report(
          'figure.redacted',
          `${id} is not measured, because ${gone.message} (#${gone.receipt.seq})`,
          at,
          'Show another figure, and retract the claims that rest on this one.',
        );
        return null;
      }
      this.#report(
        'figure.unknown',
        `no figure ${id}`,
        at,
        (kind === 'servers' || kind === 'releases') &&
          (server === 'all' ? weighed.length === 0 : !weighed.includes(server ?? ''))
          ? 'The ledger holds no capture of it: name it in content/servers.yaml and run `npm run refresh`.'
          : near === null
            ? 'Derive it in figures.ts.'
            : `Did you mean ${near}?`,
      );
      return null;
    }
    if (!Number.isFinite(figure.value)) {
      this.#report('figure.not-finite', `${id} is ${figure.value}`, at, 'Show another figure.');
      return null;
    }
    const record = { ...figure, text: format(figure), decimal: decimal(figure) };
    this.#shown.set(id, record);
    return record;
  }

  #parts(text: string, at: string): Parts {
    return splitSlots(text).map((piece) => {
      if ('text' in piece) {
        if (/[{}]/.test(piece.text)) {
          this.#report('slot.malformed', 'a brace that opens no slot', at, 'Write {figure.id}.');
        }
        return { text: piece.text };
      }
      const figure = this.#show(piece.figure, at);
      return figure === null ? { text: `{${piece.figure}}` } : { figure: piece.figure };
    });
  }

  #text(parts: Parts): string {
    return parts
      .map((part) => ('text' in part ? part.text : (this.#shown.get(part.figure)?.text ?? '')))
      .join('');
  }

  #claims(): ArticleRecord['claims'] {
    const { claims, sources, body, at } = this.#parsed;
    const records: ArticleRecord['claims'] = [];
    for (const [i, claim] of claims.entries()) {
      if (claim.retracted !== undefined) continue;
      const parts = this.#parts(claim.text, at.claims(i, 'text'));
      const known = claim.sources.flatMap((id, j) => {
        const source = sources.find((other) => other.id === id);
        if (source === undefined) {
          this.#report(
            'claim.source',
            `claim ${claim.id} rests on ${id}, which is not in sources.yaml`,
            at.claims(i, 'sources', j),
            `Its sources are ${sources.map((other) => other.id).join(', ') || 'none yet'}.`,
          );
        }
        return source ?? [];
      });
      if (body.read && !body.sections.some(({ id }) => id === claim.section)) {
        this.#report(
          'claim.section',
          `no heading has the id ${claim.section}`,
          at.claims(i, 'section'),
          `The ids are ${body.sections.map(({ id }) => id).join(', ')}.`,
        );
      }
      if (
        body.read &&
        !body.uses.some(({ component, id }) => component === 'Claim' && id === claim.id)
      ) {
        this.#report(
          'claim.unshown',
          `claim ${claim.id} is never shown`,
          at.claims(i, 'id'),
          `Put <Claim id="${claim.id}"/> under its heading.`,
        );
      }
      const slots = parts.flatMap((part) =>
        'figure' in part ? [this.#shown.get(part.figure)!] : [],
      );
      const basis: Basis = {
        captured: slots.some(({ inputs }) =>
          inputs.some((leaf) => this.#shared.captures.has(leaf)),
        ),
        derived: slots.some(({ status }) => status === 'derived'),
        sources: new Set(known.map(({ type }) => type)),
      };
      // What it lacks is told already.
      const whole =
        slots.length === splitSlots(claim.text).filter((piece) => 'figure' in piece).length;
      for (const [j, status] of whole ? claim.status.entries() : []) {
        if (BASES[status](basis)) continue;
        const { needs } = STATUS_MEANS[status];
        this.#report(
          'claim.status',
          `claim ${claim.id} says ${status} without ${needs}`,
          at.claims(i, 'status', j),
          'Show what it rests on, or give it the status that it has.',
        );
      }
      records.push({
        id: claim.id,
        text: this.#text(parts),
        parts,
        tier: claim.tier,
        status: claim.status,
        sources: claim.sources,
        section: claim.section,
        claimedBy: claim.claimed_by,
        why: claim.why,
        rationale: claim.rationale,
        receipt: null,
      });
    }
    return records;
  }

  /** The rows of the symptom tables, with what each names checked. */
  #symptoms(): ArticleRecord['symptoms'] {
    const { symptoms, claims, sources, body, at } = this.#parsed;
    const shown = new Set(
      body.uses.flatMap(({ component, id }) => (component === 'Symptoms' ? id : [])),
    );
    return symptoms.map(({ reproduced, ...row }, i) => {
      if (body.read && !shown.has(row.table)) {
        this.#report(
          'symptom.unshown',
          `the table ${row.table} of symptom ${row.id} is never shown`,
          at.symptoms(i, 'table'),
          `Put <Symptoms id="${row.table}"/> into the text.`,
        );
      }
      if (row.source !== null && !sources.some(({ id }) => id === row.source)) {
        this.#report(
          'symptom.source',
          `symptom ${row.id} rests on ${row.source}, which is not in sources.yaml`,
          at.symptoms(i, 'source'),
          'Add it there.',
        );
      }
      for (const [j, id] of row.claims.entries()) {
        if (claims.some((claim) => claim.id === id && claim.retracted === undefined)) continue;
        this.#report(
          'symptom.claim',
          `symptom ${row.id} rests on claim ${id}, which is not made here`,
          at.symptoms(i, 'claims', j),
          'Name claims of this article that stand.',
        );
      }
      if (reproduced === null) return { ...row, reproduced };
      const captures = reproduced.captures.flatMap((leaf, j) => {
        const seq = this.#shared.taken.get(leaf);
        if (seq !== undefined) return { leaf, seq };
        this.#report(
          'symptom.capture',
          `symptom ${row.id} names ${leaf}, which is no capture that the ledger holds`,
          at.symptoms(i, 'reproduced', 'captures', j),
          'Give the leaf of a capture that shows it, or take reproduced out.',
        );
        return [];
      });
      const parts = this.#parts(reproduced.shows, at.symptoms(i, 'reproduced', 'shows'));
      return { ...row, reproduced: { captures, shows: this.#text(parts), parts } };
    });
  }

  /** Checks every component of the prose; gives back the tables that it shows. */
  #uses(): Record<string, Table> {
    const { claims, sources, symptoms, body, folder } = this.#parsed;
    const tables: Record<string, Table> = {};
    const blocks = new Set<string>();
    for (const { component, id, at, section } of body.uses) {
      if (COMPONENTS[component] === 'block') {
        if (blocks.has(`${component} ${id}`)) {
          this.#report('mdx.twice', `${id} is shown a second time`, at, 'Show it once.');
        }
        blocks.add(`${component} ${id}`);
      }
      switch (component) {
        case 'Fig':
          this.#show(id, at);
          break;
        case 'Cite':
          if (!sources.some((source) => source.id === id)) {
            this.#report('source.unknown', `no source ${id}`, at, 'Add it to sources.yaml.');
          }
          break;
        case 'Claim': {
          const claim = claims.find((other) => other.id === id);
          if (claim === undefined) {
            this.#report('claim.unknown', `no claim ${id}`, at, 'Add it to claims.yaml.');
          } else if (claim.retracted !== undefined) {
            this.#report('claim.retracted', `claim ${id} is retracted`, at, 'Take it out here.');
          } else if (claim.section !== section) {
            this.#report(
              'claim.section',
              `claim ${id} says section ${claim.section} and stands under ${section || 'none'}`,
              at,
              'Move it, or change its section.',
            );
          }
          break;
        }
        case 'Symptoms':
          if (!symptoms.some((row) => row.table === id)) {
            this.#report(
              'symptom.unknown',
              `no symptom belongs to a table ${id}`,
              at,
              'Give rows of symptoms.yaml that table.',
            );
          }
          break;
        case 'Sum':
        case 'DataTable': {
          const table = this.#tables.get(id);
          if (table === undefined) {
            if (this.#isBroken(id)) break;
            this.#report(
              'table.unknown',
              `no table ${id}`,
              at,
              `Return it from ${folder}/figures.ts.`,
            );
            break;
          }
          tables[id] = table;
          if (component === 'Sum' && !table.columns.some(({ key }) => key === TURN_TOKENS)) {
            this.#report(
              'sum.column',
              `table ${id} has no column ${TURN_TOKENS}`,
              at,
              'Give it one that holds the tokens of a turn.',
            );
          }
          for (const { key, cells } of table.rows) {
            for (const cell of cells) {
              if (typeof cell !== 'string') {
                this.#show(cell.figure, `${folder}/figures.ts: table ${id}, row ${key}`);
              }
            }
          }
        }
      }
    }
    return tables;
  }

  /** The skill's procedure with its slots filled; code is left as it is. */
  #skill(markdown: string): string {
    const source = this.#parsed.files['skill.md']?.text ?? '';
    const front = source.length - markdown.length;
    let filled = '';
    let from = front;
    for (const { file, start, end } of this.#parsed.skill.body.prose) {
      if (start < from) continue;
      const parts = this.#parts(source.slice(start, end), place(file, source, start));
      filled += source.slice(from, start) + this.#text(parts);
      from = end;
    }
    return filled + source.slice(from);
  }
}

/** Whether a quote holds these characters, and not as a part of a longer number or word. */
function quotes(quote: string, characters: string): boolean {
  for (let at = quote.indexOf(characters); at !== -1; at = quote.indexOf(characters, at + 1)) {
    const before = quote.slice(0, at);
    const after = quote.slice(at + characters.length);
    if (!/[\p{L}\p{N}]$|\p{N}[.,]$|[-−]$/u.test(before) && !/^(?:\p{N}|[.,]\p{N})/u.test(after)) {
      return true;
    }
  }
  return false;
}

/** The one number that characters spell, as a plain decimal: `40,784` is `40784`, `10.2x` is `10.2`. */
function readNumber(characters: string): string | null {
  const match = /^[^\d]*?([-−]?)(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?[^\d]*$/.exec(characters);
  if (match === null) return null;
  const whole = match[2]!.replaceAll(',', '').replace(/^0+(?=\d)/, '');
  return `${match[1] ? '-' : ''}${whole}${match[3] ?? ''}`;
}

/** The id with most in common, for a reader who mistyped one. */
function closest(id: string, ids: Iterable<string>): string | null {
  const grams = (text: string) => new Set([...text].map((_, i) => text.slice(i, i + 3)));
  const wanted = grams(id);
  let best: string | null = null;
  let most = 0;
  for (const other of ids) {
    const have = grams(other);
    const common = [...wanted].filter((gram) => have.has(gram)).length;
    const likeness = common / (wanted.size + have.size - common);
    if (likeness > most) [best, most] = [other, likeness];
  }
  return most > 0.3 ? best : null;
}
