/** Reads files of entries beside the main thread: what readEntries finds, with the essence of each entry. */
import { readFileSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { essence } from '../ledger/essence.ts';
import { type Line, readEntries } from '../ledger/read.ts';
import { nodeHash } from './hash.ts';

/** One file as it is handed over; its lines as JSON, which costs less to copy than objects. */
export interface Handed {
  /** UTF-8, so that it is handed over and not copied. */
  json: Uint8Array;
  leaves: Uint8Array;
  torn: number;
}

const handed = (line: Line) => ('entry' in line ? { entry: essence(line.entry) } : line);

parentPort?.on('message', (paths: string[]) => {
  const files = paths.map((path): Handed => {
    const { lines, ...rest } = readEntries(readFileSync(path), nodeHash);
    const json = new TextEncoder().encode(JSON.stringify(lines.map(handed)));
    return { json, ...rest };
  });
  const buffers = files.flatMap(({ json, leaves }) => [json.buffer, leaves.buffer]);
  parentPort?.postMessage(files, buffers as ArrayBuffer[]);
});
