/**
 * Reads logs that are files: Claude Code's sessions and OTLP bodies. A file of any size is read a line
 * at a time, and one that was cut loses its last line alone; what could not be read is counted.
 */
import { createReadStream } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Lines, LineTooLong } from '../probe/lines.ts';
import { Problem, refused } from '../problem.ts';
import { SessionReader } from './claude-code.ts';
import type { Collected } from './collected.ts';
import { isExport, readExport } from './otlp.ts';

/** A line may hold a file or an image that was read into the session. */
const MAX_LINE = 256 * 1024 * 1024;
/** A body in one piece. */
const MAX_FILE = 256 * 1024 * 1024;

const UNREADABLE = 'gateway.unreadable';

/** The files below a folder whose names end so, sorted by path. Throws Problem `gateway.unreadable`. */
export async function filesBelow(folder: string, endings: readonly string[]): Promise<string[]> {
  try {
    const found = await readdir(folder, { recursive: true, withFileTypes: true });
    return found
      .filter((entry) => entry.isFile() && endings.some((ending) => entry.name.endsWith(ending)))
      .map((entry) => join(entry.parentPath, entry.name))
      .sort();
  } catch (cause) {
    throw refused(UNREADABLE, cause, folder);
  }
}

/**
 * Every line's value, or why it has none. A line that is cut, because the file is being written or its
 * writer was killed, is told as any other that is no JSON. Throws Problem `gateway.unreadable`.
 */
export async function* lineValues(
  file: string,
): AsyncGenerator<{ value: unknown } | { unread: string }> {
  const lines = new Lines(MAX_LINE);
  try {
    for await (const chunk of createReadStream(file, { highWaterMark: 1024 * 1024 })) {
      for (const line of lines.push(chunk as Buffer)) yield parsed(line, 'a line is no JSON');
    }
    const last = lines.end();
    if (last !== null) yield parsed(last, 'the last line was cut');
  } catch (cause) {
    if (cause instanceof LineTooLong) {
      throw new Problem(UNREADABLE, cause.message, {
        at: file,
        mend: 'Is it a file of this source? Its lines are JSON.',
      });
    }
    throw refused(UNREADABLE, cause, file);
  }
}

function parsed(line: Uint8Array, unread: string): { value: unknown } | { unread: string } {
  try {
    return {
      value: JSON.parse(Buffer.from(line.buffer, line.byteOffset, line.length).toString('utf8')),
    };
  } catch {
    return { unread };
  }
}

/** Reads session files, each by itself. */
export async function readSessions(
  into: Collected,
  files: readonly string[],
  signal?: AbortSignal,
): Promise<void> {
  for (const file of files) {
    const reader = new SessionReader();
    for await (const line of lineValues(file)) {
      if (signal?.aborted) throw new Problem('run.aborted', 'interrupted: nothing was recorded');
      if ('value' in line) reader.take(line.value);
      else into.add(line);
    }
    for (const row of reader.rows()) into.add({ row });
  }
}

/** Reads OTLP bodies: a file in one piece, or with a body on each line. */
export async function readExports(
  into: Collected,
  files: readonly string[],
  signal?: AbortSignal,
): Promise<void> {
  for (const file of files) {
    for await (const body of bodies(file)) {
      if (signal?.aborted) throw new Problem('run.aborted', 'interrupted: nothing was recorded');
      if ('unread' in body) into.add(body);
      else if (!isExport(body.value)) into.add({ unread: 'it is no OTLP body of logs or traces' });
      else for (const row of readExport(body.value)) into.add({ row });
    }
  }
}

async function* bodies(file: string): AsyncGenerator<{ value: unknown } | { unread: string }> {
  if (file.endsWith('.jsonl')) {
    yield* lineValues(file);
    return;
  }
  yield parsed(await wholeFile(file), 'it is no JSON');
}

/** A file's bytes. Throws Problem `gateway.unreadable`, also for one that is too large for one piece. */
export async function wholeFile(file: string): Promise<Uint8Array> {
  try {
    const { size } = await stat(file);
    if (size > MAX_FILE) throw new Error(`it is larger than ${MAX_FILE} bytes`);
    return await readFile(file);
  } catch (cause) {
    throw refused(UNREADABLE, cause, file);
  }
}
