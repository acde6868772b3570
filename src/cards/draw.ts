/**
 * Draws the cards of a built site as PNG, each once: what was drawn before from the same SVG by the
 * same program in the same typefaces is taken from .cache/cards/. Only npm's own files are used, none
 * of the system's typefaces, so that each machine draws the same bytes.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { writeAtomic } from '../disk/atomic.ts';
import { type FaceName, type Measure, renderCard } from '../render/card.ts';
import { type Card, cardPath } from '../render/cards.ts';
import { type Face, readFace } from './face.ts';

const FILES: Readonly<Record<FaceName, string>> = {
  text: '@fontsource/ibm-plex-serif/files/ibm-plex-serif-latin-400-normal.woff',
  strong: '@fontsource/ibm-plex-serif/files/ibm-plex-serif-latin-600-normal.woff',
  mono: '@fontsource/ibm-plex-mono/files/ibm-plex-mono-latin-400-normal.woff',
};

/** Writes them below `dist`. `cache` is a folder that may not be there yet. Gives how many were drawn anew. */
export async function writeCards(
  dist: string,
  cards: readonly Card[],
  { name, cache }: { name: string; cache: string },
): Promise<number> {
  const require = createRequire(import.meta.url);
  const read = (file: string) => readFileSync(require.resolve(file));
  const faces = new Map<FaceName, Face>();
  for (const [face, file] of Object.entries(FILES))
    faces.set(face as FaceName, readFace(read(file)));
  const measure: Measure = (text, face, size) => faces.get(face)!.width(text, size);
  const program = read('@resvg/resvg-wasm/index_bg.wasm');
  const means = createHash('sha256').update(program);
  for (const { sfnt } of faces.values()) means.update(sfnt);
  const by = means.digest();

  let draw: ((svg: string) => Uint8Array) | undefined;
  let anew = 0;
  mkdirSync(cache, { recursive: true });
  for (const card of cards) {
    const svg = renderCard(card, name, measure);
    const held = join(cache, `${createHash('sha256').update(by).update(svg).digest('hex')}.png`);
    if (!existsSync(held)) {
      draw ??= await drawing(program, [...faces.values()]);
      writeAtomic(held, draw(svg));
      anew++;
    }
    const to = join(dist, cardPath(card));
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(to, readFileSync(held));
  }
  return anew;
}

let started: Promise<void> | undefined;

/** The program, begun once a process, with these typefaces and no others. */
async function drawing(
  program: Uint8Array,
  faces: readonly Face[],
): Promise<(svg: string) => Uint8Array> {
  const { initWasm, Resvg } = await import('@resvg/resvg-wasm');
  started ??= initWasm(program.slice().buffer);
  await started;
  const font = { fontBuffers: faces.map(({ sfnt }) => sfnt), loadSystemFonts: false };
  return (svg) => {
    const drawn = new Resvg(svg, { font }).render();
    const png = drawn.asPng();
    drawn.free();
    return png;
  };
}
