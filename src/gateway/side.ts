/**
 * Reads one side of a comparison from a file, whatever of the known forms it has: an answer, a
 * session, rows of a log, or a payload from the ledger. It must never guess between two forms.
 */
import { existsSync } from 'node:fs';
import { Problem } from '../problem.ts';
import { fields, list } from '../wire/json.ts';
import { isLine, SessionReader } from './claude-code.ts';
import * as cloudflare from './cloudflare.ts';
import { Collected } from './collected.ts';
import { lineValues, wholeFile } from './files.ts';
import * as litellm from './litellm.ts';
import { isExport, readExport } from './otlp.ts';
import { Head } from './payload.ts';
import { readResponse, resultOf } from './response.ts';
import { Row } from './row.ts';

export interface Side {
  rows: Row[];
  /** Records that could not be read, by why. */
  unread: ReadonlyMap<string, number>;
}

/** `rows.jsonl#3` is its third row. Throws Problem `gateway.unreadable`, `usage.no-row`, `usage.form`. */
export async function readSide(asked: string, cwd: (path: string) => string): Promise<Side> {
  const [, path = asked, row] = existsSync(cwd(asked)) ? [] : (/^(.+)#(\d+)$/.exec(asked) ?? []);
  const { rows, unread } = await readAll(cwd(path), path);
  if (row === undefined) return { rows, unread };
  const one = rows[Number(row) - 1];
  if (one !== undefined) return { rows: [one], unread };
  throw new Problem('usage.no-row', `it has ${rows.length} rows`, {
    at: asked,
    mend: 'Count from 1, or name the file alone for all of its rows.',
  });
}

async function readAll(file: string, named: string): Promise<Side> {
  const into = new Collected();
  const session = new SessionReader();
  let lines = 0;
  let known = 0;
  const take = (value: unknown): void => {
    const read = rowsOf(value);
    if (read === null) session.take(value);
    else for (const row of read) into.add({ row });
    if (read !== null || isLine(value)) known++;
  };
  const whole = file.endsWith('.jsonl') ? null : oneValue(await wholeFile(file));
  if (whole !== null) take(whole.value);
  else {
    for await (const line of lineValues(file)) {
      lines++;
      if ('unread' in line) into.add(line);
      else if (lines === 1 && Head.safeParse(line.value).success) known++;
      else take(line.value);
    }
  }
  for (const row of session.rows()) into.add({ row });
  if (known > 0) return { rows: into.rows(), unread: into.unreadable };
  throw new Problem('usage.form', 'nothing in it is known', {
    at: named,
    mend: 'Give an answer of Anthropic or OpenAI as JSON, a Claude Code session, rows of Cloudflare, LiteLLM or OTLP, or a payload of the ledger.',
  });
}

/** A file that is one JSON value; null where it is lines of them. */
function oneValue(bytes: Uint8Array): { value: unknown } | null {
  try {
    return { value: JSON.parse(Buffer.from(bytes).toString('utf8')) };
  } catch {
    return null;
  }
}

/** Rows of one value; null where it is of no form that has rows by itself. */
function rowsOf(value: unknown): Row[] | null {
  const own = Row.safeParse(value);
  if (own.success) return [own.data];
  if (isExport(value)) return readExport(value);
  if (cloudflare.isRow(value)) return read(cloudflare.readRow, [value]);
  if (litellm.isRow(value)) return read(litellm.readRow, [value]);
  const rows = cloudflare.readPage(value) ?? litellm.readPage(value)?.rows ?? [];
  if (rows.some(cloudflare.isRow)) return read(cloudflare.readRow, rows);
  if (rows.some(litellm.isRow)) return read(litellm.readRow, rows);
  const one = resultOf(value);
  // A line of a session has its usage one level deeper, and belongs to the whole.
  if (Array.isArray(one)) {
    const all = list(one).map((item) => readResponse(item));
    return all.length > 0 && all.every((row) => row !== null)
      ? all.filter((row) => row !== null)
      : null;
  }
  const result = fields(fields(one)['result']);
  const row = readResponse('usage' in result ? result : one);
  return row === null ? null : [row];
}

function read(reader: typeof cloudflare.readRow, rows: readonly unknown[]): Row[] {
  return rows.flatMap((row) => {
    const made = reader(row);
    return 'row' in made ? [made.row] : [];
  });
}
