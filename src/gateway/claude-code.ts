/**
 * Rows of Claude Code's session files, read a line at a time. Pure. It keeps numbers and hashes: a
 * session holds prompts, files and tools' answers, and none of it may be held longer than its line.
 */
import { fields, list, text } from '../wire/json.ts';
import { readUsage } from './anthropic.ts';
import { idOf, modelOf, type Row, timeOf } from './row.ts';

/** What the client writes where it answers itself, such as for an error of the API. */
const SYNTHETIC = '<synthetic>';

/** Whether it has the members of a line with usage in it. */
export function isLine(value: unknown): boolean {
  const { type, message, sessionId } = fields(value);
  return type === 'assistant' && typeof sessionId === 'string' && 'usage' in fields(message);
}

/** One file's lines, in order. What it holds grows with the requests of the session alone. */
export class SessionReader {
  /** Tools of a request's shape, by the shape's hash. */
  readonly #shapes = new Map<string, NonNullable<Row['tools']>>();
  /** The shape of each request, by the id that its messages refer to. */
  readonly #requests = new Map<string, string>();
  /** The last record of each message. */
  readonly #messages = new Map<string, { row: Row; request: string | null }>();

  /** Takes one line's value in; lines of kinds that hold no usage are passed over. */
  take(value: unknown): void {
    const line = fields(value);
    switch (line['type']) {
      case 'api-request-shape': {
        const shape = text(line['shapeHash']);
        const { tools } = fields(line['shape']);
        if (shape !== null && Array.isArray(tools)) this.#shapes.set(shape, weighed(tools));
        return;
      }
      case 'api-request': {
        const [id, shape] = [text(line['id']), text(line['shapeHash'])];
        if (id !== null && shape !== null) this.#requests.set(id, shape);
        return;
      }
      case 'assistant':
        this.#message(line);
    }
  }

  #message(line: ReturnType<typeof fields>): void {
    const message = fields(line['message']);
    const counts = readUsage(message['usage']);
    if (counts === null || message['model'] === SYNTHETIC) return;
    const [id, request] = [text(message['id']), text(line['requestRef'])];
    // Ids of messages are the vendor's and meet nowhere, but those of a stand-in may: the request's
    // then tells them apart. A message's records, one for each of its blocks, share both.
    const key = [id ?? text(line['uuid']), text(line['requestId']) ?? request ?? ''].join(' ');
    const row: Row = {
      id: idOf(key),
      at: timeOf(line['timestamp']),
      model: modelOf(message['model']),
      answered: 'model',
      cost: null,
      tools: null,
      convention: 'anthropic/usage',
      ...counts,
    };
    this.#messages.set(key, { row, request });
  }

  /** A row for each message, in the order in which they first came. */
  rows(): Row[] {
    return [...this.#messages.values()].map(({ row, request }) => {
      const shape = this.#requests.get(request ?? '');
      return { ...row, tools: this.#shapes.get(shape ?? '') ?? null };
    });
  }
}

function weighed(tools: readonly unknown[]): NonNullable<Row['tools']> {
  return {
    count: tools.length,
    deferred: list(tools).filter((tool) => fields(tool)['defer_loading'] === true).length,
    bytes: Buffer.byteLength(JSON.stringify(tools)),
  };
}
