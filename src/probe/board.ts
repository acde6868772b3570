/**
 * Shows how several servers fare at once: on a terminal one line each, drawn again in place;
 * elsewhere a plain line for each thing that happened. It must never write control characters to
 * what is not a terminal.
 */

/** What of process.stderr is used. */
export type Screen = {
  isTTY?: boolean;
  rows?: number;
  columns?: number;
  write(text: string): unknown;
};

export class Board {
  readonly #screen: Screen;
  readonly #lines: Map<string, string>;
  readonly #redraws: boolean;
  readonly #width: number;
  #drawn = false;

  /** One line for each name, in this order. A terminal too low for all of them gets plain lines. */
  constructor(names: readonly string[], screen: Screen) {
    this.#screen = screen;
    this.#lines = new Map(names.map((name) => [name, 'waiting']));
    this.#redraws = screen.isTTY === true && names.length < (screen.rows ?? 24);
    this.#width = Math.max(0, ...names.map((name) => name.length));
  }

  /** `passing`: a stage that is worth a line of its own only where it can be drawn over. */
  set(name: string, text: string, { passing = false } = {}): void {
    this.#lines.set(name, text);
    if (!this.#redraws) {
      if (!passing) this.#screen.write(`${this.#line(name, text)}\n`);
      return;
    }
    const up = this.#drawn ? `\x1b[${this.#lines.size}A` : '';
    const width = this.#screen.columns ?? 80;
    const lines = [...this.#lines].map(
      ([each, what]) => `\x1b[2K${this.#line(each, what).slice(0, width - 1)}\n`,
    );
    this.#screen.write(up + lines.join(''));
    this.#drawn = true;
  }

  #line(name: string, text: string): string {
    return `${name.padEnd(this.#width)}  ${text}`;
  }
}
