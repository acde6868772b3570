/**
 * Rows of one source put together: each once, in the order of their time. It must never lose a row
 * without counting it.
 */
import { canonical } from '../ledger/canonical.ts';
import type { Read, Row } from './row.ts';

/** Rows from then on and before then; both RFC 3339 in UTC with milliseconds, as rows hold them. */
export interface Window {
  since: string | null;
  until: string | null;
}

export class Collected {
  readonly #window: Window;
  readonly #byId = new Map<string, Row>();
  readonly #nameless: Row[] = [];
  /** Rows that came again under an id that was there. */
  repeated = 0;
  /** Rows outside of the window. */
  outside = 0;
  /** Records that have no row, by why; `unreadable` holds how many of each. */
  readonly unreadable = new Map<string, number>();

  constructor(window: Window = { since: null, until: null }) {
    this.#window = window;
  }

  /**
   * Takes in what a reader made of a record; true where it was not there before. The later of two
   * rows with one id holds, for rows are filled in late; but none that knows a cost gives way to one
   * that does not: a request's event and its span are one row, and only the event tells the cost.
   */
  add(read: Read): boolean {
    if ('unread' in read) {
      this.unreadable.set(read.unread, (this.unreadable.get(read.unread) ?? 0) + 1);
      return false;
    }
    const { row } = read;
    const { since, until } = this.#window;
    if (
      row.at !== null &&
      ((since !== null && row.at < since) || (until !== null && row.at >= until))
    ) {
      this.outside++;
      return false;
    }
    if (row.id === null) {
      this.#nameless.push(row);
      return true;
    }
    const was = this.#byId.get(row.id);
    if (was === undefined || was.cost === null || row.cost !== null) this.#byId.set(row.id, row);
    if (was !== undefined) this.repeated++;
    return was === undefined;
  }

  /** Puts the counts back to what they were, keeping the rows: for a log that is read a second time. */
  recount({
    repeated,
    outside,
    unreadable,
  }: Pick<Collected, 'repeated' | 'outside' | 'unreadable'>): void {
    Object.assign(this, { repeated, outside });
    this.unreadable.clear();
    for (const [why, count] of unreadable) this.unreadable.set(why, count);
  }

  get size(): number {
    return this.#byId.size + this.#nameless.length;
  }

  /** How many records have no row, whatever the reason. */
  get unread(): number {
    return [...this.unreadable.values()].reduce((a, b) => a + b, 0);
  }

  /** By time, then id: whichever way they were read, the same rows come out the same. */
  rows(): Row[] {
    const key = (row: Row) =>
      `${row.at ?? ''} ${row.id ?? ''} ${row.id === null ? canonical(row) : ''}`;
    return [...this.#byId.values(), ...this.#nameless]
      .map((row) => ({ row, key: key(row) }))
      .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
      .map(({ row }) => row);
  }
}
