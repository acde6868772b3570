/**
 * A typeface out of the WOFF file in which npm delivers it, and how wide its words are. Pure. It reads
 * what it needs to set a line: TrueType's tables by the OpenType specification, WOFF 1.0 by W3C's.
 */
import { inflateSync } from 'node:zlib';
import { Problem } from '../problem.ts';

export interface Face {
  /** The same typeface as TrueType, which drawing programs read. */
  sfnt: Uint8Array;
  /** Width of a text at a size, in the size's unit, without kerning. */
  width(text: string, size: number): number;
}

const WOFF = 0x774f4646;
const HEAD = { woff: 44, sfnt: 12 };
const ENTRY = { woff: 20, sfnt: 16 };

/** Throws Problem `face.form` for what is no WOFF file, or one without the tables that a text needs. */
export function readFace(woff: Uint8Array): Face {
  const sfnt = unpack(woff);
  const table = tablesOf(sfnt);
  const [head, hhea, hmtx, cmap] = ['head', 'hhea', 'hmtx', 'cmap'].map((tag) => {
    const found = table.get(tag);
    if (found === undefined) throw new Problem('face.form', `a typeface without its table ${tag}`);
    return found;
  }) as [DataView, DataView, DataView, DataView];
  const unitsPerEm = head.getUint16(18);
  const metrics = hhea.getUint16(34);
  const glyphOf = characters(cmap);
  const advance = (character: string) =>
    hmtx.getUint16(4 * Math.min(glyphOf(character.codePointAt(0)!), metrics - 1));
  return {
    sfnt,
    width: (text, size) =>
      ([...text].reduce((sum, character) => sum + advance(character), 0) * size) / unitsPerEm,
  };
}

/** The tables as they are in a TrueType file, in the same order. */
function unpack(woff: Uint8Array): Uint8Array {
  const from = new DataView(woff.buffer, woff.byteOffset, woff.byteLength);
  if (woff.length < HEAD.woff || from.getUint32(0) !== WOFF) {
    throw new Problem('face.form', 'not a WOFF file');
  }
  const count = from.getUint16(12);
  const sfnt = new Uint8Array(from.getUint32(16));
  const to = new DataView(sfnt.buffer);
  const power = 31 - Math.clz32(count);
  to.setUint32(0, from.getUint32(4));
  to.setUint16(4, count);
  to.setUint16(6, ENTRY.sfnt << power);
  to.setUint16(8, power);
  to.setUint16(10, ENTRY.sfnt * count - (ENTRY.sfnt << power));
  let place = HEAD.sfnt + ENTRY.sfnt * count;
  for (let i = 0; i < count; i++) {
    const at = HEAD.woff + ENTRY.woff * i;
    const [offset, packed, length] = [4, 8, 12].map((by) => from.getUint32(at + by)) as [
      number,
      number,
      number,
    ];
    const bytes = woff.subarray(offset, offset + packed);
    sfnt.set(packed < length ? inflateSync(bytes) : bytes, place);
    const entry = HEAD.sfnt + ENTRY.sfnt * i;
    to.setUint32(entry, from.getUint32(at));
    to.setUint32(entry + 4, from.getUint32(at + 16));
    to.setUint32(entry + 8, place);
    to.setUint32(entry + 12, length);
    place += (length + 3) & ~3;
  }
  return sfnt;
}

function tablesOf(sfnt: Uint8Array): Map<string, DataView> {
  const view = new DataView(sfnt.buffer);
  return new Map(
    Array.from({ length: view.getUint16(4) }, (_, i) => {
      const at = HEAD.sfnt + ENTRY.sfnt * i;
      const tag = String.fromCharCode(...sfnt.subarray(at, at + 4));
      return [tag, new DataView(sfnt.buffer, view.getUint32(at + 8), view.getUint32(at + 12))];
    }),
  );
}

/** Which glyph draws a character: 0, the empty box, where none does. Reads the table's format 4. */
function characters(cmap: DataView): (codePoint: number) => number {
  const at = Array.from({ length: cmap.getUint16(2) }, (_, i) => cmap.getUint32(8 + 8 * i)).find(
    (offset) => cmap.getUint16(offset) === 4,
  );
  if (at === undefined) throw new Problem('face.form', 'a typeface without characters of format 4');
  const twice = cmap.getUint16(at + 6);
  const [ends, starts, deltas, ranges] = [14, 16 + twice, 16 + 2 * twice, 16 + 3 * twice].map(
    (by) => at + by,
  ) as [number, number, number, number];
  return (codePoint) => {
    for (let i = 0; i < twice; i += 2) {
      if (cmap.getUint16(ends + i) < codePoint) continue;
      const start = cmap.getUint16(starts + i);
      if (start > codePoint) return 0;
      const range = cmap.getUint16(ranges + i);
      const delta = cmap.getUint16(deltas + i);
      if (range === 0) return (codePoint + delta) & 0xffff;
      const glyph = cmap.getUint16(ranges + i + range + 2 * (codePoint - start));
      return glyph === 0 ? 0 : (glyph + delta) & 0xffff;
    }
    return 0;
  };
}
