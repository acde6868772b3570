/**
 * The number lint: finds every number in prose that is bound to nothing. Pure. What is exempt is
 * law, listed in EXEMPT below; whatever looks like a number and is not there is reported.
 */
import { Problem } from '../problem.ts';
import { type Prose, placeIn } from './prose.ts';
import { SLOT } from './slot.ts';

export interface Found {
  /** As written: `1,234`, `10x`, `½`, `eleven`. */
  text: string;
  index: number;
  /** Its plain value, units aside; null where it can't be told. */
  value: number | null;
}

/** A number that is not a figure, by value (`200000` covers `200,000`) or by phrase (`SHA-256`). */
export interface Constant {
  value: number | string;
  reason: string;
}

/** A figure that an unbound number might be. */
export interface Candidate {
  id: string;
  text: string;
  value: number;
}

const MONTHS =
  'January|February|March|April|May|June|July|August|September|October|November|December';
const DAY = '(?:[12]\\d|3[01]|0?[1-9])';
const YEAR = '(?:19|20)\\d\\d';
const BEFORE = '(?<![\\p{L}\\p{N}_.,-])';
const AFTER = '(?![\\p{L}\\p{N}_]|[.,-]\\p{N}|[%‰])';
const exempt = (pattern: string): RegExp => new RegExp(`${BEFORE}(?:${pattern})${AFTER}`, 'gu');

