/** Which file of `entries/` holds an entry. Pure; apart from verify.ts so that a browser can have it alone. */

/** Lines in a full file: one tile bundle. */
export const FILE_LINES = 256;
/** `000.jsonl`, `001.jsonl`, …: the file that holds entry `seq`. */
export const fileName = (seq: number): string =>
  `${String(Math.floor(seq / FILE_LINES)).padStart(3, '0')}.jsonl`;

/** The lines of a file, without their newlines; what follows the last newline is none. */
export function fileLines(bytes: Uint8Array): Uint8Array[] {
  const lines: Uint8Array[] = [];
  for (let from = 0, to = bytes.indexOf(10); to !== -1; to = bytes.indexOf(10, from)) {
    lines.push(bytes.subarray(from, to));
    from = to + 1;
  }
  return lines;
}
