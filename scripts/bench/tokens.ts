/** How fast tokens are counted: against js-tiktoken on a catalogue, and on text made to be slow. */
import { Tiktoken } from 'js-tiktoken/lite';
import o200kBase from 'js-tiktoken/ranks/o200k_base';
import { o200k } from '../../src/measure/o200k.ts';

export const name = 'tokens';

/** How many times js-tiktoken's speed, warm, is wanted, and how long 100 kB of anything may take. */
const TIMES = 4;
const LIMIT_MS = 300;
const ROUNDS = 5;

/** A pseudo-random number below `limit`, the same sequence in each run. */
let state = 1;
function random(limit: number): number {
  state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
  return Math.floor((state / 2 ** 32) * limit);
}

const pick = <T>(list: readonly T[]): T => list[random(list.length)]!;
const WORDS =
  'the a of to in for with id name page block user issue file list create update delete returns whether optional default maximum repository parent filter query cursor number string content type value when only if given must be not Markdown timestamp UUID assignee workspace'.split(
    ' ',
  );

/** About `size` characters of compact tool definitions: no two alike, as many words as there are. */
function catalogue(size: number): string {
  const prose = (n: number) => Array.from({ length: n }, () => pick(WORDS)).join(' ');
  const tools: unknown[] = [];
  for (let length = 0; length < size; ) {
    const properties = Object.fromEntries(
      Array.from({ length: 2 + random(8) }, () => [
        `${pick(WORDS)}_${pick(WORDS)}${random(1000)}`,
        { type: pick(['string', 'integer', 'boolean']), description: prose(4 + random(20)) },
      ]),
    );
    const tool = {
      name: `mcp__server__${pick(WORDS)}_${random(1e6).toString(36)}`,
      description: `${prose(10 + random(40))}.`,
      input_schema: { type: 'object', properties, required: Object.keys(properties).slice(0, 2) },
    };
    tools.push(tool);
    length += JSON.stringify(tool).length;
  }
  return JSON.stringify(tools);
}

function milliseconds(act: () => void): number {
  const started = performance.now();
  act();
  return performance.now() - started;
}

export async function run(): Promise<{ rows: string[]; ok: boolean }> {
  const text = catalogue(1_000_000);
  const ours = o200k();
  const theirs = new Tiktoken(o200kBase);
  const same = ours.count(text) === theirs.encode(text, [], []).length;
  // In turns, so that what else the machine does meets both; the quickest round of each.
  const rounds = Array.from({ length: ROUNDS }, () => [
    milliseconds(() => theirs.encode(text, [], [])),
    milliseconds(() => ours.count(text)),
  ]);
  const [slow, fast] = [0, 1].map((which) => Math.min(...rounds.map((round) => round[which]!)));
  const times = slow! / fast!;
  const megabytes = (ms: number) => `${(text.length / 1000 / ms).toFixed(1)} MB/s`;
  const rows = [
    `1 MB catalogue: the same count as js-tiktoken: ${same ? 'yes' : 'NO'}`,
    `1 MB catalogue, warm: ${megabytes(fast!)}, js-tiktoken ${megabytes(slow!)}: ${times.toFixed(1)} times (wanted ${TIMES})`,
  ];

  const base64 = Buffer.from(Uint8Array.from({ length: 75_000 }, () => random(256)));
  const hostile = {
    '100,000 times one character': 'a'.repeat(100_000),
    '100 kB of Chinese': Array.from({ length: 33_334 }, () =>
      String.fromCodePoint(0x4e00 + random(0x51a6)),
    ).join(''),
    '100 kB of base64': base64.toString('base64'),
  };
  const quick = Object.entries(hostile).map(([what, slowText]) => {
    const took = Math.min(...[0, 1, 2].map(() => milliseconds(() => ours.count(slowText))));
    rows.push(`${what}: ${took.toFixed(0)} ms (at most ${LIMIT_MS})`);
    return took < LIMIT_MS;
  });
  return { rows, ok: same && times >= TIMES && quick.every(Boolean) };
}