/** Law 2: what may hold digits without being a figure. */
const EXEMPT = {
  url: /\b[a-z][a-z0-9+.-]*:\/\/\S+/giu,
  isoDate: exempt(
    `${YEAR}-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\\d|3[01])(?:T\\d\\d:\\d\\d(?::\\d\\d(?:\\.\\d+)?)?(?:Z|[+-]\\d\\d:\\d\\d))?)?`,
  ),
  dayMonth: exempt(`${DAY} (?:${MONTHS})(?: ${YEAR})?`),
  monthYear: exempt(`(?:${MONTHS}) (?:${DAY}, )?${YEAR}`),
  semanticVersion: exempt(
    'v?(?:0|[1-9]\\d*)\\.(?:0|[1-9]\\d*)\\.(?:0|[1-9]\\d*)(?:-[A-Za-z][0-9A-Za-z-]*(?:\\.[0-9A-Za-z-]+)*)?(?:\\+[0-9A-Za-z.-]+)?',
  ),
  numbered: new RegExp(
    `(?:(?<![\\p{L}\\p{N}_])(?:RFC|HTTP|S|[Ii]ssue|[Ss]tep)[ \\u00a0]?|[#§][ \\u00a0]?)\\d+${AFTER}`,
    'gu',
  ),
};
/** Code in a text that is no markdown, as a symptom writes it. */
const CODE = /`[^`\n]+`/gu;
/** `1.`, `2.3.` or `4)` at the start of a heading. */
const ORDINAL = /^\s*\d{1,3}(?:\.\d{1,3})*[.)](?=\s)/gu;

/** A word that begins with a digit (with its grouping, fraction and per cent sign), or with a letter. */
const WORD =
  /[\p{N}][\p{L}\p{M}\p{N}_]*(?:(?<=\p{N})[.,'’٫٬](?=\p{N})[\p{L}\p{M}\p{N}_]+)*[%％٪‰]?|[\p{L}\p{M}_][\p{L}\p{M}\p{N}_]*(?:(?<=\p{N})\.(?=\p{N})[\p{L}\p{M}\p{N}_]+)*/gu;
const AMOUNT = "\\p{N}[\\p{N}.,'’٫٬_]*";
/** Number with a unit behind it, scientific notation, dimensions, a duration: numbers, not names. */
const MEASURE = new RegExp(
  `^(?:${AMOUNT}[\\p{L}\\p{M}]*[%％٪‰]?|${AMOUNT}[eE]\\p{N}+|${AMOUNT}[x×]${AMOUNT}|(?:${AMOUNT}(?:d|h|min|m|s|ms))+)$`,
  'u',
);

const SMALL = [
  'zero',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
];
const TEENS = [
  'eleven',
  'twelve',
  'thirteen',
  'fourteen',
  'fifteen',
  'sixteen',
  'seventeen',
  'eighteen',
  'nineteen',
];
const TENS = ['twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'];
const SCALES: [string, number][] = [
  ['dozen', 12],
  ['hundred', 100],
  ['thousand', 1e3],
  ['million', 1e6],
  ['billion', 1e9],
  ['trillion', 1e12],
];
/** Value of each word, ordinals included (`twelfth`, `twentieth`). */
const WORDS = new Map<string, number>();
for (const [i, word] of SMALL.entries()) WORDS.set(word, i);
for (const [i, word] of [...TEENS.entries()]) WORDS.set(word, i + 11).set(`${word}th`, i + 11);
WORDS.delete('twelveth');
WORDS.set('twelfth', 12);
for (const [i, word] of TENS.entries()) {
  WORDS.set(word, (i + 2) * 10).set(`${word.slice(0, -1)}ieth`, (i + 2) * 10);
}
for (const [word, value] of SCALES) {
  WORDS.set(word, value).set(`${word}s`, value).set(`${word}th`, value);
}
const ANY = [...WORDS.keys()].sort((a, b) => b.length - a.length).join('|');
const SPELLED = new RegExp(
  `(?<![\\p{L}\\p{N}_])(?:${ANY})(?:(?:\\s*-\\s*|\\s+and\\s+|\\s+)(?:${ANY}))*(?:fold)?(?![\\p{L}\\p{N}_])`,
  'giu',
);

/** Something in every spelled-out number above ten. */
const LARGE =
  /elev|twel|teen|twent|thirt|fort|fift|sixt|sevent|eight|ninet|dozen|hundred|thousand|illion/i;

/** Every number in a text that law 2 does not exempt, in order. */
export function numbersIn(
  text: string,
  options: { constants?: readonly Constant[]; slots?: boolean; heading?: boolean } = {},
): Found[] {
  // Most prose holds none, and what follows is slow.
  if (!/\p{N}/u.test(text) && !LARGE.test(text)) return [];
  const constants = options.constants ?? [];
  const spans = [
    ...Object.values(EXEMPT),
    ...(options.slots ? [SLOT, CODE] : []),
    ...(options.heading ? [ORDINAL] : []),
    ...constants.flatMap(({ value }) => (typeof value === 'string' ? [phrase(value)] : [])),
  ].flatMap((pattern) =>
    [...text.matchAll(pattern)].map((match) => [match.index, match.index + match[0].length]),
  );
  const values = new Set(constants.map(({ value }) => value));
  const found: Found[] = [];
  const add = (match: RegExpExecArray, value: number | null): void => {
    const end = match.index + match[0].length;
    if (spans.some(([from, to]) => from! <= match.index && end <= to!)) return;
    if (value !== null && values.has(value)) return;
    found.push({ text: match[0], index: match.index, value });
  };
  for (const match of text.matchAll(WORD)) {
    const [word] = match;
    if (!/^\p{N}/u.test(word) || (/_/.test(word) && /\p{L}/u.test(word))) continue;
    if (MEASURE.test(word)) add(match, amountOf(word));
  }
  for (const match of text.matchAll(SPELLED)) {
    if (hasLarge(match[0])) add(match, spelledValue(match[0]));
  }
  return found.sort((a, b) => a.index - b.index);
}

/** One Problem `number.unbound` a number: its place, the number, and the nearest figure's id. */
export function lintNumbers(
  prose: readonly Prose[],
  constants: readonly Constant[],
  figures: readonly Candidate[],
): Problem[] {
  return prose.flatMap((run) => {
    const found = numbersIn(run.text, {
      constants,
      slots: run.slots === true,
      heading: run.heading === true,
    });
    if (run.excused) {
      if (found.length === 0) {
        return [
          new Problem('number.reason', 'the comment behind this text excuses no number', {
            at: placeIn(run, run.text.trim(), run.text.indexOf(run.text.trim())),
            mend: 'Take it out, or put it right behind the number.',
          }),
        ];
      }
      found.pop();
    }
    return found.map((number) => {
      const near = nearest(number, figures);
      return new Problem(
        'number.unbound',
        `"${number.text}" is bound to no figure${near === null ? '' : `; the nearest is ${near.id} (${near.text})`}`,
        {
          at: placeIn(run, number.text, number.index),
          mend: 'Bind it (<Fig id="…"/> in MDX, {…} elsewhere), declare it under constants with a reason, or say why in {/* number: … */} right behind it.',
        },
      );
    });
  });
}

/** The figure whose shown text or value is equal, else the closest in value. */
export function nearest(number: Found, figures: readonly Candidate[]): Candidate | null {
  const same = figures.find((figure) => figure.text === number.text);
  if (same !== undefined || number.value === null) return same ?? null;
  const value = number.value;
  const distance = (figure: Candidate): number =>
    Math.abs(figure.value - value) / Math.max(Math.abs(figure.value), Math.abs(value), 1e-9);
  let best: Candidate | null = null;
  for (const figure of figures) {
    if (best === null || distance(figure) < distance(best)) best = figure;
  }
  return best;
}

function phrase(value: string): RegExp {
  const literal = value.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(
    `(?<![\\p{L}\\p{N}_]|\\p{N}[.,])${literal}(?![\\p{L}\\p{N}_]|[.,]\\p{N})`,
    'gu',
  );
}

/** Reads digits of any script, grouping and vulgar fractions: `１,２３４` is 1234, `2½` is 2.5. */
function amountOf(word: string): number | null {
  let sum = 0;
  let digits = '';
  for (const char of word) {
    if (/\p{Nd}/u.test(char)) digits += digitOf(char);
    else if (char === '.' || char === '٫') digits += '.';
    else if (/\p{No}|\p{Nl}/u.test(char)) {
      const [over, under] = char.normalize('NFKC').split('\u2044').map(Number);
      sum += under === undefined ? over! : over! / under;
    } else if (!/[,'’٬_]/.test(char)) break;
  }
  if (digits !== '') sum += Number(digits);
  return Number.isFinite(sum) ? sum : null;
}

/** A decimal digit's value: Unicode lays each script's ten digits out in a row from zero. */
function digitOf(char: string): number {
  const plain = char.normalize('NFKC');
  if (/^[0-9]$/.test(plain)) return Number(plain);
  const code = char.codePointAt(0)!;
  let zero = code;
  while (zero > code - 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--;
  return code - zero;
}

const spelledWords = (text: string): string[] =>
  text
    .toLowerCase()
    .replace(/fold$/, '')
    .split(/[\s-]+/)
    .filter((word) => WORDS.has(word));

const hasLarge = (text: string): boolean =>
  spelledWords(text).some((word) => WORDS.get(word)! > 10);

function spelledValue(text: string): number {
  let total = 0;
  let current = 0;
  for (const word of spelledWords(text)) {
    const value = WORDS.get(word)!;
    if (value === 100 || word.startsWith('dozen')) current = Math.max(current, 1) * value;
    else if (value >= 1000) {
      total += Math.max(current, 1) * value;
      current = 0;
    } else current += value;
  }
  return total + current;
}
