/**
 * Card -> the picture of a page as SVG, in the site's own paper, ink and typefaces. Pure: how wide
 * words are comes in as an argument, and what it is drawn with is not its concern.
 */
import type { Status, Tier } from '../ledger/entry.ts';
import { type Card, SIZE } from './cards.ts';
import { visible } from './visible.ts';

/** A typeface by what it is for, as the files in which it comes call it. */
export const FACES = {
  text: 'IBM Plex Serif',
  strong: 'IBM Plex Serif SemiBold',
  mono: 'IBM Plex Mono',
} as const;
export type FaceName = keyof typeof FACES;

/** Width of a text in pixels. */
export type Measure = (text: string, face: FaceName, size: number) => number;

// Those of src/styles/site.css, in light.
const INK = '#1c1b19';
const SOFT = '#5d5a54';
const PAPER = '#fbfaf7';
const EDGE = '#c9c3b6';
const RULE = '#d9d5cc';

/** The shapes of chips, in a box of 20 by 20, as src/styles/site.css cuts them. */
const STATUS: Readonly<Record<Status, { colour: string; shape: string }>> = {
  observed: { colour: '#0068a3', shape: '<circle cx="10" cy="10" r="10"/>' },
  derived: { colour: '#8a5a00', shape: '<path d="M10 0 20 20H0z"/>' },
  specified: { colour: '#5b4a9c', shape: '<path d="M0 0h20v20H0z"/>' },
  implemented: { colour: '#00694b', shape: '<path d="M10 0 20 7.6 16.2 20H3.8L0 7.6z"/>' },
  deployed: { colour: '#0a6480', shape: '<path d="M5 0h10l5 10-5 10H5L0 10z"/>' },
  reproduced: {
    colour: '#96396c',
    shape:
      '<circle cx="10" cy="10" r="4"/><circle cx="10" cy="10" r="8.5" fill="none" stroke-width="3"/>',
  },
  externally_attested: { colour: '#a3420c', shape: '<path d="M10 0 20 10 10 20 0 10z"/>' },
};
const RING = '<circle cx="10" cy="10" r="8.5" fill="none" stroke-width="2.5"/>';
const TIER: Readonly<Record<Tier, string>> = {
  human: RING,
  preclinical: `${RING}<path d="M10 2v16a8 8 0 0 1 0-16z"/>`,
  anecdotal: '<path d="M2 2h16l-8 15z" fill="none" stroke-width="2.5"/>',
  mechanistic: '<path d="M8 0h4v8h8v4h-8v8H8v-8H0V8h8z"/>',
  speculative: RING.replace('/>', ' stroke-dasharray="3 3"/>'),
  system: '<path d="M1.5 1.5h17v17h-17z" fill="none" stroke-width="2.5"/>',
};

const TICKET = { x: 676, y: 168, width: 452, pad: 36 };
/** Between two teeth of the torn edge. */
const TOOTH = 22.6;

