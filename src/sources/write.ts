/**
 * Writes what a check found into the text of a sources.yaml: `quote_status` and `checked`, and not a
 * byte besides, so that comments, order and layout stay their author's. Pure.
 */
import { isDeepStrictEqual } from 'node:util';
import { isMap, isScalar, isSeq, type Pair, parseDocument, type YAMLMap } from 'yaml';
import { Problem } from '../problem.ts';

export interface Finding {
  status: 'verified' | 'unverified' | 'gone';
  /** YYYY-MM-DD. */
  day: string;
}
interface Splice {
  start: number;
  end: number;
  text: string;
}

/** The text with each finding in its source's item. Throws Problem `sources.layout` where it can't be put in. */
export function writeFindings(
  file: string,
  text: string,
  findings: ReadonlyMap<string, Finding>,
): string {
  const document = parseDocument(text, { keepSourceTokens: true });
  const items = isSeq(document.contents) ? document.contents.items : [];
  const splices = items.flatMap((item) => {
    const finding = isMap(item) ? findings.get(String(item.get('id'))) : undefined;
    return finding === undefined ? [] : splicesOf(text, item as YAMLMap, finding);
  });
  let written = text;
  for (const { start, end, text: put } of splices.sort((a, b) => b.start - a.start)) {
    written = written.slice(0, start) + put + written.slice(end);
  }
  // YAML can be written in more ways than are foreseen here: hold the outcome against what was meant.
  const meant = (document.toJS() as { id: string }[] | null)?.map((source) => {
    const finding = findings.get(source.id);
    return finding === undefined
      ? source
      : { ...source, quote_status: finding.status, checked: finding.day };
  });
  if (!isDeepStrictEqual(parseDocument(written).toJS(), meant ?? null)) {
    throw new Problem('sources.layout', 'its layout leaves no place for what was found', {
      at: file,
      mend: 'Write quote_status as a plain word on a line of its own, then check again.',
    });
  }
  return written;
}

function splicesOf(text: string, item: YAMLMap, { status, day }: Finding): Splice[] {
  const pair = (key: string): Pair | undefined =>
    item.items.find((one) => isScalar(one.key) && one.key.value === key);
  const range = (node: unknown): [number, number] =>
    isScalar(node) && node.range ? [node.range[0], node.range[1]] : [0, 0];
  const was = pair('quote_status');
  const [start, end] = range(was?.value);
  const splices = [{ start, end, text: status }];
  const checked = pair('checked');
  if (checked !== undefined) {
    const [from, to] = range(checked.value);
    return [...splices, { start: from, end: to, text: day }];
  }
  if (item.flow === true) return [{ start, end, text: `${status}, checked: ${day}` }];
  // A line of its own below, in the key's column; what stands behind the status stays with it.
  const [key] = range(was?.key);
  const column = key - (text.lastIndexOf('\n', key - 1) + 1);
  const line = /\r?\n|$/.exec(text.slice(end))!;
  const at = end + line.index;
  const newline = /\r\n/.test(text) ? '\r\n' : '\n';
  return [
    ...splices,
    { start: at, end: at, text: `${newline}${' '.repeat(column)}checked: ${day}` },
  ];
}
