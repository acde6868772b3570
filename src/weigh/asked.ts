/** Reads what `weigh` was asked for; it must refuse what cannot be meant, before anything is started. */
import { parseArgs } from 'node:util';
import { COMMANDS } from '../commands.ts';
import type { Limits } from '../measure/gate.ts';
import { type CacheLayout, parseLayout } from '../measure/memory.ts';
import { SHAPES, type Shape } from '../measure/shape.ts';
import { TEMPLATES } from '../packages/chat-template.ts';
import { TOKENIZERS, type TokenizerName } from '../packages/tokenizer.ts';
import { Problem } from '../problem.ts';

/** What is to be weighed. */
export type Subject =
  | { kind: 'command'; command: string; args: string[] }
  | { kind: 'url'; url: string; headerEnv: string[] }
  | { kind: 'file'; file: string }
  | { kind: 'config'; file: string }
  | { kind: 'skills'; folder: string };

export interface Asked {
  subject: Subject;
  json: boolean;
  shape: Shape;
  /** At least one; the first is that of all sizes but the comparison. */
  tokenizers: readonly [TokenizerName, ...TokenizerName[]];
  template: string | null;
  kv: { layout: CacheLayout; source: string | null } | null;
  slim: string | null;
  /** Null: nothing is to be judged. */
  gate: { baseline: string | null; write: boolean; limits: Limits } | null;
  /** Null: what the server calls itself. */
  name: string | null;
  jobs: number;
  timeoutMs: number;
}

const { options } = COMMANDS.weigh;
type Values = ReturnType<typeof parseArgs<{ options: typeof options }>>['values'];

/** Null when help was asked for. Throws Problem `usage`. */
export function readArguments(args: string[]): Asked | null {
  // Ours end where the command begins: what follows is the server's, dashes and all.
  const { tokens } = parseArgs({ args, options, strict: false, tokens: true });
  const command = tokens.find((token) => token.kind === 'positional');
  let values: Values;
  try {
    ({ values } = parseArgs({ args: args.slice(0, command?.index), options }));
  } catch (cause) {
    throw usage(cause instanceof Error ? cause.message : String(cause));
  }
  if (values.help) return null;
  if (command?.value === '') throw usage('COMMAND is empty');
  for (const [option, value] of Object.entries(values)) {
    if ([value].flat().includes('')) throw usage(`--${option} is empty`);
  }
  const subject = subjectOf(values, command === undefined ? [] : args.slice(command.index));
  const gate = gateOf(values);
  const asked: Asked = {
    subject,
    json: values.json ?? false,
    shape: oneOf('shape', values.shape ?? SHAPES[0], SHAPES),
    tokenizers: tokenizersOf(values.tokenizer ?? TOKENIZERS[0]),
    template: values.template === undefined ? null : oneOf('template', values.template, TEMPLATES),
    kv: values.kv === undefined ? null : layoutOf(values.kv),
    slim: values.slim ?? null,
    gate,
    name: values.name ?? null,
    jobs: whole('jobs', values.jobs ?? '4', 1, 32),
    // Node's timers end at 2³¹ ms; past that they fire at once.
    timeoutMs: 1000 * number('timeout', values.timeout ?? '60', 2_000_000),
  };
  if (asked.name !== null && asked.name !== serverName(asked.name)) {
    throw usage('--name takes letters, digits, _ and -');
  }
  if (subject.kind === 'skills') {
    const wrong = [asked.template, asked.kv, asked.gate].some((one) => one !== null);
    if (wrong || asked.tokenizers.length > 1) {
      throw usage('--skills goes with --json and one --tokenizer, nothing else');
    }
  }
  if (subject.kind === 'skills' || subject.kind === 'config') {
    if (asked.slim !== null || asked.name !== null) {
      throw usage(`--slim and --name do not go with --${subject.kind}`);
    }
  }
  return asked;
}

function usage(message: string): Problem {
  return new Problem('usage', message, { mend: '`weighbridge weigh --help` says how.' });
}

/** As clients put it before a tool's name: other characters than letters, digits, _ and - go. */
export function serverName(text: string): string {
  return text.replace(/[^A-Za-z0-9_-]+/g, '-').replace(/^-+|-+$/g, '');
}

function subjectOf(values: Values, [command, ...args]: string[]): Subject {
  const { url, file, config, skills } = values;
  const subjects: Subject[] = [
    ...(command === undefined ? [] : [{ kind: 'command' as const, command, args }]),
    ...(url === undefined
      ? []
      : [{ kind: 'url' as const, url, headerEnv: values['header-env'] ?? [] }]),
    ...(file === undefined ? [] : [{ kind: 'file' as const, file }]),
    ...(config === undefined ? [] : [{ kind: 'config' as const, file: config }]),
    ...(skills === undefined ? [] : [{ kind: 'skills' as const, folder: skills }]),
  ];
  const [subject, second] = subjects;
  if (subject === undefined)
    throw usage('no COMMAND to start, nor --url, --file, --config, --skills');
  if (second !== undefined) throw usage('only one of COMMAND, --url, --file, --config, --skills');
  if (values['header-env'] !== undefined && url === undefined) {
    throw usage('--header-env goes with --url');
  }
  return subject;
}

function gateOf(values: Values): Asked['gate'] {
  const { baseline, write = false, frozen = false } = values;
  const growth = values['max-growth'];
  const most = values['max-tokens'];
  if (baseline === undefined) {
    if (write || frozen || growth !== undefined) {
      throw usage('--write, --frozen and --max-growth go with --baseline');
    }
    if (most === undefined) return null;
  }
  const [, amount, percent] = /^(\d+(?:\.\d+)?)(%)?$/.exec(growth ?? '0') ?? [];
  if (amount === undefined || (percent === undefined && !/^\d+$/.test(amount))) {
    throw usage('--max-growth takes a share (5%) or a number of tokens (200)');
  }
  return {
    baseline: baseline ?? null,
    write,
    limits: {
      maxGrowth: percent === undefined ? { tokens: Number(amount) } : { percent: Number(amount) },
      maxTokens: most === undefined ? null : whole('max-tokens', most, 0, 1e12),
      frozen,
    },
  };
}

function tokenizersOf(text: string): Asked['tokenizers'] {
  const [first, ...rest] = text.split(',').map((one) => oneOf('tokenizer', one, TOKENIZERS));
  const all = new Set([first!, ...rest]);
  return [first!, ...[...all].slice(1)];
}

function layoutOf(text: string): Asked['kv'] {
  try {
    return parseLayout(text);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw usage(`--kv: ${error.message}`);
  }
}

function oneOf<T extends string>(option: string, text: string, known: readonly T[]): T {
  const found = known.find((one) => one === text);
  if (found === undefined) throw usage(`--${option} is one of ${known.join(', ')}, not ${text}`);
  return found;
}

function whole(option: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value <= most) return value;
  throw usage(`--${option} takes a whole number from ${least}, not ${text}`);
}

function number(option: string, text: string, most: number): number {
  const value = Number(text);
  if (text.trim() !== '' && value > 0 && value <= most) return value;
  throw usage(`--${option} takes a number of seconds above 0 and up to ${most}, not ${text}`);
}