/** The whole picture. Lines that would not fit are set smaller, then cut with an ellipsis. */
export function renderCard(card: Card, name: string, measure: Measure): string {
  const title = fit(card.title, 'strong', { width: 540, lines: 5, sizes: [62, 54, 46] }, measure);
  const inside = TICKET.width - 2 * TICKET.pad;
  const value = fit(
    card.value,
    'mono',
    { width: inside, lines: 1, sizes: [96, 80, 64, 48] },
    measure,
  );
  const label = fit(card.label, 'text', { width: inside, lines: 4, sizes: [30, 26] }, measure);
  const left = TICKET.x + TICKET.pad;
  const under = TICKET.y + 186 + (card.unit === '' ? 0 : 46);
  const foot = under + 24 + (label.lines.length - 1) * label.size * 1.3 + TICKET.pad + 6;
  const { colour, shape } = STATUS[card.status];
  const chips: [string, string, string][] = [
    [card.status, colour, shape],
    ...(card.tier === null ? [] : [[card.tier, SOFT, TIER[card.tier]] as [string, string, string]]),
  ];
  let x = left;
  const drawn = chips.map(([word, fill, mark]) => {
    const said = word.replaceAll('_', ' ');
    const at = x;
    x += 34 + measure(said, 'mono', 24) + 28;
    return (
      `<g transform="translate(${round(at)} ${TICKET.y + 38})" fill="${fill}" stroke="${fill}" stroke-width="0">` +
      `${mark}</g>${line(said, 'mono', 24, at + 32, TICKET.y + 57, fill)}`
    );
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${SIZE.width}" height="${SIZE.height}">
<rect width="100%" height="100%" fill="${PAPER}"/>
${line(name, 'strong', 34, 72, 96, INK)}
<path d="M72 124h1056" stroke="${RULE}" stroke-width="2"/>
${title.lines.map((text, i) => line(text, 'strong', title.size, 72, 218 + i * title.size * 1.16, INK)).join('')}
${line('Every number has a receipt', 'text', 26, 72, 556, SOFT)}
<path d="${torn(foot - TICKET.y)}" fill="#fff" stroke="${EDGE}" stroke-width="2"/>
${drawn.join('')}
${line(value.lines[0] ?? '', 'mono', value.size, left - value.size * 0.06, TICKET.y + 158, INK)}
${card.unit === '' ? '' : line(card.unit, 'mono', 32, left, TICKET.y + 208, INK)}
${label.lines.map((text, i) => line(text, 'text', label.size, left, under + 24 + i * label.size * 1.3, INK)).join('')}
</svg>
`;
}

/** The outline of a ticket that was torn off at the top. */
function torn(height: number): string {
  const { x, y, width } = TICKET;
  const teeth = Math.round(width / TOOTH);
  const tooth = `q${round(width / teeth / 2)} 14 ${round(width / teeth)} 0`;
  return `M${x} ${y}${tooth.repeat(teeth)}v${round(height)}H${x}z`;
}

interface Room {
  /** Pixels. */
  width: number;
  lines: number;
  /** From the one that is wanted to the least. */
  sizes: readonly number[];
}

/** The largest size at which the text fits, and its lines there. */
function fit(
  text: string,
  face: FaceName,
  { width, lines, sizes }: Room,
  measure: Measure,
): { size: number; lines: string[] } {
  const words = visible(text).split(/\s+/).filter(Boolean);
  const wide = (line: string, size: number) => measure(line, face, size) > width;
  const broken = (size: number) => {
    const all: string[] = [];
    for (const word of words) {
      const longer = all.length === 0 ? word : `${all.at(-1)} ${word}`;
      if (all.length === 0 || wide(longer, size)) all.push(word);
      else all[all.length - 1] = longer;
    }
    return all;
  };
  const size = sizes.find((size) => {
    const all = broken(size);
    return all.length <= lines && !all.some((line) => wide(line, size));
  });
  if (size !== undefined) return { size, lines: broken(size) };
  const least = sizes.at(-1) ?? 0;
  const all = broken(least);
  const shown = all.slice(0, lines).map((line, i) => {
    const last = i === lines - 1 && all.length > lines;
    let cut = line;
    while (cut !== '' && wide(`${cut}…`, least)) cut = cut.slice(0, -1);
    return last || cut !== line ? `${cut.trimEnd()}…` : line;
  });
  return { size: least, lines: shown };
}

function line(
  text: string,
  face: FaceName,
  size: number,
  x: number,
  y: number,
  fill: string,
): string {
  return `<text x="${round(x)}" y="${round(y)}" font-family="${FACES[face]}" font-size="${size}" fill="${fill}">${escaped(text)}</text>`;
}

const round = (value: number): number => Number(value.toFixed(2));
const escaped = (text: string) =>
  visible(text).replace(/[&<>"]/g, (character) => `&#${character.codePointAt(0)};`);
