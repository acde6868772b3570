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

const told = (line: Line<string>): string =>
  'entry' in line ? `{"entry":${line.entry}}` : JSON.stringify(line);

parentPort?.on('message', (paths: string[]) => {
  const files = paths.map((path): Handed => {
    // Text at once, line by line: a file's worth of objects would be moved about by the collector.
    const { lines, ...rest } = readEntries(readFileSync(path), nodeHash, (entry) =>
      JSON.stringify(essence(entry)),
    );
    return { json: new TextEncoder().encode(`[${lines.map(told).join()}]`), ...rest };
  });
  const buffers = files.flatMap(({ json, leaves }) => [json.buffer, leaves.buffer]);
  parentPort?.postMessage(files, buffers as ArrayBuffer[]);
});
