/**
 * The one record from which every form of an article is rendered: page, JSON, markdown, skill.
 * Plain data; made by resolve.ts from content and the fold, read by src/render and the pages.
 */
import type { CaptureBody, Status, Tier } from '../ledger/entry.ts';
import type { Recorded } from '../ledger/fold.ts';
import type { Figure, Table } from '../measure/figure.ts';
import type { SymptomRecord } from './symptom.ts';

/** Where something stands in the ledger; null while it is not recorded (only `npm run dev` shows that). */
export interface Receipt {
  seq: number;
  leaf: string;
  ts: string;
}

/** Text in pieces, so that a renderer can bind each number to its ticket. */
export type Parts = ({ text: string } | { figure: string })[];

/** A capture that a figure may rest on. */
export interface CaptureRecord extends Receipt {
  /** No figure is derived from a log yet. */
  kind: Exclude<CaptureBody['kind'], 'gateway_log'>;
  /** Who was asked: a server, the tokenizer that counted, or a client and its variant as `codex/baseline`. */
  server: string;
  package: string;
  version: string;
  integrity: string | null;
  sha256: string;
  bytes: number;
  /** Of a list, or of a client’s request; else null. */
  tools: number | null;
  /** Null for a count, a client, and a server that refused the revision. */
  protocol: string | null;
  /** The command that gives such a number again, where the build can't recount it; else null. */
  rerun: string | null;
}

/** One attempt to capture something real, whatever came of it. */
export interface AttemptRecord extends Receipt {
  kind: CaptureBody['kind'];
  /** When the command that made it began: all attempts of one run share it. */
  run: string;
  outcome: 'captured' | 'unchanged' | 'failed';
  /** Who was asked: a server, a tokenizer, a client's variant (`codex/baseline`), a log (`otlp/work`). */
  subject: string;
  /** Of a log, which is of no package, the method and its version. */
  package: string;
  version: string;
  /** Of the payload; null where none came. */
  sha256: string | null;
  failure: { code: string; message: string } | null;
}

export interface SourceRecord {
  id: string;
  type: string;
  url: string;
  title: string;
  author: string | null;
  published: string | null;
  quote: string | null;
  quoteStatus: 'verified' | 'unverified' | 'gone';
  /** The day on which the page was last asked, YYYY-MM-DD; null where it never was. */
  checked: string | null;
  summary: string;
  receipt: Receipt | null;
}

export interface ClaimRecord {
  id: string;
  /** Text with its numbers in it. */
  text: string;
  parts: Parts;
  tier: Tier;
  status: Status[];
  /** Ids of sources of this article. */
  sources: string[];
  section: string;
  claimedBy: string;
  why: string;
  rationale: string;
  receipt: Receipt | null;
}

/** A figure as shown: the derived number, its text for readers, and the exact decimal recorded. */
export interface FigureRecord extends Figure {
  text: string;
  decimal: string;
}

/** A place in a series, among the articles of it that are published. */
export interface Series {
  name: string;
  /** From 1. Its own front matter may number with gaps; here there are none. */
  position: number;
  of: number;
  prev: { slug: string; title: string } | null;
  next: { slug: string; title: string } | null;
}

export interface Section {
  id: string;
  heading: string;
}

export interface ArticleRecord {
  slug: string;
  title: string;
  /** With its numbers in it. */
  summary: string;
  summaryParts: Parts;
  tags: string[];
  series: Series | null;
  status: 'published' | 'draft';
  /** The three to six numbers that a reader should leave with. */
  stats: { figure: string; label: string }[];
  /** What a reader must know before relying on the numbers. */
  notes: Parts[];
  sections: Section[];
  /** Body of index.mdx without front matter; it holds components and so is no form for readers. */
  mdx: string;
  /** Only the figures that the article shows, sorted by id. */
  figures: FigureRecord[];
  tables: Record<string, Table>;
  claims: ClaimRecord[];
  sources: SourceRecord[];
  /** Rows of its symptom tables, in the order of symptoms.yaml. */
  symptoms: SymptomRecord[];
  /** The captures that its figures and symptoms rest on. */
  captures: CaptureRecord[];
  /**
   * Servers whose last attempt failed, and why: shown as "not measured, because", or where an
   * earlier capture stands (`captured`) as "not weighed again, because".
   */
  failures: {
    server: string;
    package: string;
    version: string;
    code: string;
    message: string;
    captured: boolean;
    receipt: Receipt;
  }[];
  skill: { description: string; body: string };
  receipt: Receipt | null;
  /** Times the article has been put to the ledger. */
  revisions: number;
  /** Its entries in the ledger, oldest first: what its history, provenance and energy fold from. */
  entries: readonly Recorded[];
  /** Every attempt to weigh a release that it shows or calls not measured, oldest first. */
  attempts: readonly AttemptRecord[];
  /** Why the published build would refuse it; empty when fold(ledger) equals content. */
  unrecorded: string[];
}
