/**
 * What a figure is, and what an article's own figures.ts is given and gives back. Pure types and
 * formatting; the browser uses this module too.
 */
import type { History } from './history.ts';
import type { SentRequest } from './request.ts';
import type { Weight } from './weigh.ts';

/** Measured here, worked out from other figures, or somebody else's (the ledger's status words). */
export type FigureStatus = 'observed' | 'derived' | 'specified' | 'externally_attested';

/** One number with all that is needed to derive it again. */
export interface Figure {
  /** `servers.notion.tokens` (built in), `notion_share` (an article's own), `sources.s1.total` (cited). */
  id: string;
  /** Finite. Shares are per cent (42.1, not 0.421). */
  value: number;
  /** Digits after the point that are shown and recorded. */
  decimals: number;
  /** `tokens`, `tools`, `bytes`, `%`, `tokens/tool`, `MiB`, … ; empty for a bare number such as r. */
  unit: string;
  /** What it is, in a few words without numbers of its own. */
  label: string;
  /** Versioned id such as `tokens/o200k_base/anthropic/compact@1`. */
  method: string;
  status: FigureStatus;
  /** Leaf hashes of the capture.add or source.put entries it rests on, in order. */
  inputs: string[];
}

/** A tool as a server listed it; fields beyond these are kept as they came. */
export interface Tool {
  name: string;
  description?: string;
  inputSchema?: unknown;
  [field: string]: unknown;
}

/** One server's captured catalogue, measured. */
export interface WeighedServer {
  name: string;
  package: string;
  version: string;
  /** Leaf of the capture.add entry and SHA-256 of its payload. */
  leaf: string;
  sha256: string;
  /** Protocol revision negotiated. */
  protocol: string;
  sameOrder: boolean;
  sameBytes: boolean;
  tools: Tool[];
  weight: Weight;
}

export interface Captures {
  servers: WeighedServer[];
  /** The releases of each server, and what changed between them. */
  histories: readonly History[];
  /** What clients sent, as digests: of these nothing can be counted again, only run again. */
  requests: readonly SentRequest[];
  /** Every built-in and cited figure by id, with its inputs. */
  figures: ReadonlyMap<string, Figure>;
}

export type Cell = string | { figure: string };
/** A table of data: a cell is text or the id of a figure, never a bare number. */
export interface Table {
  /** What the table shows, without numbers. */
  caption: string;
  columns: { key: string; label: string; numeric?: boolean }[];
  rows: { key: string; cells: Cell[] }[];
}

/** What figures.ts returns: its own figures (ids get no prefix) and the tables that the prose shows. */
export interface ArticleFigures {
  figures: Record<string, Omit<Figure, 'id'>>;
  tables: Record<string, Table>;
}
export type DeriveFigures = (captures: Captures) => ArticleFigures;

/** The exact decimal that is recorded: `17307`, `42.1`. Throws RangeError when not finite. */
export function decimal(figure: Pick<Figure, 'value' | 'decimals'>): string {
  if (!Number.isFinite(figure.value)) throw new RangeError(`not a finite number: ${figure.value}`);
  const text = figure.value.toFixed(figure.decimals);
  return /^-0(?:\.0*)?$/.test(text) ? text.slice(1) : text;
}

/** What a reader sees: grouped thousands, a minus sign, a per cent sign where the unit is one: `17,307`, `−42.1%`. */
export function format(figure: Pick<Figure, 'value' | 'decimals' | 'unit'>): string {
  const [whole = '', fraction] = decimal(figure).split('.');
  const grouped = whole.replace('-', '−').replace(/\B(?=(\d{3})+$)/g, ',');
  return `${grouped}${fraction === undefined ? '' : `.${fraction}`}${figure.unit === '%' ? '%' : ''}`;
}
